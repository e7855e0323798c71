// plan: what of a plan is believed without a test. A plan is a file, and says what anybody wrote into it: its user's word is what stands on the
// command line of the command that carries the plan out.
#pragma once

#include <string>
#include <vector>

#include "model/plan.h"

namespace thalweg::plan {

struct Consent {
    bool trusted = false;  // facts that the plan calls trusted are not tested
    std::vector<model::IndependentCalls> independent;  // of remote calls, whatever the plan says
};

// What is not consented to is tested like everything else, or refused where no test can tell it. Gives a sentence for each of the two, with the
// option that would be the consent; none: nothing was taken out.
std::vector<std::string> keep_to_consent(model::Plan &plan, const Consent &consent);

}  // namespace thalweg::plan
