// tests: a constant program of some hundred instructions with loops in it: each instruction has a version of its own, which is found again where
// the program jumps back to it.
// RUN: %run %s | %check %s
// FLAGS: -mllvm -inline-threshold=-100000
// PLAN: 1 specialize run_program growth=8000 : argument run_program/0 = @program
// CHECK: decision 1 applied: 7 calls unfolded
// CHECK: ; the same
#include <stdio.h>

enum { END, ADD, MULTIPLY, SWAP, JUMP_BACK };
struct instruction {
    int code;
    unsigned value;
};
struct machine {
    unsigned first, second, rounds;
};

#define FEW(n) {ADD, n}, {MULTIPLY, 2 * n + 1}, {SWAP, 0}, {ADD, 3 * n}, {MULTIPLY, 7}
#define MANY(n) FEW(n), FEW(n + 1), FEW(n + 2), FEW(n + 3), FEW(n + 4), {JUMP_BACK, 7}
const struct instruction program[] = {MANY(1),  MANY(11),        {JUMP_BACK, 40}, MANY(21),
                                      MANY(31), {JUMP_BACK, 90}, {END, 0}};

int is_done(struct machine *machine) { return machine->rounds-- == 0 || machine->first % 5 == 0; }

unsigned run_program(const struct instruction *program, unsigned value, unsigned rounds) {
    struct machine machine = {value, 1, rounds};
    unsigned steps = 0;  // known at first, but no reason for another version
    for (const struct instruction *at = program; at->code != END; ++at, ++steps)
        switch (at->code) {
        case ADD:
            machine.first += at->value;
            break;
        case MULTIPLY:
            machine.first *= at->value;
            break;
        case SWAP: {
            const unsigned first = machine.first;
            machine.first = machine.second;
            machine.second = first;
            break;
        }
        case JUMP_BACK:
            if (!is_done(&machine))
                at -= at->value;
            break;
        default:
            return 0;
        }
    return machine.first ^ machine.second ^ steps << 16;
}

int main(void) {
    for (unsigned value = 0; value < 40; ++value)
        for (unsigned rounds = 0; rounds < 12; ++rounds)
            printf("%u\n", run_program(program, value, rounds));
    return 0;
}
