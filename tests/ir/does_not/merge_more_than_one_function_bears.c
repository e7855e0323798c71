// tests: where the line would become larger than LLVM bears, its handlers are called directly, and the outcome says so.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
#include "list.h"

extern volatile int place;
#define FOUR(x) x x x x
#define MANY(x)                                                                                                        \
    FOUR(FOUR(FOUR(FOUR(FOUR(x))))) FOUR(FOUR(FOUR(FOUR(x)))) FOUR(FOUR(FOUR(FOUR(x)))) FOUR(FOUR(FOUR(FOUR(x))))
#define HANDLER(name)                                                                                                  \
    static void name(void *context, int argument) { MANY(place = argument;) }
HANDLER(first)
HANDLER(second)
HANDLER(third)
HANDLER(fourth)
HANDLER(fifth)
HANDLER(sixth)
HANDLER(seventh)
HANDLER(eighth)
HANDLER(ninth)
HANDLER(tenth)
HANDLER(eleventh)
HANDLER(twelfth)
struct entry table[] = {{first, 0},   {second, 0}, {third, 0}, {fourth, 0}, {fifth, 0},    {sixth, 0},
                        {seventh, 0}, {eighth, 0}, {ninth, 0}, {tenth, 0},  {eleventh, 0}, {twelfth, 0}};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void @first(
// CHECK: call void @twelfth(
// CHECK: {{^}}}
// CHECK: decision 1 applied: 12 targets called directly in raise_all; not merged: it would have {{[0-9]+}} instructions, at most 20000 are allowed
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
