// transform: makes a function for each function that is called so, and calls that instead.
#include "transform/system_call/stretch_thunk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

#include "abi/names.h"
#include "transform/system_call/quiet_stretch.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What the calling convention makes of an argument or a result besides its type.
constexpr Attribute::AttrKind extensions[] = {Attribute::ZExt, Attribute::SExt};
constexpr Attribute::AttrKind own_places[] = {Attribute::ByVal,     Attribute::StructRet,    Attribute::InReg,
                                              Attribute::InAlloca,  Attribute::Preallocated, Attribute::Nest,
                                              Attribute::SwiftSelf, Attribute::SwiftError,   Attribute::SwiftAsync};

// Whether another function can hand its arguments on by their types and the callee's extensions alone.
bool can_be_handed_on(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isIntrinsic() || !callee->isDeclaration() || call.isMustTailCall() ||
        call.hasOperandBundles() || call.getCallingConv() != CallingConv::C ||
        callee->getCallingConv() != CallingConv::C || call.hasFnAttr(Attribute::ReturnsTwice) ||
        call.getFunctionType() != callee->getFunctionType())
        return false;
    const AttributeList &own = call.getAttributes();
    for (const Attribute::AttrKind kind : extensions) {
        if (own.hasRetAttr(kind) && !callee->hasRetAttribute(kind))
            return false;
        for (unsigned i = 0; i < callee->arg_size(); ++i)
            if (own.hasParamAttr(i, kind) && !callee->hasParamAttribute(i, kind))
                return false;
    }
    for (unsigned i = 0; i < call.arg_size(); ++i)
        if (any_of(own_places, [&](Attribute::AttrKind kind) { return call.paramHasAttr(i, kind); }))
            return false;
    return true;
}

// The callee's, but for `skipped` arguments in front.
AttributeList extensions_of(const Function &callee, unsigned skipped) {
    AttributeList attributes;
    LLVMContext &context = callee.getContext();
    for (const Attribute::AttrKind kind : extensions) {
        if (callee.hasRetAttribute(kind))
            attributes = attributes.addRetAttribute(context, kind);
        for (unsigned i = skipped; i < callee.arg_size(); ++i)
            if (callee.hasParamAttribute(i, kind))
                attributes = attributes.addParamAttribute(context, i - skipped, kind);
    }
    return attributes;
}

class Thunks {
  public:
    Thunks(Module &module, GlobalVariable &stretch) : module_(module), stretch_(stretch) {}

    void put(CallBase &call) {
        if (!can_be_handed_on(call))
            return;
        if (StoreInst *note = note_before(call); note != nullptr)
            note_in_thunk(call, *note);
        else if (is_of_room(call))
            name_stretch_in_thunk(cast<CallInst>(call));
    }

  private:
    // What is stored right in front of the call, if it is a constant; null: nothing is.
    StoreInst *note_before(CallBase &call) const {
        auto *store = dyn_cast_or_null<StoreInst>(call.getPrevNonDebugInstruction());
        const bool is_note =
            store && is_stretch(*store->getPointerOperand()) && isa<ConstantInt>(store->getValueOperand());
        return is_note ? store : nullptr;
    }

    bool is_stretch(const Value &value) const {
        const auto *address = dyn_cast<IntrinsicInst>(&value);
        return &value == &stretch_ || (address && address->getIntrinsicID() == Intrinsic::threadlocal_address &&
                                       address->getArgOperand(0) == &stretch_);
    }

    bool is_of_room(const CallBase &call) const {
        return isa<CallInst>(call) && call.getCalledFunction()->getName().starts_with(abi::crossing_prefix) &&
               !call.getFunctionType()->isVarArg() && call.arg_size() > 0 && is_stretch(*call.getArgOperand(0));
    }

    // An argument list's tail call lets the arguments be where they are, those of `...` too.
    void note_in_thunk(CallBase &call, StoreInst &note) {
        Function &callee = *call.getCalledFunction();
        const auto &value = *cast<ConstantInt>(note.getValueOperand());
        const std::string name = ("thalweg." + Twine(value.getSExtValue()) + "." + callee.getName()).str();
        Function *thunk = module_.getFunction(name);
        if (!thunk) {
            thunk = begin(name, callee.getFunctionType(), callee, 0);
            IRBuilder<> builder(&thunk->getEntryBlock());
            builder.CreateStore(note.getValueOperand(), builder.CreateThreadLocalAddress(&stretch_));
            end(builder, callee, to_vector_of<Value *>(make_pointer_range(thunk->args())), CallInst::TCK_MustTail);
        }
        call.setCalledFunction(thunk);
        Value *address = note.getPointerOperand();
        note.eraseFromParent();
        RecursivelyDeleteTriviallyDeadInstructions(address);
    }

    void name_stretch_in_thunk(CallInst &call) {
        Function &callee = *call.getCalledFunction();
        const std::string name = ("thalweg.own." + callee.getName()).str();
        Function *thunk = module_.getFunction(name);
        if (!thunk) {
            FunctionType *whole = callee.getFunctionType();
            thunk =
                begin(name, FunctionType::get(whole->getReturnType(), whole->params().drop_front(), false), callee, 1);
            IRBuilder<> builder(&thunk->getEntryBlock());
            SmallVector<Value *> arguments = {builder.CreateThreadLocalAddress(&stretch_)};
            append_range(arguments, make_pointer_range(thunk->args()));
            end(builder, callee, arguments, CallInst::TCK_Tail);
        }
        Value *address = call.getArgOperand(0);
        CallInst *made = CallInst::Create(thunk, SmallVector<Value *>(drop_begin(call.args())), "", call.getIterator());
        made->setTailCallKind(call.getTailCallKind());
        made->copyMetadata(call);
        made->takeName(&call);
        call.replaceAllUsesWith(made);
        call.eraseFromParent();
        RecursivelyDeleteTriviallyDeadInstructions(address);
    }

    Function *begin(const std::string &name, FunctionType *type, const Function &callee, unsigned skipped) {
        Function *thunk = Function::Create(type, GlobalValue::InternalLinkage, name, module_);
        thunk->setAttributes(extensions_of(callee, skipped));
        thunk->setUWTableKind(UWTableKind::Default);
        BasicBlock::Create(module_.getContext(), "", thunk);
        return thunk;
    }

    static void end(IRBuilder<> &builder, Function &callee, ArrayRef<Value *> arguments, CallInst::TailCallKind kind) {
        CallInst *call = builder.CreateCall(&callee, arguments);
        call->setAttributes(extensions_of(callee, 0));
        call->setTailCallKind(kind);
        if (call->getType()->isVoidTy())
            builder.CreateRetVoid();
        else
            builder.CreateRet(call);
    }

    Module &module_;
    GlobalVariable &stretch_;
};

}  // namespace

void put_stretches_into_thunks(Module &module) {
    GlobalVariable *stretch = made_stretch_of(module);
    if (!stretch)
        return;
    SmallVector<CallBase *> calls;
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            if (auto *call = dyn_cast<CallBase>(&instruction))
                calls.push_back(call);
    Thunks thunks(module, *stretch);
    for (CallBase *call : calls)
        thunks.put(*call);
}

}  // namespace thalweg::transform
