// transform: the specialised function while it is being written. A value that is only known at run time lives in a variable
// (an alloca), one for each value of each unfolded frame; LLVM's mem2reg turns them into SSA form at the end.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ValueHandle.h"

#include "transform/specializer/state.h"

namespace thalweg::transform::specializer {

class Residual {
  public:
    // An empty function with the type of `root`.
    explicit Residual(llvm::Function &root);

    llvm::Function &function() const { return *function_; }
    llvm::BasicBlock *new_block(const llvm::Twine &name);
    llvm::AllocaInst *variable(Place place, llvm::Type *type);
    // The memory of a local: of an alloca, or of an unfolded function's copy of an argument.
    llvm::AllocaInst *local(const llvm::Value &origin);
    // The variable that holds the address of an object whose instruction may run again.
    llvm::AllocaInst *base_variable(const Object &object);
    llvm::Value *address(const Object &object, int64_t offset, llvm::IRBuilder<> &builder, bool inbounds = false);
    // A static value as an operand of type `type`.
    llvm::Value *write(const AbstractValue &value, llvm::Type *type, llvm::IRBuilder<> &builder);
    // Where the function's work begins, behind the allocas.
    llvm::BasicBlock *start() const { return start_; }
    // For LLVM's simplifications: a place that nothing dominates, so that nothing is taken for granted that later edges undo.
    const llvm::Instruction *nowhere() const { return end_of_allocas_; }
    // `block` goes on to a block of the root's that is not evaluated.
    void end(llvm::BasicBlock *block, llvm::BasicBlock &root_block);
    // Where that is in the finished function: the terminators to be replaced.
    std::vector<std::pair<llvm::Instruction *, llvm::BasicBlock *>> ends() const;
    // All edges are there: what can't be reached goes.
    void connect();
    // Variables become SSA values.
    void simplify();
    void discard();

  private:
    llvm::AllocaInst *add_alloca(llvm::Type *type, llvm::Value *size, const llvm::Twine &name);

    llvm::Function *function_;
    llvm::BasicBlock *entry_;
    llvm::BasicBlock *start_;
    llvm::Instruction *end_of_allocas_;
    std::map<Place, llvm::AllocaInst *> variables_;
    std::map<unsigned, llvm::AllocaInst *> bases_;
    std::vector<llvm::AllocaInst *> promoted_;
    std::vector<std::pair<llvm::WeakVH, llvm::BasicBlock *>> ends_;
};

}  // namespace thalweg::transform::specializer
