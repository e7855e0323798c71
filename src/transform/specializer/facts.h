// transform: a decision's facts as the specialiser asks for them: by argument, by load, by what lies behind a pointer.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

#include "base/result.h"
#include "model/plan.h"
#include "transform/site/recorded_body.h"
#include "transform/specializer/value.h"

namespace thalweg::transform::specializer {

struct ExpectedValue {
    std::vector<llvm::Constant *> values;  // any of them, the most frequent first; of the type of what is compared
    bool trusted = false;                  // not tested: the user's word
};

// A fact about memory behind a pointer: `path` is what is left to go from the object.
struct MemoryFact {
    std::vector<int64_t> path;
    const model::Fact *fact = nullptr;
};

class Facts {
  public:
    // More values than this are slower to tell apart than the generic code is likely to be; the recorder keeps half as many.
    static constexpr size_t all_values = 8;

    // Numbers that by themselves decide nothing but rounds, and may be others with the next input. What is small is more often a setting.
    enum class Doubtful { none, small, all };
    struct Choice {
        size_t most_values = all_values;  // of a fact; what has more is left out silently
        Doubtful doubtful = Doubtful::all;
    };

    // Facts that don't fit this module are left out, and told of in `misfits`; what was recorded of large numbers that only tell how often loops run is
    // counted.
    Facts(const model::Decision &decision, llvm::Function &root, Choice choice, const RecordedBodies &bodies);

    const std::map<unsigned, ExpectedValue> &arguments() const { return arguments_; }
    // `call`: what led to the load's function; null: nothing, it is the root.
    const ExpectedValue *of_load(const llvm::Instruction *load, const llvm::CallBase *call) const;
    const ExpectedValue *of_result(const llvm::Instruction *call) const;
    // Whether a load or a call of this function is expected to give a value, whoever calls it.
    bool speak_of(const llvm::Function &function) const { return loading_.contains(&function); }
    const std::vector<MemoryFact> &behind_argument(unsigned argument) const;
    // The expected value of a load of type `type` at `offset`, if a fact's path ends there; empty: none.
    ExpectedValue of_cell(const std::vector<MemoryFact> &facts, int64_t offset, llvm::Type *type) const;
    // The facts of what a pointer loaded at `offset` leads to.
    static std::vector<MemoryFact> behind(const std::vector<MemoryFact> &facts, int64_t offset);
    const std::vector<std::string> &misfits() const { return misfits_; }
    size_t numbers_of_rounds() const { return numbers_of_rounds_; }
    // Of the numbers that are doubtful, those that are among these facts.
    size_t doubtful() const { return doubtful_; }
    // Of one fact.
    size_t most_values() const { return values_; }
    size_t size() const { return arguments_.size() + loads_.size() + results_.size() + memory_facts_; }

  private:
    ExpectedValue resolve(const model::Fact &fact, llvm::Type *type) const;
    std::string add(const model::Fact &fact, llvm::Function &root);
    bool is_left_out(const ExpectedValue &expected, const llvm::Value &value, llvm::Function &function);
    std::string add_load(const model::Fact &fact, llvm::Function &function);
    std::string add_result(const model::Fact &fact, llvm::Function &function);
    Result<llvm::CallBase *> call_of(const model::FactCall &place, const llvm::Function &callee) const;

    llvm::Module &module_;
    const RecordedBodies &bodies_;
    const bool are_recorded_;
    const Choice choice_;
    std::map<const llvm::Function *, llvm::LoopInfo> loops_;  // looked up only
    std::map<unsigned, ExpectedValue> arguments_;
    // By the call that led there; null: whichever it was.
    llvm::DenseMap<std::pair<const llvm::Instruction *, const llvm::CallBase *>, ExpectedValue> loads_;
    llvm::DenseMap<const llvm::Instruction *, ExpectedValue> results_;
    llvm::SmallPtrSet<const llvm::Function *, 8> loading_;
    std::map<unsigned, std::vector<MemoryFact>> behind_arguments_;
    size_t memory_facts_ = 0;
    size_t values_ = 0;
    size_t numbers_of_rounds_ = 0;
    size_t doubtful_ = 0;
    std::vector<std::string> misfits_;
};

}  // namespace thalweg::transform::specializer
