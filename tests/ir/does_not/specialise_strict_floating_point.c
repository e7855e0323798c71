// tests: a function that says itself that the rounding mode may be any computes as it is written, in any program.
// FLAGS: -frounding-math
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize scaled : argument scaled/0 = 1
// CHECK: ; decision 1 refused: given up: it is compiled so that its floating-point operations round as the program says
double scaled(long way, double value) {
    if (way == 1)
        return value / 3;
    return value * way;
}
