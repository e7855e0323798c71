// tests: a layer whose facts come to nothing is not made without them when that decides one call and costs hundreds of instructions.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize run growth=4000 : load unrelated/0:4 = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
// CHECK: decision 1 refused: without facts it would have {{[0-9]+}} instructions, and decide 0 branches and 1 calls only
#define STEP(i) value = (value ^ words[i]) * 31 + (value >> (i));
#define EIGHT(i) STEP(i) STEP(i + 1) STEP(i + 2) STEP(i + 3) STEP(i + 4) STEP(i + 5) STEP(i + 6) STEP(i + 7)

static unsigned work(unsigned value, const unsigned *words) {
    EIGHT(0) EIGHT(8) EIGHT(16) EIGHT(1) EIGHT(9) EIGHT(17) EIGHT(2) EIGHT(10) return value;
}
static unsigned none(unsigned value, const unsigned *words) { return value + words[0]; }

unsigned (*const table[2])(unsigned, const unsigned *) = {work, none};
void choose(int *which) { *which = 0; }

unsigned run(const unsigned *words, unsigned value) {
    int which = 1;
    choose(&which);
    return table[which](value, words);
}
int unrelated(const int *value) { return *value == 5 ? 1 : *value * 3; }
