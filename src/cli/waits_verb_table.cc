// cli: the verbs of a build of the waits alone (cmake --preset waits).
#include "cli/verb_table.h"

#include <array>

namespace thalweg::cli {

namespace {

constexpr std::array rows = {
    tame_verb,
};

}  // namespace

constinit const std::span<const Verb> verbs = rows;
constinit const std::string_view below_the_verbs =
    "\nThis is the translator alone: the optimiser's verbs were not built.\n"
    "Exit codes: 0 done; 2 wrong usage; 4 what would change its meaning was refused; 7 the machine (a file, room); "
    "70 our bug.\n";

}  // namespace thalweg::cli
