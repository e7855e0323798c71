// transform: which instructions between joined calls may fault, and what to test so that they don't.
#pragma once

#include <memory>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform {

// What has to hold in front of an instruction so that it does not fault.
struct FaultTest {
    enum class Kind {
        within,     // the accessed bytes lie in `object`, a variable of `object_size` bytes
        same_page,  // they lie on a page of memory of which `object`, an address, was accessed before
        divides,    // the divisor is neither 0 nor -1 in a signed division
    };
    Kind kind;
    llvm::Instruction *instruction;
    unsigned address;  // operand that is tested: the address or the divisor
    llvm::Value *object = nullptr;
    uint64_t object_size = 0;
    uint64_t size = 0;  // in bytes; 0: up to the byte that ends a string
};

// A fault (SIGSEGV, SIGBUS, SIGFPE) between two calls that were made as one at the second would lose the first. So each access there must
// be proved or tested. Not trusted are attributes that promise what the program itself has not yet accessed (dereferenceable, nonnull): what
// a promise of the language rules out is exactly the fault whose log must not be lost.
class FaultProof {
  public:
    explicit FaultProof(llvm::Function &function);
    ~FaultProof();
    FaultProof(const FaultProof &) = delete;
    FaultProof &operator=(const FaultProof &) = delete;

    // The first of the calls: what is asked of instructions from then on is asked of what stands behind it.
    void begin_at(const llvm::Instruction &first);
    // Why the instruction may fault; empty: it does not where all of `tests` hold, to which those are added that it needs.
    std::string why_it_may(llvm::Instruction &one, llvm::SmallVectorImpl<FaultTest> &tests) const;

    // Calls that may take memory back, on some of the paths to the first call: what is proved holds where none of them was made since the end
    // of `unmapping_since` was passed.
    llvm::BasicBlock *unmapping_since() const;
    llvm::ArrayRef<llvm::Instruction *> unmapping() const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// Computes at the builder's place whether the test holds for `instruction`, which is the test's own or a copy of it.
llvm::Value *test_for_fault(llvm::IRBuilder<> &builder, const FaultTest &test, const llvm::Instruction &instruction);

// Whether so many bytes at the address lie in a local variable of known size, by constants alone.
bool is_within_local(const llvm::Value &address, uint64_t size, const llvm::DataLayout &layout);

}  // namespace thalweg::transform
