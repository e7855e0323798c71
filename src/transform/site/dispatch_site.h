// transform: finds the dispatch sites of a module, the loops that call through pointers (DESIGN section 5).
#pragma once

#include <vector>

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include "model/site.h"

namespace llvm {
class BranchInst;
class DILocation;
class DominatorTree;
class Loop;
class LoopInfo;
}  // namespace llvm

namespace thalweg::transform {

// A site stays findable while code around it changes: its calls carry their number as metadata, clones included.
struct DispatchSite {
    uint32_t number = 0;  // index in module order
    llvm::Function *function = nullptr;
    model::Site key;
    uint32_t call_count = 0;  // indirect calls in one iteration
    std::string inlined = {};  // whose code the loop is, by linker name, where it was inlined
};

// What a raise of our runtime shows of itself: the exit that asks the runtime for the next handler.
struct EventLoop {
    llvm::Value *core = nullptr;          // the event, as the loop sees it; null: not a raise of ours
    llvm::BasicBlock *changed = nullptr;  // the exit taken when bindings changed
};

// Numbers every dispatch site of the module and marks its calls. The same module gives the same numbers.
std::vector<DispatchSite> find_dispatch_sites(llvm::Module &module);

// Whether the loop calls through pointers and is a user's list or a raise, not the runtime's own bookkeeping.
bool is_dispatch_loop(const llvm::Loop &loop, const llvm::LoopInfo &loops);

// The calls through pointers that belong to the loop itself and not to a loop inside it, in block order.
std::vector<llvm::CallBase *> dispatch_calls(const llvm::Loop &loop, const llvm::LoopInfo &loops);

// Those of them that are marked as this site's, by ordinal, whatever else has come into the loop since. Empty: it is not this site's loop.
std::vector<llvm::CallBase *> calls_of_site(const llvm::Loop &loop, const llvm::LoopInfo &loops, uint32_t site);

// The runtime's functions: its C interface and all in its namespace.
bool is_runtime_function(llvm::StringRef name);

// The site number of a call, or no_site.
inline constexpr uint32_t no_site = UINT32_MAX;
uint32_t site_of(const llvm::Instruction &call);
// `ordinal`: which of the site's calls it is.
void set_site(llvm::Instruction &call, uint32_t number, uint32_t ordinal);
uint32_t ordinal_in_site(const llvm::Instruction &call);
void forget_site(llvm::Instruction &call);

EventLoop event_loop(const llvm::Loop &loop);

// The test by which a raise goes on to the next handler: the one exiting branch that is not about changed bindings. Null if there is not
// just one.
llvm::BranchInst *continue_branch(const llvm::Loop &loop, const llvm::BasicBlock *changed);

// Simplified form and LCSSA, which copying needs and which work on a neighbour may have undone. False: it can't be had.
bool bring_into_form(llvm::Loop &loop, llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

// The innermost place that the program's author wrote; null without debug info.
const llvm::DILocation *line_of(const llvm::Instruction &instruction);
// Whose code that is, by linker name, where it was inlined; empty: the function's own, or not known.
std::string inlined_at(const llvm::Instruction &instruction);
model::SourcePlace place_of(const llvm::Instruction &instruction);

}  // namespace thalweg::transform
