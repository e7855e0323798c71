// tests: a layer comes to its end in its second turn, when the one inside of it is made: without counts nobody knows which is better, and what is made
// stays. A function has one body.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize calculate growth=20000 : argument calculate/0 = @program
// PLAN: 2 specialize run_step parent=1 growth=200 : load run_step/0:4 = 1
// PLAN: 3 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 4 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 5 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 6 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 7 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 8 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 9 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 10 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 11 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 12 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 13 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 14 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 15 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 16 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 17 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 18 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 19 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 20 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 21 specialize last growth=100 hash=0x1 : argument last/0 = 1
// PLAN: 22 specialize last growth=100 hash=0x1 : argument last/0 = 1
// CHECK: decision 1 refused: its layers are made by themselves; nothing was counted that would tell what is better
// CHECK: decision 2 applied
static int one(int value) { return value + 1; }
static int two(int value) { return value * 3; }
int (*const steps[2])(int) = {one, two};
int mode;
#define EACH_STEP machine->other = steps[mode](machine->other);
#include "program_of_500_steps.h"
int last(int value) { return value + 1; }
