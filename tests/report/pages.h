// tests: programs' artefacts, made up, whose reports the browser test opens.
#pragma once

#include <optional>

#include "model/plan.h"
#include "model/profile.h"
#include "model/verdict.h"
#include "report/layers.h"

namespace thalweg::tests {

struct Artefacts {
    model::Profile profile;
    std::optional<model::Plan> plan;
    std::optional<model::Outcome> outcome;
    std::optional<model::Comparison> comparison;
    report::Sources sources;
};

// A video player over a transport protocol: 18 events, raises nested, some asynchronous and timed.
Artefacts video();

}  // namespace thalweg::tests
