// settle: what layers save, as the code says that was made of them on trial.
#pragma once

#include "model/plan.h"

namespace thalweg::settle {

// A layer's gain and growth are at first what it may save and grow by at most, with all that its facts could decide; what it does is known when it is
// made. The growth becomes what the layer has: asked for alone it needs as much, and what the others left to it is no longer there. The gain per entry
// becomes what the outcome has counted; of the run, for all of its entries, or in the same proportion where another layer around it was made, which has
// the rest. Where nothing was counted the gain of an entry stays. `instruction_ns`: what an executed IR instruction takes.
void foretell_by_outcome(model::Plan &plan, const model::Outcome &outcome, double instruction_ns);

}  // namespace thalweg::settle
