// tests: the control word of a unit in which nothing is computed: the program has no 80-bit number, so what is known of operands is used.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize scaled : argument scaled/0 = 1
// CHECK: ; decision 1 applied
void set(unsigned short word) { __asm__ volatile("fldcw %0" : : "m"(word)); }
void tell(double value);
void say(double value);
void scaled(long way, double value) {
    if (way == 1)
        tell(value / 3);
    else
        say(value * way);
}
