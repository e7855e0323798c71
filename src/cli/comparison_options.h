// cli: the options of verbs that compare programs.
#pragma once

#include "driver/comparing.h"

namespace CLI {
class App;
}

namespace thalweg::cli {

inline constexpr int exit_outputs_differ = 5;
inline constexpr int exit_slower = 6;

// The options that say how the programs are run and what is compared; not which programs.
void declare_comparison(CLI::App &app, driver::ComparisonOptions &options);
// The words behind "--", or what is wrong with them.
Status take_arguments(driver::ComparisonOptions &options, const std::vector<std::string> &arguments);

}  // namespace thalweg::cli
