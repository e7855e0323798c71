// transform: code in which LLVM's counting intrinsics stand, seen without them.
#include "transform/ir/counted_code.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/ProfileData/InstrProf.h"

namespace thalweg::transform {

using namespace llvm;

uint32_t instructions_without_counters(const Function &function) {
    const auto is_counters = [](const Instruction &one) {
        if (isa<InstrProfInstBase>(one))
            return true;
        // What a select chose, made a number.
        return isa<ZExtInst>(one) && !one.use_empty() &&
               all_of(one.users(), [](const User *user) { return isa<InstrProfInstBase>(user); });
    };
    uint32_t count = 0;
    for (const BasicBlock &block : function) {
        const auto own =
            static_cast<uint32_t>(count_if(block, [&](const Instruction &one) { return !is_counters(one); }));
        const bool is_split_edge =
            own == 1 && block.size() > 1 && block.getSinglePredecessor() && block.getSingleSuccessor();
        count += is_split_edge ? 0 : own;
    }
    return count;
}

bool is_counters_own(const GlobalVariable &variable) {
    return variable.getName().starts_with(getInstrProfNameVarPrefix());
}

}  // namespace thalweg::transform
