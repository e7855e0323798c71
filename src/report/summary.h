// report: what came of a program in a few lines, for `thalweg auto`. Computes nothing.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/plan.h"
#include "model/profile.h"
#include "model/verdict.h"
#include "report/text.h"

namespace thalweg::report {

// Decisions of one kind of crossing, measured together in the user's own run.
struct MeasuredPart {
    std::string what;  // "system calls"
    size_t decisions = 0;
    bool kept = true;
    model::Estimate ratio;  // time of the program with these ÷ without these
    std::string metric;     // of which time
};

struct SummaryData {
    const model::Profile *profile = nullptr;
    const model::Plan *plan = nullptr;
    const model::Outcome *outcome = nullptr;
    const model::Comparison *comparison = nullptr;  // null: nothing was applied, nothing compared
    std::vector<MeasuredPart> parts;
    std::string explain;  // the command that tells of all decisions
    std::vector<std::pair<std::string, std::string>> files;  // ("report", "a.html"): what was written
};

// More lines than this are for `explain` and the report.
inline constexpr size_t most_summary_lines = 15;

// "0.5321: 1,234 of 2,319": of instructions that were counted.
std::string instruction_words(const model::Measurement &measurement);
std::string text_summary(const SummaryData &data, const TextStyle &style);
std::string json_summary(const SummaryData &data);

}  // namespace thalweg::report
