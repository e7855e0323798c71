// transform: what the specialiser did with each line of the source, and where a value became dynamic and why. It decides nothing.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "model/plan.h"
#include "transform/specializer/state.h"

namespace thalweg::transform::specializer {

enum class Done { evaluated, residual, tested, trusted };

enum class Why {
    argument,  // of the root: no fact speaks of it
    unknown_content,  // of a cell of memory
    unknown_place,  // in an object that is known
    unknown_address,
    not_to_be_kept,  // volatile or atomic
    call_stays,
    number_of_address,
    compared_addresses,
    size_of_stack,
    joined,  // a value that was known on each way, and not the same
    all_meet,  // a bound is reached
};

struct Reason {
    Why why = Why::argument;
    const llvm::Instruction *at = nullptr;  // null: where the root is entered
    const llvm::Value *what =
        nullptr;  // the argument, the function that is called, the value that is joined, what overwrote a cell
    CellPlace cell;
    uint64_t width = 0;
    std::string obstacle;  // why a call stays
    auto operator<=>(const Reason &) const = default;
};

// Written while the evaluation goes on. What was noted of an entry that is written again, or is never reached in the end, doesn't count.
class BindingTimes {
  public:
    void begin_attempt();
    void begin_entry(unsigned entry);
    // At no instruction: where the root is entered.
    void note(unsigned entry, const llvm::Instruction *at, Done done) { at_entry(entry).done.emplace_back(at, done); }
    void note(unsigned entry, const Reason &reason) { at_entry(entry).reasons.push_back(reason); }
    // Of the ways that lead to an entry: it stays when the entry is written again.
    void note_way(unsigned entry, const Reason &reason) { ways_.emplace_back(entry, reason); }
    const Forgotten *note_forgotten(CellPlace cell, const llvm::Instruction &by, const Forgotten *before);
    // `object` is behind the pointer that is loaded from `cell`.
    void note_behind(const Object &object, CellPlace cell) { behind_[object.id] = cell; }

    using ObjectById = llvm::function_ref<const Object &(unsigned)>;
    // By line: of the entries in `live`.
    std::vector<model::FunctionTimes> tell(const std::set<unsigned> &live, const llvm::Function &root,
                                           ObjectById object, const Lost &lost) const;

  private:
    struct Notes {
        std::vector<std::pair<const llvm::Instruction *, Done>> done;
        std::vector<Reason> reasons;
    };
    Notes &at_entry(unsigned entry);

    std::vector<Notes> entries_;
    std::vector<std::pair<unsigned, Reason>> ways_;
    std::deque<Forgotten> forgotten_;
    std::map<unsigned, CellPlace> behind_;
};

}  // namespace thalweg::transform::specializer
