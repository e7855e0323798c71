// transform: calls of malloc and free become calls of the crossing room, which keeps one block for each decision.
#include "transform/system_call/hoist.h"

#include <array>
#include <optional>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "abi/crossing.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"
#include "transform/ir/use.h"
#include "transform/libc/heap.h"
#include "transform/system_call/site.h"
#include "transform/system_call/trial.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// mallopt(3), M_MMAP_THRESHOLD: 128 KiB, and a block serves requests down to half its size (crossing/kept_block.cc).
constexpr uint64_t smallest_request = 64UL * 1024;
constexpr uint64_t alignment_of_malloc = 16;  // glibc's manual, "Aligned Memory Blocks": on 64-bit systems

// Argument positions; -1: it has none such.
struct Giver {
    knowledge::Act act;
    int alignment = -1;
    int result = -1;  // where the address is stored; the call itself gives 0
};
constexpr std::array givers = {Giver{knowledge::Act::gives_block}, Giver{knowledge::Act::gives_aligned_block, 0},
                               Giver{knowledge::Act::stores_aligned_block, 1, 0}};
// mmap(2)
constexpr unsigned flags_of_mmap = 3;
constexpr uint64_t at_a_fixed_place = 0x10;

bool may_map_over_blocks(const User &user, const Function &map) {
    const auto *call = dyn_cast<CallBase>(&user);
    if (!call || call->getCalledOperand() != &map || call->arg_size() <= flags_of_mmap)
        return true;
    const auto *flags = dyn_cast<ConstantInt>(call->getArgOperand(flags_of_mmap));
    return !flags || (flags->getZExtValue() & at_a_fixed_place) != 0;
}

// What in the program may change the pages of a block; empty: nothing does.
std::string page_setter_in(const Module &module) {
    const auto sets_pages = [](const knowledge::Function &one) { return one.pages != knowledge::Pages::keeps; };
    if (std::string used = used_that(module, sets_pages); !used.empty())
        return used;
    for (const StringRef name : names_of(knowledge::Act::maps))
        if (const Function *map = module.getFunction(name);
            is_called_elsewhere(module, name) ||
            (map && any_of(map->users(), [&](const User *user) { return may_map_over_blocks(*user, *map); })))
            return name.str();
    return {};
}

// Why no block of this program may be kept that is mapped; empty: it may.
std::string obstacle_in(const Module &module) {
    if (std::string obstacle = obstacle_to_kept_blocks(module); !obstacle.empty())
        return obstacle;
    if (const std::string setter = page_setter_in(module); !setter.empty())
        return "the program uses " + setter + ", with which a block's pages may be set apart: a new block's aren't";
    return obstacle_to_other_calls(module);
}

class Keeper {
  public:
    Keeper(Module &module, uint32_t decision) : module_(module), decision_(decision) {}

    // Why the group doesn't fit; empty: its calls are known.
    std::string find(const SystemCallGroup &group) {
        if (std::string obstacle = obstacle_in(module_); !obstacle.empty())
            return obstacle;
        requests_ = calls_at(module_, group.first);
        for (const uint32_t number : group.others)
            append_range(returns_, calls_at(module_, number));
        if (requests_.empty() || returns_.empty())
            return "nothing is left of the calls: another decision took their place";
        if (std::string why_not = check_requests(); !why_not.empty())
            return why_not;
        for (const CallBase *call : returns_) {
            if (act_of(*call) != knowledge::Act::takes_block_back)
                return "a call of " + called_name(*call).str() + " gives no block back that may be kept";
            if (!is_plain(*call))
                return "free is called where exceptions are caught";
        }
        return {};
    }

