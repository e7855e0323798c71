// tests: a list inside a list, both with lines; handlers that raise the other list, and loops that end in a switch.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_matrix/0 = ends ends
// PLAN: 2 merge raise_matrix/1 = first second
// PLAN: 3 merge raise_switch/0 = steps steps
// CHECK: decision 1
// CHECK: ; the same
#include "list.h"
#include "show.h"

static void first(void *context, int argument) { show("first", *(int *)context += argument); }
static void second(void *context, int argument) { show("second", *(int *)context -= argument); }
static void ends(void *context, int argument) { show("row ends", argument + (context != 0)); }
static int steps(int argument) {
    show("steps", argument);
    return argument % 5;
}

struct row {
    struct entry *entries;
    long count;
    struct entry end;
};
__attribute__((noinline)) void raise_matrix(const struct row *rows, long count) {
    for (long r = 0; r < count; ++r) {
        for (long i = 0; i < rows[r].count; ++i)
            rows[r].entries[i].function(rows[r].entries[i].context, (int)(10 * r + i));
        rows[r].end.function(rows[r].end.context, (int)r);
    }
}
__attribute__((noinline)) int raise_switch(int (*const *list)(int), int argument) {
    for (int sum = 0;; ++list) {
        if (!*list)
            return sum;
        switch ((*list)(argument + sum)) {
        case 0:
            sum += 3;
            break;
        case 1:
            return -sum;
        case 2:
            continue;
        default:
            sum += 1;
        }
    }
}

int main(void) {
    int values[3] = {0};
    struct entry entries[4] = {{first, &values[0]}, {second, &values[1]}, {first, &values[2]}, {second, 0}};
    for (long counts = 0; counts < 64; ++counts) {
        struct row rows[3];
        for (int r = 0; r < 3; ++r) {
            const long count = counts >> (2 * r) & 3;
            rows[r] =
                (struct row){entries + r % 2, r % 2 && count > 2 ? 2 : count, {r == 1 ? first : ends, &values[r]}};
        }
        raise_matrix(rows, counts % 4);
    }
    int (*list[])(int) = {steps, steps, steps, 0};
    for (int i = 0; i < 20; ++i)
        for (int from = 0; from < 4; ++from)
            show("switch", raise_switch(list + from, i));
}
