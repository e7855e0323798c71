// tests: loops that count down, stop at a null, stop when a handler says so, carry sums: results and rests are the same.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_down/0 = first second
// PLAN: 2 merge raise_until_null/0 = first second
// PLAN: 3 merge raise_until_true/0 = asks answers
// PLAN: 4 merge raise_sum/0 = asks answers asks
// PLAN: 5 merge raise_some/0 = first second
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 4 applied
// CHECK: ; the same
#include "list.h"
#include "show.h"

static void first(void *context, int argument) { show("first", *(int *)context += argument); }
static void second(void *context, int argument) { show("second", *(int *)context ^= argument); }
static int asks(int argument) { return argument & 1; }
static int answers(int argument) { return argument & 2; }

__attribute__((noinline)) void raise_down(const struct entry *list, long count, int argument) {
    while (count-- > 0)
        list[count].function(list[count].context, argument);
}
__attribute__((noinline)) long raise_until_null(const struct entry *list, int argument) {
    const struct entry *at = list;
    for (; at->function; ++at)
        at->function(at->context, argument);
    return at - list;
}
__attribute__((noinline)) long raise_until_true(int (*const *list)(int), long count, int argument) {
    for (long i = 0; i < count; ++i)
        if (list[i](argument))
            return i;
    return -1;
}
__attribute__((noinline)) long raise_sum(int (*const *list)(int), long count, int argument) {
    long sum = 0, product = 1;
    for (long i = 0; i < count; ++i) {
        const int value = list[i](argument + (int)i);
        sum += value;
        product *= value + 3;
    }
    return 100 * sum + product;
}
// Entries without a function are passed over.
__attribute__((noinline)) void raise_some(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        if (list[i].function)
            list[i].function(list[i].context, argument);
}

int main(void) {
    void (*functions[])(void *, int) = {first, second, 0};
    int (*questions[])(int) = {asks, answers};
    int values[4] = {0};
    for (int which = 0; which < 81; ++which) {
        struct entry list[5] = {{0}};
        int (*asked[4])(int);
        for (int i = 0, rest = which; i < 4; ++i, rest /= 3) {
            list[i] = (struct entry){functions[rest % 3], &values[i]};
            asked[i] = questions[rest % 3 % 2];
        }
        show("until null", raise_until_null(list, which));
        for (long length = 0; length <= 4; ++length) {
            show("until true", raise_until_true(asked, length, which % 4));
            show("sum", raise_sum(asked, length, which));
            raise_some(list, length, which);
            if (raise_until_null(list, 1) >= length)
                raise_down(list, length, which);
        }
    }
}
