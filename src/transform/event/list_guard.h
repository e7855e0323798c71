// transform: the tests of a list's line: each slot holds what was recorded, and the list ends where it ended.
#pragma once

#include <vector>

#include "transform/event/guard.h"
#include "transform/event/leave.h"
#include "transform/event/round.h"

namespace thalweg::transform {

// Whether the call's first argument may be a handler's context.
bool has_context(const llvm::CallBase &call);

// As many iterations as were recorded. Where a loop tests before it calls, the line has one iteration more, which ends at the test.
void test_length(const StraightLine &line, const llvm::Loop &loop, const EndTest &end, Leaves &leaves,
                 std::vector<Guard> &guards);

// An iteration that turns off the way by which it came to its recorded calls leaves.
void test_turnings(const Iteration &copy, const llvm::Loop &loop, llvm::ArrayRef<Turning> turnings, Leaves &leaves,
                   std::vector<Guard> &guards);

// What the loop itself asks of a slot before it calls, whether a function object is empty, becomes whether the slot holds what
// the program always writes beside the recorded function: slots can then be compared as a whole. Before test_target.
void test_beside(const Iteration &copy, const llvm::Loop &loop, const llvm::CallBase &original,
                 const llvm::Function &function, Leaves &leaves, std::vector<Guard> &guards);

// The copy of the loop's call `original` is only made where it calls the recorded target with the recorded context.
void test_target(const Iteration &copy, llvm::CallBase &original, const PathTarget &target, Leaves &leaves,
                 std::vector<Guard> &guards);

}  // namespace thalweg::transform
