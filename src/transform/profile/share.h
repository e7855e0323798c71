// transform: entry counts after code was copied: what is executed in a copy is executed no longer where it was copied from.
#pragma once

#include "transform/profile/call_frequencies.h"
#include "transform/profile/recursion.h"

namespace thalweg::transform {

// How often each function with counts was entered from elsewhere than by the calls that the counts tell of, by the module as it was counted: from code
// without bitcode, or by calls through pointers whose targets were not kept. Calls of functions that call one another in a circle are taken to be executed
// as often as before: what a guard leaves of one of them would be left of it again in each round, and a tree's walk be as cold as its root. It outlives no
// function that is erased.
class EntriesFromElsewhere {
  public:
    EntriesFromElsewhere(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

    // After decisions were made: gives each function the entry count that its calls add up to now, at most what it had, and those that were made since
    // then the first one they have; and calls through pointers no more targets than they are executed. As LLVM's inlining shares counts out between a
    // function and its copies: otherwise it takes what is left behind a guard for as hot as what was copied from there.
    void share(llvm::Module &module, llvm::FunctionAnalysisManager &analyses) const;

  private:
    EntriesFromElsewhere(const std::vector<Caller> &callers, Entries counted);

    Recursion recursion_;
    Entries entries_;
};

}  // namespace thalweg::transform
