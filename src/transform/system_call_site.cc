// transform: finds the system calls of a program, and finds them again in what became of it.
#include "transform/system_call_site.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/StructuralHash.h"

#include "transform/dispatch_site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral call_metadata = "thalweg.system_call";

void mark(Instruction &instruction, uint32_t number) {
    LLVMContext &context = instruction.getContext();
    auto *constant = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), number));
    instruction.setMetadata(call_metadata, MDNode::get(context, {constant}));
}

}  // namespace

const model::SystemCall *called_system_call(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration() || callee->isIntrinsic() || call.isMustTailCall())
        return nullptr;
    return model::system_call(std::string_view(callee->getName()));
}

std::vector<model::Site> find_system_calls(Module &module) {
    std::vector<model::Site> sites;
    for (Function &function : module) {
        uint32_t ordinal = 0;
        uint64_t hash = 0;
        for (Instruction &instruction : instructions(function)) {
            const auto *call = dyn_cast<CallBase>(&instruction);
            const model::SystemCall *called = call ? called_system_call(*call) : nullptr;
            if (!called)
                continue;
            if (ordinal == 0)
                hash = StructuralHash(function, true);
            mark(instruction, static_cast<uint32_t>(sites.size()));
            sites.push_back({function.getName().str(), ordinal++, hash, model::SiteKind::call, place_of(instruction),
                             std::string(called->name)});
        }
    }
    return sites;
}

uint32_t system_call_of(const Instruction &instruction) {
    const MDNode *node = instruction.getMetadata(call_metadata);
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
