// transform: the compiled paths that the runtime compares an event's bindings with (include/thalweg/abi.h).
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace thalweg::transform {

// A recorded target. `function` is null when it is none of this module's: in a list it is called as the list has it. `context` is null when the
// handler's context may be anything.
struct PathTarget {
    llvm::Function *function = nullptr;
    llvm::Constant *context = nullptr;
    bool operator==(const PathTarget &) const = default;
    bool operator<(const PathTarget &other) const {
        return std::pair(function, context) < std::pair(other.function, other.context);
    }
};

// What a raise knows of its event's flags when it comes to the handlers: `value` in the bits of `mask`.
struct PathFlags {
    uint32_t mask = 0;
    uint32_t value = 0;
    auto operator<=>(const PathFlags &) const = default;
};

// An event on a path: the address of its core or, indirect, of a variable that points to it.
struct GroupMember {
    llvm::Constant *where = nullptr;
    uint32_t path = 0;
    bool indirect = false;
    bool operator==(const GroupMember &) const = default;
};

class PathTable {
  public:
    explicit PathTable(llvm::Module &module) : module_(module) {}

    // The number by which `core.path` names these targets: 1, 2, ... in the order of first use.
    uint32_t id_of(const std::vector<PathTarget> &targets, PathFlags flags);

    // A word that the runtime keeps non-zero while every member's event has the path given with it.
    llvm::GlobalVariable *version_word(llvm::ArrayRef<GroupMember> members);

    // A load of such a word or of `core.path`, known to type-based alias analysis as what the runtime stores there.
    llvm::LoadInst *load_word(llvm::IRBuilderBase &builder, llvm::Value *address);

    // Writes the sections; to be called once, last.
    void emit();

  private:
    llvm::GlobalVariable *emit_private(llvm::Constant *value, const llvm::Twine &name);
    llvm::Constant *at_index(llvm::GlobalVariable *array, size_t index);
    llvm::GlobalVariable *emit_section(llvm::ArrayRef<llvm::Constant *> entries, llvm::StringRef section);
    using Key = std::pair<std::vector<PathTarget>, PathFlags>;
    llvm::Constant *path_entry(const Key &path, uint32_t id);

    llvm::Module &module_;
    std::map<Key, uint32_t> ids_;
    std::vector<const Key *> paths_;  // by id - 1; the map's keys stay where they are
    std::vector<llvm::Constant *> groups_;
    std::map<llvm::GlobalVariable *, std::set<size_t>> watched_;  // variables that point to members: their groups
};

}  // namespace thalweg::transform
