// tests: where one loop after the other has states of data, the layer is given up, and the outcome says why.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize count growth=20000 : load count/0:4 = 1
// CHECK: decision 1 refused: given up: it is steered by data, as a state machine is: of {{[0-9]+}} points that were looked at {{[0-9]+}} are decided, one in 32 must be
#include "states_of_data.h"

int count(const unsigned char *text) {
    const int which = mode;
    READ(text, 77)
    READ(text, 78)
    READ(text, 79)
    READ(text, 80)
    READ(text, 81)
    READ(text, 82)
    READ(text, 83)
    READ(text, 84)
    return steps[which](hits[0]);
}
