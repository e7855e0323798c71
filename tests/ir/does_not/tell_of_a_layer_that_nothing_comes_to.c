// tests: a layer whose every caller has taken it in is not in the program in the end, and so is not applied.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize outer : memory outer/0:4 0 = 1
// PLAN: 2 specialize inner : load inner/0:4 = 1
// PLAN: 3 specialize shared : load shared/0:4 = 1
// CHECK: ; decision 1 applied: 2 calls unfolded
// CHECK: ; decision 2 refused: nothing in the program comes to inner any more: what calls it has taken it in
// CHECK: ; decision 3 applied
struct way {
    int mode;
};
long other(long value);
static long inner(const struct way *way, long value) {
    if (way->mode == 1)
        return value + 1;
    return other(value) * 3;
}
static long shared(const struct way *way, long value) {
    if (way->mode == 1)
        return value + 2;
    return other(value) * 5;
}
long outer(const struct way *way, long value) { return inner(way, value) + shared(way, value); }
long (*const kept)(const struct way *, long) = shared;
