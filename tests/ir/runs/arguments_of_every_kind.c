// tests: structures by value, large results, variable arguments, wide numbers, arrays on the stack, long jumps: all as before.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_large/0 = doubles adds
// PLAN: 2 merge raise_variable/0 = sums sums
// PLAN: 3 merge raise_wide/0 = wide wide
// PLAN: 4 merge raise_jumping/0 = plain jumps plain
// PLAN: 5 merge raise_stack/0 = stack stack stack
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
// CHECK: decision 5 applied
// CHECK: ; the same
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "show.h"

struct large {
    long words[9];
};
static struct large doubles(struct large value, char mark) {
    for (int i = 0; i < 9; ++i)
        value.words[i] = 2 * value.words[i] + mark;
    return value;
}
static struct large adds(struct large value, char mark) {
    for (int i = 0; i < 9; ++i)
        value.words[i] += i + mark;
    return value;
}
__attribute__((noinline)) struct large raise_large(struct large (*const *list)(struct large, char), long count,
                                                   struct large value) {
    for (long i = 0; i < count; ++i)
        value = list[i](value, (char)i);
    return value;
}
static long sums(int count, ...) {
    va_list list;
    va_start(list, count);
    long sum = 0;
    for (int i = 0; i < count; ++i)
        sum = 3 * sum + va_arg(list, long);
    va_end(list);
    return sum;
}
__attribute__((noinline)) long raise_variable(long (*const *list)(int, ...), long count) {
    long sum = 0;
    for (long i = 0; i < count; ++i)
        sum ^= list[i](3, i, sum, 7L);
    return sum;
}
static long double wide(__int128 one, long double other, _Bool yes) {
    return yes ? (long double)(one / 3) + other : other;
}
__attribute__((noinline)) long raise_wide(long double (*const *list)(__int128, long double, _Bool), long count) {
    long double value = 1;
    for (long i = 0; i < count; ++i)
        value = list[i]((__int128)i << 40, value, i % 2);
    return (long)value;
}
static jmp_buf back;
static int how;
static void plain(int argument) { show("plain", argument); }
static void jumps(int argument) {
    show("jumps", argument);
    if (how)
        longjmp(back, argument + 1);
}
__attribute__((noinline)) void raise_jumping(void (*const *list)(int), long count) {
    for (long i = 0; i < count; ++i)
        list[i]((int)i);
}
// Too much for the stack if it were not given back after each handler.
static long stack(long size) {
    char *bytes = alloca((unsigned long)size);
    memset(bytes, (int)size, (unsigned long)size);
    return bytes[size / 2];
}
__attribute__((noinline)) long raise_stack(long (*const *list)(long), long count) {
    long sum = 0;
    for (long i = 0; i < count; ++i)
        sum += list[i](200000 + i);
    return sum;
}

int main(void) {
    struct large (*large_list[])(struct large, char) = {doubles, adds, doubles};
    long (*variable_list[])(int, ...) = {sums, sums, sums};
    long double (*wide_list[])(__int128, long double, _Bool) = {wide, wide, wide};
    void (*jumping_list[])(int) = {plain, jumps, plain, plain};
    long (*stack_list[])(long) = {stack, stack, stack, stack};
    for (long count = 0; count <= 3; ++count) {
        struct large value = {{1, 2, 3, 4, 5, 6, 7, 8, 9}};
        value = raise_large(large_list, count, value);
        for (int i = 0; i < 9; ++i)
            show("large", value.words[i]);
        show("variable", raise_variable(variable_list, count));
        show("wide", raise_wide(wide_list, count));
        for (how = 0; how < 2; ++how) {
            const int came = setjmp(back);
            if (came == 0)
                raise_jumping(jumping_list, count);
            else
                show("came back", came);
        }
        for (int i = 0; i < 100; ++i)
            show("stack", raise_stack(stack_list, count + i % 2));
    }
}
