// tests: what is too large even when LLVM has taken out what it can stays as it was.
// RUN: %optimize %s | %check %s
// FLAGS: -mllvm -inline-threshold=-100000
// PLAN: 1 specialize calculate growth=1500 : argument calculate/0 = @program
// CHECK: decision 1 refused: given up: it would have {{[0-9]+}} instructions, at most 1500 are allowed
#define EACH_STEP look(machine);
struct machine;
void look(struct machine *machine);
#include "program_of_500_steps.h"
