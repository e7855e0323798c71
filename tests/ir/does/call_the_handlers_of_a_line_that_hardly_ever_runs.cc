// tests: the middle event's own line calls what the outer event's line takes in with all of its raises.
// RUN: %optimize %s | %check %s
// PLAN: 1 merge raise_outer/0 = *plain*on_outer*
// PLAN: 2 subsume *plain*on_outer*/0 in 1.0 = *plain*on_middle*
// PLAN: 3 subsume *plain*on_middle*/0 in 2.0 = *plain*on_last*
// PLAN: 4 merge *plain*on_outer*/0 weight=1000 = *plain*on_middle*
// PLAN: 5 subsume *plain*on_middle*/0 in 4.0 weight=1000 = *plain*on_last*
// PLAN: 6 merge *plain*on_middle*/0 weight=1000 = *plain*on_last*
#include "chain_of_events.h"
void use() {
    bind_all();
    raise_outer(1);
}
// CHECK: decision 3 applied: taken into the super-handler of decision 2
// CHECK: decision 4 applied
// CHECK: decision 5 refused: nearly all raises
// CHECK: decision 6 applied
