// transform: the lines of a plan, from decisions to outcomes: what can be made is known before anything in the program is changed.
#pragma once

#include "llvm/IR/PassManager.h"

#include "transform/event/line_builder.h"
#include "transform/event/path_tree.h"
#include "transform/ir/guard_counter.h"
#include "transform/specializer/layer.h"

namespace thalweg::transform {

class Lines {
  public:
    // While the program is as it was recorded: finds what the plan's decisions about dispatches name. `room`: that the recording link had
    // for copies; `all_sites`: they are wanted where no decision needs them, too. Nothing is changed.
    Lines(const model::Plan &plan, llvm::Module &module, llvm::FunctionAnalysisManager &analyses, uint64_t room,
          bool all_sites);
    ~Lines() { erase_bodies(); }
    Lines(const Lines &) = delete;
    Lines &operator=(const Lines &) = delete;

    // While functions are the program's own: keeps copies of what lines are made of, and tells which lines there can be.
    LineClaims prepare();
    // Puts the lines into their functions, and only into these the copies of dispatchers that they need. `taken`: functions whose body is
    // that of another decision now. Gives an outcome for each of the plan's decisions about dispatches.
    std::vector<model::DecisionOutcome> make(const std::map<std::string, uint32_t> &taken, PathTable &paths,
                                             GuardCounter &counter);
    const PathTree &tree() const { return tree_; }
    const std::vector<RecordedSite> &sites() const { return sites_; }

  private:
    void copy_body(llvm::Function &function);
    std::string misfit(uint32_t site);
    void claim(uint32_t site, const std::vector<const PathNode *> &nodes, LineClaims &claims) const;
    bool put_site(llvm::Function &function, const RecordedSite &recorded);
    void refuse(uint32_t site, const std::string &why);
    void erase_bodies();

    llvm::Module &module_;
    llvm::FunctionAnalysisManager &analyses_;
    std::vector<RecordedSite> sites_;
    PathTree tree_;
    std::map<llvm::Function *, std::vector<uint32_t>> sites_of_;  // planned ones
    PristineBodies bodies_;
    std::map<uint32_t, std::vector<llvm::Function *>>
        copied_;  // by site: the dispatchers that its function gets copies of
    std::vector<model::DecisionOutcome> outcomes_;
};

}  // namespace thalweg::transform
