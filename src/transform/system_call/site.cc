// transform: finds the system calls of a program, and finds them again in what became of it.
#include "transform/system_call/site.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/StructuralHash.h"

#include "transform/libc/input_call.h"
#include "transform/libc/library_call.h"
#include "transform/libc/output_call.h"
#include "transform/site/dispatch_site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// As <rpc/clnt.h> calls it: no function of this name is linked.
constexpr StringLiteral remote_name = "clnt_call";

void mark(Instruction &instruction, uint32_t number) {
    LLVMContext &context = instruction.getContext();
    auto *constant = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), number));
    instruction.setMetadata(site_of_call, MDNode::get(context, {constant}));
}

}  // namespace

const knowledge::SystemCall *called_system_call(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || callee->isIntrinsic() || call.isMustTailCall())
        return nullptr;
    return knowledge::system_call(std::string_view(callee->getName()));
}

knowledge::Act act_of(const CallBase &call) {
    const knowledge::SystemCall *called = called_system_call(call);
    return called ? called->act : knowledge::Act::other;
}

StringRef called_name(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    return callee ? callee->getName() : StringRef("a pointer");
}

bool is_place_of_errno(const Value &value) {
    const auto *call = dyn_cast<CallBase>(&value);
    return call && call->getCalledFunction() &&
           knowledge::function(std::string_view(call->getCalledFunction()->getName())).faults ==
               knowledge::Faults::never_and_gives_errno;
}

bool is_remote_call(const CallBase &call) {
    // The call is the first of the operations, which are a client's second pointer; the time limit goes by the stack, for the registers
    // are full.
    constexpr unsigned arguments = 7;
    constexpr unsigned limit = 6;
    constexpr uint64_t limit_bytes = 16;
    constexpr uint64_t operations_at = 8;
    if (call.isInlineAsm() || call.isMustTailCall() || call.arg_size() != arguments ||
        !call.getType()->isIntegerTy(32) || !call.isByValArgument(limit) ||
        !call.getArgOperand(1)->getType()->isIntegerTy())
        return false;
    const DataLayout &layout = call.getModule()->getDataLayout();
    for (const unsigned pointer : {0, 2, 3, 4, 5})
        if (!call.getArgOperand(pointer)->getType()->isPointerTy())
            return false;
    const auto *operation = dyn_cast<LoadInst>(call.getCalledOperand());
    const auto *operations = operation ? dyn_cast<LoadInst>(operation->getPointerOperand()) : nullptr;
    if (!operations || layout.getTypeAllocSize(call.getParamByValType(limit)) != limit_bytes)
        return false;
    APInt offset(layout.getIndexTypeSizeInBits(operations->getPointerOperandType()), 0);
    const Value *client =
        operations->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
    return offset == operations_at && client == call.getArgOperand(0)->stripPointerCasts();
}

const knowledge::SystemCall *marked_system_call(const CallBase &call) {
    if (system_call_of(call) == no_call)
        return nullptr;
    if (const knowledge::SystemCall *called = called_system_call(call))
        return called;
    return call.isIndirectCall() && !call.isMustTailCall() ? knowledge::system_call(std::string_view(remote_name))
                                                           : nullptr;
}

std::vector<model::Site> find_system_calls(Module &module) {
    std::vector<model::Site> sites;
    for (Function &function : module) {
        uint32_t ordinal = 0;
        uint64_t hash = 0;
        for (Instruction &instruction : instructions(function)) {
            const auto *call = dyn_cast<CallBase>(&instruction);
            const bool is_direct = call && (called_system_call(*call) || output_call(*call) || input_call(*call));
            if (!is_direct && !(call && is_remote_call(*call)))
                continue;
            if (ordinal == 0)
                hash = StructuralHash(function, true);
            mark(instruction, static_cast<uint32_t>(sites.size()));
            sites.push_back({function.getName().str(), ordinal++, hash, model::SiteKind::call, place_of(instruction),
                             is_direct ? called_name(*call).str() : remote_name.str()});
        }
    }
    return sites;
}

uint32_t system_call_of(const Instruction &instruction) {
    const MDNode *node = instruction.getMetadata(site_of_call);
    return node ? static_cast<uint32_t>(mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue()) : no_call;
}

std::vector<CallBase *> calls_at(Module &module, uint32_t number) {
    std::vector<CallBase *> calls;
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            if (auto *call = dyn_cast<CallBase>(&instruction); call && system_call_of(instruction) == number)
                calls.push_back(call);
    return calls;
}

}  // namespace thalweg::transform
