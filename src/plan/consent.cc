// plan: what of a plan is believed without a test.
#include "plan/consent.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg::plan {

namespace {

// As the command line has it.
std::string option_of(const std::vector<model::IndependentCalls> &independent) {
    if (independent.empty())
        return " --independent PROGRAM:VERSION:PROCEDURE,PROCEDURE...";
    std::string words;
    for (const model::IndependentCalls &one : independent)
        words += fmt::format(" --independent {:#x}:{}:{}", one.program, one.version, fmt::join(one.procedures, ","));
    return words;
}

void test_facts(model::Plan &plan, std::vector<std::string> &said) {
    size_t count = 0;
    for (model::Decision &decision : plan.decisions)
        if (auto *layer = std::get_if<model::Specialize>(&decision.work))
            for (model::Fact &fact : layer->facts)
                count += std::exchange(fact.trusted, false) ? 1 : 0;
    if (count != 0)
        said.push_back(fmt::format("{} that the plan calls trusted {} tested all the same: a plan is no user's word; "
                                   "--trusted here is",
                                   count == 1 ? "a fact" : fmt::format("{} facts", count), count == 1 ? "is" : "are"));
}

}  // namespace

std::vector<std::string> keep_to_consent(model::Plan &plan, const Consent &consent) {
    std::vector<std::string> said;
    if (!consent.trusted)
        test_facts(plan, said);
    for (model::Decision &decision : plan.decisions) {
        auto *overlap = std::get_if<model::Overlap>(&decision.work);
        if (overlap == nullptr || decision.verdict != model::Verdict::apply)
            continue;
        const std::vector<model::IndependentCalls> planned = std::exchange(overlap->independent, consent.independent);
        if (!consent.independent.empty())
            continue;
        decision.verdict = model::Verdict::refuse;
        decision.reason = fmt::format("that remote calls are independent of each other no test can tell, and a plan is "
                                      "no user's word for it; what is:{}",
                                      option_of(planned));
        said.push_back(fmt::format("decision {} is refused: {}", decision.id, decision.reason));
    }
    return said;
}

}  // namespace thalweg::plan
