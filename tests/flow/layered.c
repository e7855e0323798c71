/* tests: bytes through an operation table into memory; the operations may change while it runs. */
#include <stdio.h>
#include <string.h>

struct sink;
struct operations {
    int (*put)(struct sink *, int);
};
struct sink {
    const struct operations *operations;
    int *place, *end;
};

#ifdef COUNTED
static int calls;
#define COUNT() ++calls
#else
#define COUNT()
#endif

static int put_plain(struct sink *sink, int value) {
    COUNT();
    if (sink->place == sink->end)
        return 0;
    *sink->place = value;
    sink->place += 1;
    return 1;
}
static int put_negated(struct sink *sink, int value) { return put_plain(sink, -value); }
const struct operations plain_operations = {put_plain};
const struct operations negating_operations = {put_negated};

__attribute__((noinline)) int send_all(struct sink *sink, const int *values, int count) {
    for (int i = 0; i < count; ++i)
        if (!sink->operations->put(sink, values[i]))
            return i;
    return count;
}

int main(int argc, char **argv) {
    int values[100], room[90];
    long sum = 0;
    for (int i = 0; i < 100; ++i)
        values[i] = i * argc;
    for (int round = 0; round < 100; ++round) {
        struct sink sink = {argc > 1 && round % 10 == 9 ? &negating_operations : &plain_operations, room, room + 90};
        const int sent = send_all(&sink, values, round);
        for (int i = 0; i < sent; ++i)
            sum = sum * 7 + room[i];
        printf("%d %ld\n", sent, sum % 1000003);
    }
#ifdef COUNTED
    printf("%d calls\n", calls);
#endif
    return strcmp(argv[0], "") == 0;
}
