// transform: runs a function at compile time for all inputs at once, and notes which bytes it touches.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/abstract/known.h"
#include "transform/cache/bytes.h"
#include "transform/cache/footprint.h"

namespace thalweg::transform::cache {

using abstract::Known;
using abstract::pointer_bits;

// Whether the variable is here as it will be: readable from its first byte to its last.
bool has_own_size(const llvm::GlobalVariable &variable);

// What was done in any case on the way to a place.
struct Done {
    ByteSet written;
    ByteSet touched;
};
struct State {
    llvm::DenseMap<const llvm::Value *, Known> values;
    std::map<const llvm::Value *, Done> done;  // by object
    double weight = 0;  // how often one comes here, by halves where the way isn't known
};

// Abstract interpretation of all paths together: a block is evaluated when all its possible predecessors are done. A loop with a known trip count is
// evaluated iteration by iteration; in any other loop one iteration stands for all (`folded`).
class Run {
  public:
    Run(llvm::Function &function, const std::string &float_environment);
    Footprint footprint();

  private:
    // Which block, in which round of which loops: the numbers are such that what comes before is smaller.
    using Moment = std::vector<uint32_t>;
    enum class Access { read, write };

    void number_blocks();
    void run_once();
    State start() const;
    Known read(const llvm::Value &value, const State &state) const;
    void block(const Moment &moment, llvm::BasicBlock &block, State state);
    void instruction(const llvm::Instruction &instruction, State &state);
    void call(const llvm::CallBase &call, State &state);
    bool intrinsic(const llvm::IntrinsicInst &call, State &state);
    void copy(const llvm::AnyMemIntrinsic &copy, State &state);
    void load(const llvm::LoadInst &load, State &state);
    void compute(const llvm::Instruction &instruction, State &state);
    bool is_null_test(const llvm::Instruction &instruction, State &state);
    void finish(const llvm::Instruction &end, State &state);
    void leave(const Moment &moment, llvm::BasicBlock &block, State state);
    Moment moment_after(const Moment &moment, const llvm::BasicBlock &from, const llvm::BasicBlock &to) const;
    void follow(const Moment &moment, llvm::BasicBlock &from, llvm::BasicBlock &to, State state);
    void pass_phis(const llvm::BasicBlock &from, llvm::BasicBlock &to, State &state);
    void enter_folded(const llvm::Loop &loop, State &state);
    void join(State &state, const State &other);
    static void join_done(std::optional<State> &end, const State &other);

    void touch(const Known &place, const llvm::ConstantRange &size, Access access, const llvm::Instruction &where,
               State &state);
    void read_bytes(const llvm::Value &object, Bytes bytes, bool surely, State &state);
    void write_bytes(const llvm::Value &object, Bytes bytes, bool surely, State &state);
    void used_as_number(const Known &known, const llvm::Instruction &where);
    Footprint collect() const;
    Area area_of(const llvm::Value &object) const;
    ByteSet readable(const llvm::Value &object) const;
    void unknown(const std::string &why, const llvm::Instruction &where);
    bool gave_up() const { return !refused_.empty() || begin_again_; }

    llvm::Function &function_;
    const std::string &float_environment_;
    const llvm::DataLayout &layout_;
    llvm::DominatorTree dominators_;
    llvm::LoopInfo loops_;
    llvm::TargetTransformInfo costs_;
    llvm::DenseMap<const llvm::BasicBlock *, uint32_t> numbers_;
    llvm::DenseMap<const llvm::BasicBlock *, double> cost_of_;

    // Learned on the way; a loop that has no known course makes the run begin again.
    std::set<const llvm::Loop *> folded_;
    std::set<const llvm::Loop *> undecided_;  // that may be left in some round
    bool begin_again_ = false;
    std::string refused_;
    std::map<Moment, std::pair<llvm::BasicBlock *, State>> waiting_;
    std::map<const llvm::Value *, ByteSet> first_read_;
    std::map<const llvm::Value *, ByteSet> may_write_;
    std::set<unsigned> values_;
    std::set<unsigned> not_null_;
    std::optional<State> end_;  // where the function returns
    std::optional<State> any_end_;  // and where it ends otherwise
    double instructions_ = 0;
    uint64_t steps_ = 0;
};

}  // namespace thalweg::transform::cache
