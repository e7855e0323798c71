// cli: the verbs of this `thalweg`. A build of both wings has those of verb_table.cc, one of the waits alone those of waits_verb_table.cc.
#pragma once

#include <span>
#include <string_view>

#include "cli/verb.h"

namespace thalweg::cli {

extern const std::span<const Verb> verbs;
// What the help says below them.
extern const std::string_view below_the_verbs;

}  // namespace thalweg::cli
