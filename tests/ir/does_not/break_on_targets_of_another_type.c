// tests: targets with other arguments, results or calling conventions give a sound module; the loop stays.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_all/0 = none many returns variadic structure
#include "list.h"

struct large {
    long words[9];
};
void none(void);
double many(double, double, void *, struct large);
long returns(void *, int);
int variadic(const char *, ...);
struct large structure(struct large *, int);
const void *handlers[] = {(const void *)none, (const void *)many, (const void *)returns, (const void *)variadic,
                          (const void *)structure};

// CHECK-LABEL: define {{.*}}void @raise_all(
// CHECK: call void %
// CHECK: decision 1 applied
__attribute__((noinline)) void raise_all(const struct entry *list, long count, int argument) {
    for (long i = 0; i < count; ++i)
        list[i].function(list[i].context, argument);
}
