// transform: the handlers of a straight line become part of it: the specialiser evaluates the line with what is known there.
#pragma once

#include <map>
#include <string>

#include "llvm/IR/PassManager.h"

#include "transform/event/guard.h"
#include "transform/specializer/engine.h"

namespace thalweg::transform {

// What a call in the line is unfolded as; null: it stays a call.
using BodyOfCall = specializer::Environment::Bodies;

struct Merged {
    std::string why_not;  // empty: the line is what is left of it
    std::map<std::string, std::string> left;  // functions that are still called, and why
};

// Evaluates the line from its entry to its stops, and puts what is left of it in its place. What leaves it is evaluated without
// unfolding: it never comes back. Marked guards keep their marks.
Merged merge_handlers(FrontedLine &line, llvm::FunctionAnalysisManager &analyses, BodyOfCall body);

}  // namespace thalweg::transform
