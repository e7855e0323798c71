// transform: variables that point to events, and are changed only where this module shows it.
#pragma once

#include "llvm/IR/GlobalVariable.h"

namespace thalweg::transform {

// What the member lists of version words are called.
inline constexpr llvm::StringLiteral group_members_name = "thalweg.group.members";

// Whether every use of the variable is a load, a store into it, or a call of our own interface that fills it in: then
// whatever is assumed of the event it points to can be re-examined after each change.
bool is_watchable(const llvm::GlobalVariable &variable);

// Calls thalweg_group_refresh(group) after each of them.
void refresh_after_changes(llvm::GlobalVariable &variable, llvm::Constant *group);

}  // namespace thalweg::transform
