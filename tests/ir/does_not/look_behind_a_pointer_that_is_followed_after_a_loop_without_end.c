// tests: a loop that may go on for ever may be there to keep from reading what follows.
// RUN: %optimize %s | %check %s
// PLAN: 1 cache waits
// PLAN: 2 cache goes_on
// CHECK: decision 1 refused: {{.*}}: it uses memory of argument 1 in some cases only
// CHECK: decision 2 applied
// FLAGS: -std=c99 -fno-finite-loops
__attribute__((noinline)) int waits(unsigned start, const int *place) {
    for (unsigned at = start; at != 7; at = at * 3 + 1) {
    }
    return *place;
}
__attribute__((noinline)) int goes_on(unsigned start, const int *place) {
    unsigned sum = 0;
    for (unsigned at = 0; at != 7; at = at + 1)
        sum = sum * start + at;
    return *place + (int)sum;
}
