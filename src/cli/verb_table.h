// cli: the verbs of this `thalweg`. A build of both wings has those of verb_table.cc, one of the waits alone those of waits_verb_table.cc.
#pragma once

#include <span>
#include <string_view>

#include "cli/verb.h"
#include "cli/verbs.h"

namespace thalweg::cli {

// In both tables.
inline constexpr Verb tame_verb{"tame", "translate Tame source (.T, .tcc, .tt) into C++20", run_tame};

extern const std::span<const Verb> verbs;
// What the help says below them.
extern const std::string_view below_the_verbs;

}  // namespace thalweg::cli
