// tests: a constant program for a machine whose registers are in memory.
#pragma once

#ifndef EACH_STEP
#define EACH_STEP
#endif

struct step {
    int code, value;
};
struct machine {
    int value, other;
};

#define TEN_STEPS {1, 3}, {2, 5}, {1, 7}, {1, 9}, {2, 11}, {1, 13}, {2, 17}, {1, 19}, {2, 23}, {1, 29},
#define HUNDRED_STEPS                                                                                                  \
    TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS TEN_STEPS
#define FIVE_HUNDRED_STEPS HUNDRED_STEPS HUNDRED_STEPS HUNDRED_STEPS HUNDRED_STEPS HUNDRED_STEPS
const struct step program[] = {FIVE_HUNDRED_STEPS{0, 0}};

static inline int scaled(const struct machine *machine, int value) { return machine->other ^ value; }

void run_step(struct machine *machine, const struct step *step) {
    EACH_STEP
    if (step->code == 1)
        machine->value += scaled(machine, step->value);
    else
        machine->other = machine->value - step->value;
    EACH_STEP
}

__attribute__((noinline)) int calculate(const struct step *program, int value) {
    struct machine machine = {value, 1};
    for (; program->code != 0; ++program)
        run_step(&machine, program);
    return machine.value + machine.other;
}

int run(int value) { return calculate(program, value); }
