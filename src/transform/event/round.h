// transform: which of a loop's calls through pointers one iteration makes, and where another would turn off.
#pragma once

#include <optional>
#include <vector>

#include "transform/ir/hot_path.h"

namespace llvm {
class CallBase;
class Loop;
}  // namespace llvm

namespace thalweg::transform {

// Of one iteration: numbers of the loop's calls, in the order in which they are made.
using Round = std::vector<unsigned>;

// A dispatch's calls, by their numbers, as iterations: one is over when a call comes that this iteration can't come to any more. Several short
// iterations may so be taken for one; its tests fail then.
std::vector<Round> rounds_of(const llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls,
                             llvm::ArrayRef<unsigned> numbers);

// Where an iteration of this kind goes on to its next call, or past calls that it does not make, and another one turns off.
struct Turning {
    llvm::BasicBlock *block;
    unsigned successor;
};
std::vector<Turning> turnings(const llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls, const Round &round);

// Where each iteration of a list's loop asks whether it is the last.
struct EndTest {
    llvm::BasicBlock *block;  // ends in a branch, one way of which goes out of the loop
    bool before_calls;  // then one more iteration than calls is begun
};
// Nothing: no such test is made in each iteration. Of several, the one at the bottom, the one at the top, or else the first.
std::optional<EndTest> end_test(const llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls);

// The loop's blocks by which an iteration comes to `call`, its own among them.
BlockSet ways_to(const llvm::Loop &loop, const llvm::CallBase &call);

}  // namespace thalweg::transform
