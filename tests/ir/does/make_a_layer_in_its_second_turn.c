// tests: while others wait for their turn a layer may look at its share of the program's points alone; afterwards at what they left.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize calculate growth=20000 : argument calculate/0 = @program
// PLAN: 2 specialize last growth=100 hash=0x1 : argument last/0 = 1
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
// CHECK: decision 1 applied: 500 calls unfolded
#include "program_of_500_steps.h"
int last(int value) { return value + 1; }
