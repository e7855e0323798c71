// transform: variables and addresses of the specialised function.
#include "transform/specializer/residual.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include "transform/ir/own_thread.h"

namespace thalweg::transform::specializer {

using namespace llvm;

Residual::Residual(Function &root)
    : function_(Function::Create(root.getFunctionType(), GlobalValue::InternalLinkage, root.getAddressSpace(),
                                 root.getName() + ".thalweg.residual", root.getParent())) {
    function_->copyAttributesFrom(&root);
    if (root.hasPersonalityFn())
        function_->setPersonalityFn(root.getPersonalityFn());
    entry_ = new_block("entry");
    start_ = new_block("start");
    end_of_allocas_ = new UnreachableInst(function_->getContext(), entry_);
}

BasicBlock *Residual::new_block(const Twine &name) {
    return BasicBlock::Create(function_->getContext(), name, function_);
}

AllocaInst *Residual::add_alloca(Type *type, Value *size, const Twine &name) {
    const unsigned space = function_->getDataLayout().getAllocaAddrSpace();
    return new AllocaInst(type, space, size, name, end_of_allocas_->getIterator());
}

AllocaInst *Residual::variable(Place place, Type *type) {
    AllocaInst *&variable = variables_[place];
    if (!variable) {
        variable = add_alloca(type, nullptr, "v");
        promoted_.push_back(variable);
    }
    return variable;
}

AllocaInst *Residual::local(const Value &origin) {
    if (const auto *argument = dyn_cast<Argument>(&origin)) {
        Type *type = argument->getParamByValType();
        AllocaInst *copy = add_alloca(type, nullptr, argument->getName());
        copy->setAlignment(std::max(copy->getAlign(), argument->getParamAlign().valueOrOne()));
        return copy;
    }
    const auto &alloca = cast<AllocaInst>(origin);
    AllocaInst *copy =
        add_alloca(alloca.getAllocatedType(), const_cast<Value *>(alloca.getArraySize()), alloca.getName());
    copy->setAlignment(alloca.getAlign());
    copy_arguments_mark(alloca, *copy);
    return copy;
}

AllocaInst *Residual::base_variable(const Object &object) {
    AllocaInst *&variable = bases_[object.id];
    if (!variable) {
        variable = add_alloca(object.origin->getType(), nullptr, "base");
        promoted_.push_back(variable);
    }
    return variable;
}

Value *Residual::address(const Object &object, int64_t offset, IRBuilder<> &builder, bool inbounds) {
    Value *base = object.base;
    if (object.is_rebound()) {
        AllocaInst *variable = base_variable(object);
        base = builder.CreateLoad(variable->getAllocatedType(), variable, "object");
    }
    if (offset == 0)
        return base;
    return builder.CreatePtrAdd(base, builder.getInt64(static_cast<uint64_t>(offset)), "",
                                inbounds ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none());
}

Value *Residual::write(const AbstractValue &value, Type *type, IRBuilder<> &builder) {
    if (value.is_known())
        return value.constant;
    Value *pointer = address(*value.object, value.offset, builder, value.inbounds);
    return type->isPointerTy() ? pointer : builder.CreatePtrToInt(pointer, type);
}

void Residual::end(BasicBlock *block, BasicBlock &root_block) {
    // Nothing may be concluded from what stands here meanwhile.
    Type *type = function_->getReturnType();
    ends_.emplace_back(
        ReturnInst::Create(function_->getContext(), type->isVoidTy() ? nullptr : PoisonValue::get(type), block),
        &root_block);
}

std::vector<std::pair<Instruction *, BasicBlock *>> Residual::ends() const {
    std::vector<std::pair<Instruction *, BasicBlock *>> found;
    for (const auto &[terminator, root_block] : ends_)
        if (Value *value = terminator)
            found.emplace_back(cast<Instruction>(value), root_block);
    return found;
}

void Residual::connect() {
    end_of_allocas_->eraseFromParent();
    BranchInst::Create(start_, entry_);
    removeUnreachableBlocks(*function_);
}

void Residual::simplify() {
    // mem2reg takes time with the number of blocks for each variable; most of these have one way in and one out.
    for (BasicBlock &block : make_early_inc_range(*function_))
        MergeBlockIntoPredecessor(&block);
    DominatorTree dominators(*function_);
    std::vector<AllocaInst *> promotable;
    for (AllocaInst *variable : promoted_)
        if (isAllocaPromotable(variable))
            promotable.push_back(variable);
    PromoteMemToReg(promotable, dominators);
}

void Residual::discard() { function_->eraseFromParent(); }

}  // namespace thalweg::transform::specializer