    void change(FunctionAnalysisManager &analyses) {
        Type *type = storage_of<thalweg_crossing_slot>(module_.getContext());
        slot_ = new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage, Constant::getNullValue(type),
                                   "thalweg.block." + Twine(decision_));
        SmallVector<Function *> changed;
        for (CallBase *call : requests_) {
            changed.push_back(call->getFunction());
            take_before(*call);
        }
        for (CallBase *call : returns_) {
            changed.push_back(call->getFunction());
            give_back_for(*call);
        }
        for (Function *function : changed) {
            forget_effects_of_callers(*function);  // the slot is memory too, and what is given back stays in it
            analyses.invalidate(*function, PreservedAnalyses::none());
        }
    }

    std::string remarks() const {
        return "one block is kept between " + std::to_string(returns_.size()) + " call(s) of free and " +
               std::to_string(requests_.size()) + " of " + called_name(*requests_.front()).str();
    }

  private:
    static bool is_plain(const CallBase &call) { return isa<CallInst>(call) && !call.hasOperandBundles(); }

    static Value &size_of(const CallBase &call) {
        return *call.getArgOperand(static_cast<unsigned>(called_system_call(call)->size));
    }

    std::string check_requests() {
        giver_ = find_if(givers, [&](const Giver &one) { return one.act == act_of(*requests_.front()); });
        if (giver_ == givers.end())
            return called_name(*requests_.front()).str() + " gives memory of which the program may know what it holds: "
                                                           "malloc, aligned_alloc and posix_memalign are known";
        for (const CallBase *call : requests_) {
            if (!is_plain(*call))
                return called_name(*call).str() + " is called where exceptions are caught";
            const auto *size = dyn_cast<ConstantInt>(&size_of(*call));
            if (size && size->getValue().ult(smallest_request))
                return "the block has " + std::to_string(size->getZExtValue()) +
                       " bytes: the kernel is asked for blocks of 128 KiB or more only";
        }
        return {};
    }

    void take_before(CallBase &call) {
        IRBuilder<> builder(&call);
        Value *alignment = giver_->alignment < 0 ? builder.getInt64(alignment_of_malloc)
                                                 : call.getArgOperand(static_cast<unsigned>(giver_->alignment));
        const FunctionCallee take = declare(module_, ABI_SYMBOL(thalweg_crossing_take));
        Value *kept = builder.CreateCall(take, {slot_, &size_of(call), alignment}, "thalweg.kept");
        Value *is_none = builder.CreateIsNull(kept, "thalweg.none_kept");
        Instruction *original = nullptr;
        Instruction *other = nullptr;
        SplitBlockAndInsertIfThenElse(is_none, &call, &original, &other);
        BasicBlock *after = call.getParent();
        Value *result = kept;
        if (giver_->result >= 0) {
            IRBuilder<>(other).CreateStore(kept, call.getArgOperand(static_cast<unsigned>(giver_->result)));
            result = ConstantInt::get(call.getType(), 0);
        }
        call.moveBefore(original);
        if (call.use_empty())
            return;
        PHINode *joined = PHINode::Create(call.getType(), 2, "", after->begin());
        call.replaceAllUsesWith(joined);
        joined->addIncoming(&call, original->getParent());
        joined->addIncoming(result, other->getParent());
        joined->takeName(&call);
    }

    void give_back_for(CallBase &call) {
        IRBuilder<> builder(&call);
        builder.CreateCall(declare(module_, ABI_SYMBOL(thalweg_crossing_give_back)), {slot_, call.getArgOperand(0)});
        call.eraseFromParent();
    }

    Module &module_;
    uint32_t decision_;
    const Giver *giver_ = nullptr;
    std::vector<CallBase *> requests_;
    std::vector<CallBase *> returns_;
    GlobalVariable *slot_ = nullptr;
};

}  // namespace

SystemCallResult keep_block(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses) {
    Keeper keeper(module, group.decision.id);
    if (std::string why_not = keeper.find(group); !why_not.empty())
        return {std::move(why_not), {}, 0};
    const uint64_t before = module.getInstructionCount();
    keeper.change(analyses);
    return {{}, keeper.remarks(), static_cast<int64_t>(module.getInstructionCount() - before)};
}

}  // namespace thalweg::transform
