// transform: the compiled paths that the runtime compares an event's bindings with (include/thalweg/abi.h).
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace thalweg::transform {

// A recorded target that was found in this module. `context` is null when the handler's context may be anything.
struct PathTarget {
    llvm::Function *function = nullptr;
    llvm::Constant *context = nullptr;
    bool operator==(const PathTarget &) const = default;
    bool operator<(const PathTarget &other) const {
        return std::pair(function, context) < std::pair(other.function, other.context);
    }
};

class PathTable {
  public:
    explicit PathTable(llvm::Module &module) : module_(module) {}

    // The number by which `core.path` names these targets: 1, 2, ... in the order of first use.
    uint32_t id_of(const std::vector<PathTarget> &targets);

    // A word that the runtime keeps non-zero while every core has the path given with it.
    llvm::GlobalVariable *version_word(const std::vector<std::pair<llvm::Constant *, uint32_t>> &members);

    // A load of such a word or of `core.path`, known to type-based alias analysis as what the runtime stores there.
    llvm::LoadInst *load_word(llvm::IRBuilderBase &builder, llvm::Value *address);

    // Writes the sections; to be called once, last.
    void emit();

  private:
    llvm::GlobalVariable *emit_private(llvm::Constant *value, const llvm::Twine &name);
    llvm::GlobalVariable *emit_section(llvm::ArrayRef<llvm::Constant *> entries, llvm::StringRef section);
    llvm::Constant *path_entry(const std::vector<PathTarget> &targets, uint32_t id);

    llvm::Module &module_;
    std::map<std::vector<PathTarget>, uint32_t> ids_;
    std::vector<const std::vector<PathTarget> *> paths_;  // by id - 1; the map's keys stay where they are
    std::vector<llvm::Constant *> groups_;
};

}  // namespace thalweg::transform
