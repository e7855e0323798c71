/* outside project: the C interface alone; needs no C++ library. */
#include <stdio.h>

#include <thalweg/thalweg.h>

static void add(void *context, thalweg_event *event, const thalweg_value *arguments, size_t count) {
    int64_t number = 0;
    (void)event;
    if (thalweg_get_integer(arguments, count, 0, &number))
        *(int64_t *)context += number;
}

static void stop(void *loop, thalweg_event *event, const thalweg_value *arguments, size_t count) {
    (void)event;
    (void)arguments;
    (void)count;
    thalweg_loop_stop((thalweg_loop *)loop);
}

int main(void) {
    int64_t sum = 0;
    thalweg_event *event = NULL, *end = NULL;
    thalweg_composite *composite = thalweg_composite_create();
    thalweg_loop *loop = thalweg_loop_here();
    if (thalweg_event_create(composite, "sum", &event) != THALWEG_OK)
        return 1;
    if (thalweg_event_create(composite, "end", &end) != THALWEG_OK)
        return 1;
    thalweg_bind(event, add, &sum, 0, NULL);
    thalweg_bind(end, stop, loop, 0, NULL);
    THALWEG_RAISE(event, thalweg_integer(20));
    const thalweg_value later = thalweg_integer(22);
    thalweg_post(event, &later, 1, NULL);
    thalweg_post_after(end, 1000, NULL, 0, NULL);
    thalweg_loop_run(loop);
    if (thalweg_raise(NULL, NULL, 0) != THALWEG_NULL_POINTER)
        return 1;
    printf("%d %s\n", (int)sum, thalweg_message(THALWEG_NULL_POINTER));
    thalweg_composite_destroy(composite);
    return sum == 42 ? 0 : 1;
}
