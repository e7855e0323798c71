// transform: the functions that the specialiser unfolds, their values by number and where these are still needed, and the
// chains of calls that tell one unfolding of a function from another ("context sensitivity", tempo-sunrpc section 3.3).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace thalweg::transform::specializer {

// What is asked again and again of one function. The function must not change while this lives.
class FunctionInfo {
  public:
    explicit FunctionInfo(llvm::Function &function);

    llvm::Function &function() const { return function_; }
    unsigned number_of(const llvm::Value *value) const { return numbers_.lookup(value); }
    const llvm::Value *value_of(unsigned number) const { return values_[number]; }
    // Values that are read at `start` or later, by number.
    const llvm::BitVector &live_at(const llvm::Instruction *start);
    // Why it can't be evaluated at all; empty: it can.
    const std::string &obstacle() const { return obstacle_; }
    // Why it may be a root, and not be unfolded into another function; empty: it may.
    const std::string &unfold_obstacle() const { return unfold_obstacle_; }
    // The same where it, or what calls it, is kept out of line by its author.
    const std::string &out_of_line_obstacle() const { return out_of_line_obstacle_; }
    unsigned size() const { return size_; }
    const llvm::LoopInfo &loops();

  private:
    std::vector<const llvm::BasicBlock *> blocks_in_order();
    void number_values();
    void find_live_ins();
    llvm::BitVector live_out_of(const llvm::BasicBlock *block) const;
    void step_back(const llvm::Instruction &instruction, llvm::BitVector &live) const;

    llvm::Function &function_;
    llvm::DenseMap<const llvm::Value *, unsigned> numbers_;
    std::vector<const llvm::Value *> values_;
    llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> live_in_;  // at the first instruction that is no phi
    std::unordered_map<const llvm::Instruction *, llvm::BitVector>
        live_at_;  // looked up only; what is in it stays where it is
    std::string obstacle_;
    std::string unfold_obstacle_;
    std::string out_of_line_obstacle_;
    std::unique_ptr<llvm::LoopInfo> loops_;  // made when it is asked for
    unsigned size_ = 0;
};

// Why a function can't be unfolded into another; empty: it can.
std::string why_not_unfolded(const llvm::Function &function);

// One unfolding of a function: the root's, or the one that a call in another unfolding leads to.
struct Context {
    unsigned id = 0;
    const Context *caller = nullptr;
    llvm::CallBase *call = nullptr;  // in the caller's function
    FunctionInfo *info = nullptr;
    unsigned depth = 0;
    std::vector<unsigned> position;  // the numbers of the calls that lead here, the root's first
};

class Contexts {
  public:
    FunctionInfo &info(llvm::Function &function);
    const Context *root(llvm::Function &function);
    const Context *callee(const Context *caller, llvm::CallBase *call, llvm::Function &function);
    const Context &by_id(unsigned id) const { return *in_order_[id]; }
    // How often the function is already being unfolded around this place.
    static unsigned recursion(const Context *context, const llvm::Function &function);

  private:
    std::map<llvm::Function *, std::unique_ptr<FunctionInfo>> infos_;  // looked up only, never walked
    std::map<std::tuple<const Context *, llvm::CallBase *, llvm::Function *>, std::unique_ptr<Context>> contexts_;
    std::vector<const Context *> in_order_;
};

}  // namespace thalweg::transform::specializer
