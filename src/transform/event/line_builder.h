// transform: builds the straight lines of one dispatch site: the loop's iterations with recorded targets called directly.
#pragma once

#include <map>
#include <set>
#include <string>

#include "llvm/IR/PassManager.h"

#include "transform/event/guard.h"
#include "transform/event/handler_merge.h"
#include "transform/event/list_guard.h"
#include "transform/event/path_tree.h"
#include "transform/event/prologue.h"
#include "transform/ir/guard_counter.h"

namespace llvm {
class Loop;
}

namespace thalweg::transform {

// Bodies of functions as they were before anything in them was specialised: what is taken into a line.
using PristineBodies = std::map<llvm::Function *, llvm::Function *>;

// A copy of the function that nobody knows of.
llvm::Function *copy_of(llvm::Function &function, llvm::StringRef prefix);

// Why a loop, whose calls through pointers these are, cannot be made straight; empty: it can.
std::string why_no_line(const llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls);

// One straight line for a loop: the targets that it assumes, and whether they become part of it.
struct Alternative {
    const PathNode *node = nullptr;
    bool merge = true;  // false: direct calls only, the second best when only a part of the first line's facts hold
};

// The same of a loop that other decisions may have changed since its calls were marked.
std::string why_no_line(const llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls,
                        llvm::ArrayRef<Alternative> alternatives);

struct BuiltLine {
    FrontedLine line;
    std::vector<Guard> guards;  // its own and those of what it took in
    Alternative alternative;
    std::vector<llvm::CallBase *> calls;  // of the recorded targets, in order
    Merged merged;
};

class LineBuilder {
  public:
    LineBuilder(llvm::FunctionAnalysisManager &analyses, PathTable &paths, GuardCounter &counter,
                const PristineBodies &pristine)
        : analyses_(analyses), paths_(paths), counter_(counter), pristine_(pristine) {}

    // The loop is entered from now on through the lines' fronts, in the order of the alternatives; the loop itself is
    // what the last front's failure, and every leave, comes to. Needs simplified form and LCSSA.
    enum class Depth { outermost, inside };
    std::vector<BuiltLine> build(llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls,
                                 llvm::ArrayRef<Alternative> alternatives, Depth depth);

    // What is in the lines is evaluated together: their handlers become part of them. `stops`: where the lines end.
    void merge(llvm::Function &function, std::vector<BuiltLine> &lines, const Stops &stops);

    // Decisions taken into some line so far.
    const std::set<uint32_t> &taken_in() const { return taken_in_; }
    // Decisions that were come to and could not be, and why.
    const std::map<uint32_t, std::string> &left_out() const { return left_out_; }

  private:
    bool begins_again(const llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls) const;
    BuiltLine build_line(llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls, const Alternative &alternative,
                         const std::vector<llvm::Value *> &entry_state, const RaiseEntry &raise,
                         llvm::BasicBlock *otherwise, StraightLine &line, Leaves &leaves);
    static void test_slots(const llvm::Loop &loop, llvm::ArrayRef<llvm::CallBase *> calls, const PathNode &node,
                           llvm::ArrayRef<Round> rounds, const StraightLine &line, Leaves &leaves, BuiltLine &built);
    static void note_arguments(const llvm::CallBase &call, const llvm::Loop &loop);
    void test_path(const EventLoop &event, const PathNode &node, const RaiseEntry &raise, llvm::BasicBlock *header,
                   llvm::BasicBlock *first, const std::vector<llvm::Value *> &entry_state, BuiltLine &built);
    void test_before_prologue(const RaiseEntry &raise, llvm::BasicBlock *original, std::vector<BuiltLine> &lines);
    void take_in(llvm::CallBase *call, const PathNode &node, uint32_t position, unsigned depth, BuiltLine &built);
    void subsume(llvm::CallBase *call, const PathNode &node, uint32_t position, BuiltLine &built);
    bool should_take_in(const llvm::CallBase &call, const PathNode &node, uint32_t position, unsigned depth) const;
    void leave_out_children(const llvm::Function &callee, llvm::StringRef why_not, const PathNode &node,
                            uint32_t position);
    bool leads_to(const llvm::Function &callee, uint32_t site, unsigned depth) const;
    static bool is_small(const llvm::Function &callee);
    std::string why_not_inlined(llvm::CallBase &call, llvm::Function &callee) const;
    llvm::Function *original_of(llvm::Function &function) const;
    llvm::Function *with_lines(llvm::Function &body, const PathNode &node, uint32_t position, unsigned depth,
                               BuiltLine &built);
    llvm::Function *body_of(llvm::CallBase &call, llvm::Function &callee, const specializer::Context &context) const;
    void leave_out_all(const PathNode &node, const std::string &why_not);

    llvm::FunctionAnalysisManager &analyses_;
    PathTable &paths_;
    GuardCounter &counter_;
    const PristineBodies &pristine_;
    std::set<uint32_t> taken_in_;
    std::map<uint32_t, std::string> left_out_;
    std::set<llvm::CallBase *> handlers_;  // looked up only, as the next
    std::map<llvm::CallBase *, llvm::Function *> bodies_;
    std::vector<llvm::Function *> copies_;  // of bodies, with lines in them
};

}  // namespace thalweg::transform
