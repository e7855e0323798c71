// transform: a function that does in place what a call of the C library does, where that needs nothing but a stream's buffer or memory, and calls the
// library where it needs more.
#pragma once

#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace thalweg::transform {

// The code that all of them have. Nothing may be stored before the last `require`: then the library is called with all arguments.
class InPlaceFunction {
  protected:
    InPlaceFunction(llvm::Function &function, const llvm::CallBase &call);

    llvm::Value *argument(int position) const { return function_.getArg(static_cast<unsigned>(position)); }
    // Goes on where it holds.
    void require(llvm::Value *holds);
    // The argument, or the variable `standard`, where the function has no such argument.
    llvm::Value *stream_at(int position, llvm::StringRef standard);
    llvm::Value *is_single_threaded();
    // A member of the stream (glibc's <bits/types/struct_FILE.h>), by its offset.
    llvm::Value *member(size_t offset);
    llvm::Value *load_pointer(size_t offset);
    llvm::Value *load_flags(uint32_t which);
    // Bytes were put into it or taken out of it before.
    llvm::Value *is_of_bytes();
    llvm::BasicBlock *new_block(const char *name = "");
    llvm::Value *behind(llvm::Value *at, llvm::Value *length);
    void call_the_library();

    llvm::Function &function_;
    llvm::IRBuilder<> builder_;
    llvm::BasicBlock *slow_;
    llvm::BasicBlock *leave_;  // where `require` goes if it does not hold: slow_, or what gives a lock back before
    llvm::Value *stream_ = nullptr;

  private:
    const llvm::CallBase &call_;
};

inline constexpr llvm::StringLiteral standard_output = "stdout";
inline constexpr llvm::StringLiteral standard_input = "stdin";
inline constexpr llvm::StringLiteral single_threaded = "__libc_single_threaded";

// The module's function `name`, written once for all calls that do the same. It takes the call's arguments and gives its result.
llvm::Function &in_place_function(const llvm::CallBase &call, const std::string &name,
                                  llvm::function_ref<void(llvm::Function &)> write);

}  // namespace thalweg::transform
