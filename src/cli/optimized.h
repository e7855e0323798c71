// cli: the options of verbs that optimise, and what became of each decision.
#pragma once

#include <string>
#include <vector>

#include "driver/optimizing.h"

namespace CLI {
class App;
}

namespace thalweg::cli {

// The options by which a user consents; the words of one of them, read.
void declare_consent(CLI::App &app, driver::OptimizeRequest &request, std::vector<std::string> &independent);
Status read_consent(const std::vector<std::string> &independent, driver::OptimizeRequest &request);
// What became of the decisions, on stdout: as text (all: each refusal, else the first ones and how many more), or each as JSON.
void print_optimized(const driver::Optimized &optimized, bool all);
void print_optimized_json(const driver::Optimized &optimized, const driver::OptimizeRequest &request);

// "1,2,5-9"
Result<std::vector<driver::DecisionRange>> parse_decisions(const std::string &text);

}  // namespace thalweg::cli
