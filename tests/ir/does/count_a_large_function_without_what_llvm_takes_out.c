// tests: whether a large specialised function is too large is asked when its layers' locals have become values: a constant program of 500
// steps on a machine in memory is 500 steps.
// RUN: %optimize %s | %check %s
// FLAGS: -mllvm -inline-threshold=-100000
// PLAN: 1 specialize calculate growth=1500 : argument calculate/0 = @program
// CHECK: decision 1 applied: 500 calls unfolded
#include "program_of_500_steps.h"
