// transform: what the types of the source say of two accesses: LLVM's type-based alias analysis, asked about nothing but the tags.
#pragma once

#include <map>

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"

namespace thalweg::transform::specializer {

class TypeTags {
  public:
    explicit TypeTags(const llvm::TargetLibraryInfo &libraries) : results_(libraries) { results_.addAAResult(types_); }

    // Whether the program's own compiler may take it that the two accesses never touch the same bytes.
    bool differ(const llvm::MDNode *one, const llvm::MDNode *other);

  private:
    llvm::TypeBasedAAResult types_;
    llvm::AAResults results_;
    std::map<std::pair<const llvm::MDNode *, const llvm::MDNode *>, bool> known_;  // looked up only
};

}  // namespace thalweg::transform::specializer
