// transform: which functions of the program may run as handlers of signals, at any moment.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace thalweg::transform {

// A handler may have any type: the program casts it, and the kernel passes up to three arguments to whatever stands there. Those count that
//   - have a handler's prototype and an address that is taken, or that other code may call;
//   - are given to signal, sigaction or the like, as far as that can be followed;
//   - are given directly to a function of another library, which may do so;
//   - have an address that is taken in any other way, if the program or its code without bitcode registers a handler that can't be followed.
// A library that reads the address of a function of another type out of the program's memory and registers it is not seen.
class SignalHandlers {
  public:
    explicit SignalHandlers(const llvm::Module &module);

    bool may_be(const llvm::Function &function) const;

  private:
    void follow(const llvm::Value &handler);
    void follow_stored(const llvm::Value &object);
    void follow_argument(const llvm::Argument &argument);
    void follow_use(const llvm::User &user, const llvm::Value &place);
    void follow_call(const llvm::CallBase &call, const llvm::Value &place);
    void take_from_initializer(const llvm::Constant &initializer);

    llvm::SmallPtrSet<const llvm::Value *, 16> followed_;
    llvm::SmallPtrSet<const llvm::Function *, 8> known_;
    bool are_others_ = false;  // registered, too
};

}  // namespace thalweg::transform
