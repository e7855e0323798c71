// tests: where nobody changes how floating point rounds, what is known of operands is used.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize scaled : argument scaled/0 = 1
// CHECK: ; decision 1 applied
#include <fenv.h>
int get(void) { return fegetround(); }
void tell(double value);
void say(double value);
void scaled(long way, double value) {
    if (way == 1)
        tell(value / 3);
    else
        say(value * way);
}
