// report: the artefacts as text for a terminal and as JSON for programs. Computes nothing; says what it leaves out.
#pragma once

#include <cstdint>
#include <string>

#include "model/graphs.h"
#include "model/plan.h"
#include "model/profile.h"
#include "model/profile_diff.h"
#include "report/layers.h"

namespace thalweg::report {

struct TextStyle {
    bool colour = false;
    size_t most_rows = 20;  // of each table; what is left out is counted
};

// Profile and graphs are there both, or neither: of a plan that a user declared.
struct TextData {
    const model::Profile *profile = nullptr;
    const model::Graphs *graphs = nullptr;
    const model::Plan *plan = nullptr;
    const model::Outcome *outcome = nullptr;
    const Sources *sources = nullptr;  // null: lines of layers have no text
};

std::string text_report(const TextData &data, const TextStyle &style);
std::string json_report(const TextData &data);

// System calls, their graph with its dependences, hottest sequences, large blocks. Empty where none was made.
std::string text_system_calls(const model::Profile &profile, const model::SystemCallGraph &graph,
                              const TextStyle &style);

// What `plan` says of the plan it wrote: how many applied and refused, by which reason, gain and growth.
std::string text_plan(const model::Plan &plan, const TextStyle &style);
std::string text_outcome(const model::Outcome &outcome, const TextStyle &style);
std::string json_plan(const model::Plan &plan);

// Why, where, under which guard, what happens when it fails. With an outcome: what became of it.
std::string text_decision(const model::Decision &decision, const model::DecisionOutcome *outcome,
                          const TextStyle &style);
// Of a specialised function: its source and that of its layers, line by line. Empty where no lines are told.
std::string text_layers(const model::DecisionOutcome &outcome, const Sources &sources, const TextStyle &style);
std::string json_decision(const model::Decision &decision, const model::DecisionOutcome *outcome);

std::string text_diff(const model::ProfileDiff &diff, const TextStyle &style);
std::string json_diff(const model::ProfileDiff &diff);

// The event graph, the handler graph or the system-call graph for graphviz, or as rows; the whole profile as JSON.
std::string dot_events(const model::Profile &profile, const model::EventGraph &graph);
std::string dot_handlers(const model::Profile &profile, const model::HandlerGraph &graph);
std::string csv_events(const model::Profile &profile, const model::EventGraph &graph);
std::string csv_handlers(const model::Profile &profile, const model::HandlerGraph &graph);
std::string dot_system_calls(const model::Profile &profile, const model::SystemCallGraph &graph);
std::string csv_system_calls(const model::Profile &profile, const model::SystemCallGraph &graph);
std::string json_profile(const model::Profile &profile);

}  // namespace thalweg::report
