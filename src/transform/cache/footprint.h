// transform: what a function computes from and where it leaves it: proved, or a reason why that isn't known.
#pragma once

#include <string>
#include <vector>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include "transform/cache/bytes.h"

namespace thalweg::transform::cache {

// Of all functions together, and so of one: it lies in each thread's own memory, which glibc takes from the thread's stack. Of the
// smallest stack that there is (PTHREAD_STACK_MIN, 16,384 bytes) glibc 2.36 leaves 11,984 to a thread, measured; half of that stays its own.
// With 8,704 bytes kept pthread_getattr_np overflows such a stack, with 10,240 pthread_create fails. Blowfish's key schedule, the largest
// that was met, has 4,168.
inline constexpr uint64_t max_kept_bytes = 5984;

// Memory behind one pointer argument, or a variable.
struct Area {
    unsigned argument = 0;
    llvm::GlobalVariable *variable = nullptr;  // null: it is an argument's
    ByteSet inputs;  // what is read of it before it is written; it may be read as soon as the function is entered
    ByteSet results;  // what is written
    bool own_copy = false;  // a structure passed by value, which lies over nothing else
};

// Everything that decides what the function computes, and everything that it changes.
struct Footprint {
    std::vector<Area> areas;  // those that are written lie apart from all others, which is to be tested
    std::vector<unsigned> values;  // arguments whose value is an input
    std::vector<unsigned> not_null;  // arguments for which all this holds if they are not null
    double instructions = 0;  // that it executes, about
    int64_t input_bytes = 0;
    int64_t result_bytes = 0;
    std::string refused;  // why nothing is known; empty: all is
};

// Runs the function at compile time, for all inputs at once. The function stays as it is. `float_environment`: what its program has of
// rounding.h.
Footprint footprint_of(llvm::Function &function, const std::string &float_environment);

// Whether nothing that is seen at a glance speaks against it: cheap, for all functions of a program.
bool may_have_footprint(const llvm::Function &function);

}  // namespace thalweg::transform::cache
