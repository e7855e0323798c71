// transform: LLVM's intrinsics of instrumentation, in front of calls that print or read.
#include "transform/probe/output.h"

#include <map>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/ProfileData/InstrProf.h"

#include "abi/names.h"
#include "transform/ir/function_effects.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

std::optional<model::CountedFunction> count_output(Module &module, const std::vector<model::Site> &calls) {
    std::map<uint32_t, uint32_t> index_of;  // by the number of the site
    for (uint32_t number = 0; number < calls.size(); ++number)
        if (knowledge::uses_buffer(calls[number].callee))
            index_of.emplace(number, static_cast<uint32_t>(index_of.size()));
    if (index_of.empty())
        return {};
    // Nothing else has its name, so any number does for a hash.
    model::CountedFunction counted{abi::output_counters, 1, static_cast<uint32_t>(index_of.size()), 0, 0};
    GlobalVariable *name = createPGOFuncNameVar(module, GlobalValue::InternalLinkage, counted.name);
    const auto increment = Intrinsic::getDeclaration(&module, Intrinsic::instrprof_increment);
    SmallVector<std::pair<CallBase *, uint32_t>> found;
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            if (const auto index = index_of.find(system_call_of(instruction)); index != index_of.end())
                found.emplace_back(cast<CallBase>(&instruction), index->second);
    SmallVector<Function *> changed;
    for (const auto &[call, index] : found) {
        IRBuilder<> builder(call);
        builder.CreateCall(increment, {name, builder.getInt64(counted.hash), builder.getInt32(counted.counters),
                                       builder.getInt32(index)});
        changed.push_back(call->getFunction());
    }
    for (Function *function : changed)
        forget_effects(*function);
    return counted;
}

}  // namespace thalweg::transform
