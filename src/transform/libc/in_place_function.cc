// transform: what is asked of a stream, and the call of the library where that doesn't hold.
//
// In a process of several threads (__libc_single_threaded) a stream has to be locked. `_mode` is below 0 once it was used for bytes.
#include "transform/libc/in_place_function.h"

#include <cstdio>

#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/MDBuilder.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// The function stands where the first of its calls does.
void place_in_source(Function &function, const CallBase &call) {
    const DISubprogram *caller = call.getFunction()->getSubprogram();
    if (!caller)
        return;
    DIBuilder builder(*function.getParent(), /*AllowUnresolved=*/false, caller->getUnit());
    const unsigned line = call.getDebugLoc() ? call.getDebugLoc().getLine() : caller->getLine();
    function.setSubprogram(builder.createFunction(
        caller->getFile(), function.getName(), function.getName(), caller->getFile(), line,
        builder.createSubroutineType(builder.getOrCreateTypeArray({})), line, DINode::FlagArtificial,
        DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit | DISubprogram::SPFlagOptimized));
    builder.finalize();
}

}  // namespace

InPlaceFunction::InPlaceFunction(Function &function, const CallBase &call)
    : function_(function), builder_(function.getContext()),
      slow_(BasicBlock::Create(function.getContext(), "slow", &function)), leave_(slow_), call_(call) {
    builder_.SetInsertPoint(new_block());
    if (DISubprogram *own = function.getSubprogram())
        builder_.SetCurrentDebugLocation(DILocation::get(function.getContext(), own->getLine(), 0, own));
}

BasicBlock *InPlaceFunction::new_block(const char *name) {
    return BasicBlock::Create(function_.getContext(), name, &function_, slow_);
}

void InPlaceFunction::require(Value *holds) {
    BasicBlock *next = new_block();
    builder_.CreateCondBr(holds, next, leave_, MDBuilder(function_.getContext()).createLikelyBranchWeights());
    builder_.SetInsertPoint(next);
}

Value *InPlaceFunction::stream_at(int position, StringRef standard) {
    if (position >= 0)
        return argument(position);
    Module &module = *function_.getParent();
    return builder_.CreateLoad(builder_.getPtrTy(), module.getOrInsertGlobal(standard, builder_.getPtrTy()));
}

Value *InPlaceFunction::is_single_threaded() {
    Module &module = *function_.getParent();
    return builder_.CreateIsNotNull(
        builder_.CreateLoad(builder_.getInt8Ty(), module.getOrInsertGlobal(single_threaded, builder_.getInt8Ty())));
}

Value *InPlaceFunction::member(size_t offset) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), stream_, offset);
}

Value *InPlaceFunction::load_pointer(size_t offset) { return builder_.CreateLoad(builder_.getPtrTy(), member(offset)); }

Value *InPlaceFunction::load_flags(uint32_t which) {
    return builder_.CreateAnd(builder_.CreateLoad(builder_.getInt32Ty(), member(offsetof(FILE, _flags))), which);
}

Value *InPlaceFunction::is_of_bytes() {
    Value *mode = builder_.CreateLoad(builder_.getInt32Ty(), member(offsetof(FILE, _mode)));
    return builder_.CreateICmpSLT(mode, builder_.getInt32(0));
}

Value *InPlaceFunction::behind(Value *at, Value *length) {
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), at, length);
}

void InPlaceFunction::call_the_library() {
    builder_.SetInsertPoint(slow_);
    SmallVector<Value *> arguments;
    for (Argument &one : function_.args())
        arguments.push_back(&one);
    builder_.CreateRet(builder_.CreateCall(call_.getCalledFunction(), arguments));
}

Function &in_place_function(const CallBase &call, const std::string &name, function_ref<void(Function &)> write) {
    Module &module = *const_cast<Module *>(call.getModule());
    if (Function *made = module.getFunction(name))
        return *made;
    SmallVector<Type *> types;
    for (const Use &argument : call.args())
        types.push_back(argument->getType());
    Function *function =
        Function::Create(FunctionType::get(call.getType(), types, false), GlobalValue::InternalLinkage, name, module);
    function->setUWTableKind(UWTableKind::Default);
    function->setDSOLocal(true);
    place_in_source(*function, call);
    write(*function);
    return *function;
}

}  // namespace thalweg::transform
