// settle: a plan that nobody has read yet, after all that it asks for was tried.
#pragma once

#include "model/plan.h"

namespace thalweg::settle {

// What the code does not allow is refused in the plan, in the optimiser's words.
void refuse_what_does_not_fit(model::Plan &plan, const model::Outcome &outcome);

// What could not be made is refused; what was made is foretold as it came out, and what then saves too little is refused too.
// `instruction_ns`: what an executed IR instruction takes.
void settle(model::Plan &plan, const model::Outcome &tried, double instruction_ns);

// Whether something was made that the settled plan refuses.
bool made_in_vain(const model::Plan &settled, const model::Outcome &tried);

}  // namespace thalweg::settle
