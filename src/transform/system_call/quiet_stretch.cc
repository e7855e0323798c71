// transform: finds what ends a quiet stretch, and puts the forgetting in front of it.
#include "transform/system_call/quiet_stretch.h"

#include <array>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "abi/crossing.h"
#include "knowledge/function.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"
#include "transform/ir/use.h"
#include "transform/system_call/filter.h"
#include "transform/system_call/signal_handler.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral stretch_name = "thalweg.stretch";
constexpr StringLiteral store_metadata = "thalweg.stretch";
constexpr size_t most_targets =
    8;  // that a call through a pointer is compared with: as many as dispatchers have, and cheaper than a crossing

// Of the crossing room: of memory, and those that know themselves what the stretch is.
constexpr std::array quiet_crossings = {
    ABI_SYMBOL(thalweg_crossing_take).name,       ABI_SYMBOL(thalweg_crossing_give_back).name,
    ABI_SYMBOL(thalweg_crossing_opened).name,     ABI_SYMBOL(thalweg_crossing_fstat).name,
    ABI_SYMBOL(thalweg_crossing_fstat_into).name, ABI_SYMBOL(thalweg_crossing_read).name,
    ABI_SYMBOL(thalweg_crossing_lseek).name,      ABI_SYMBOL(thalweg_crossing_posix_fadvise).name,
    ABI_SYMBOL(thalweg_crossing_advise).name};

// With it, a plain load may learn of others and a plain store show them something, or another thread may be there that libc doesn't know of.
bool shares_memory(const knowledge::Function &function) { return function.memory != knowledge::Memory::own; }

// mmap's flags on Linux: memory of this process alone is MAP_PRIVATE | MAP_ANONYMOUS, and not MAP_SHARED.
constexpr uint64_t flags_of_kind = 0x01 | 0x02 | 0x20;
constexpr uint64_t private_anonymous = 0x02 | 0x20;
constexpr unsigned flags_of_mmap = 3;

bool maps_own_memory(const User &user, const Function &mmap) {
    const auto *call = dyn_cast<CallBase>(&user);
    if (!call || call->getCalledFunction() != &mmap || call->arg_size() <= flags_of_mmap)
        return false;
    const auto *flags = dyn_cast<ConstantInt>(call->getArgOperand(flags_of_mmap));
    return flags && (flags->getZExtValue() & flags_of_kind) == private_anonymous;
}

// Whether the body that the program runs is the one that is seen here.
bool is_own(const Function &function) { return !function.isDeclarationForLinker() && !function.isInterposable(); }

bool is_quiet_intrinsic(const Function &callee, const CallBase &call) {
    switch (callee.getIntrinsicID()) {
    case Intrinsic::stacksave:
    case Intrinsic::stackrestore:
    case Intrinsic::vastart:
    case Intrinsic::vaend:
    case Intrinsic::vacopy:
    case Intrinsic::trap:
        return true;
    default:
        return call.getMemoryEffects().onlyAccessesInaccessibleOrArgMem() || call.onlyReadsMemory();
    }
}

// What enters the kernel so that others see it, or waits for them, writes memory that is neither its arguments' nor its own.
bool is_quiet(const Function &callee, const CallBase &call) {
    if (callee.isIntrinsic())
        return is_quiet_intrinsic(callee, call);
    const knowledge::Function &known = knowledge::function(std::string_view(callee.getName()));
    if (is_own(callee) || known.others == knowledge::Others::ignores || is_contained(quiet_crossings, callee.getName()))
        return true;
    if (known.call)
        return false;
    return call.onlyReadsMemory() || call.onlyAccessesArgMemory();
}

// The program's functions that a call of this type through a pointer may come to: each ends the stretch itself where it does.
SmallVector<Function *> targets_of(const CallBase &call) {
    SmallVector<Function *> targets;
    for (Function &function : *const_cast<Module *>(call.getModule()))
        if (function.getFunctionType() == call.getFunctionType() && is_own(function) && function.hasAddressTaken())
            targets.push_back(&function);
    return targets;
}

bool opens(const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName() == ABI_SYMBOL(thalweg_crossing_opened).name;
}

// Which functions begin a stretch that goes on where they return.
class Beginners {
  public:
    explicit Beginners(Module &module) {
        SmallVector<Function *> next;
        for (Function &function : module)
            if (any_of(instructions(function), opens))
                next.push_back(&function);
        while (!next.empty()) {
            Function *function = next.pop_back_val();
            const bool may_return_to_foreign = function->hasAddressTaken() || !function->hasLocalLinkage();
            if (!(may_return_to_foreign ? end_at_return_ : go_on_).insert(function) || may_return_to_foreign)
                continue;
            for (User *user : function->users())
                if (auto *call = dyn_cast<CallBase>(user))
                    next.push_back(call->getFunction());
        }
    }

    bool may_begin(const Instruction &instruction) const {
        const auto *call = dyn_cast<CallBase>(&instruction);
        return call && (opens(*call) || (call->getCalledFunction() && go_on_.contains(call->getCalledFunction())));
    }
    // Others' code may have called it, and ends nothing itself.
    bool ends_at_return(Function &function) const { return end_at_return_.contains(&function); }

  private:
    SetVector<Function *> go_on_;
    SetVector<Function *> end_at_return_;
};

class Ender {
  public:
    Ender(const Beginners &beginners, const SignalHandlers &handlers) : beginners_(beginners), handlers_(handlers) {}

    // Which functions may be entered in a stretch: those that are called in one.
    void find_entered(Module &module) {
        SmallVector<Function *> next;
        for (Function &function : module)
            if (any_of(instructions(function), [&](const Instruction &one) { return beginners_.may_begin(one); }))
                next.push_back(&function);
        while (!next.empty()) {
            Function *function = next.pop_back_val();
            find_ended(*function);
            for (BasicBlock &block : *function)
                for_each_not_ended(block, [&](Instruction &instruction, Ends ends) {
                    for (Function *target : called_by(instruction, ends))
                        if (entered_.insert(target).second)
                            next.push_back(target);
                });
        }
    }

    void end_in(Function &function) {
        find_ended(function);
        SmallVector<std::pair<Instruction *, Ends>> found;
        for (BasicBlock &block : function)
            for_each_not_ended(block, [&](Instruction &instruction, Ends ends) {
                if (ends != Ends::no)
                    found.emplace_back(&instruction, ends);
            });
        for (const auto &[instruction, ends] : found)
            if (ends == Ends::if_target_is_foreign)
                end_for_foreign(*cast<CallBase>(instruction));
            else
                store_in_stretch(*instruction, 0);
        // What a handler notes in plain memory is news to the program.
        const bool at_entry = handlers_.may_be(function);
        if (at_entry)
            store_in_stretch(*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), 0);
        if (!end_where_it_goes_on_elsewhere(function) && found.empty() && !at_entry)
            return;
        if (function.getMemoryEffects() != MemoryEffects::unknown())
            forget_effects_of_callers(function);
    }

  private:
    static SmallVector<Function *> called_by(Instruction &instruction, Ends ends) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (!call)
            return {};
        if (ends == Ends::if_target_is_foreign)
            return targets_of(*call);
        auto *callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCastsAndAliases());
        return callee && !callee->isDeclaration() ? SmallVector<Function *>{callee} : SmallVector<Function *>{};
    }

    void for_each_not_ended(BasicBlock &block, function_ref<void(Instruction &, Ends)> visit) const {
        bool ended = ended_at_begin_.lookup(&block);
        for (Instruction &instruction : block) {
            const Ends ends = ends_of(instruction);
            if (!ended)
                visit(instruction, ends);
            ended = ended_behind(instruction, ends, ended);
        }
    }

    Ends ends_of(const Instruction &instruction) const {
        if ((isa<ReturnInst>(instruction) || isa<ResumeInst>(instruction)) &&
            beginners_.ends_at_return(*const_cast<Function *>(instruction.getFunction())))
            return Ends::yes;
        const Instruction *before = instruction.getPrevNonDebugInstruction();
        return before && before->hasMetadata(store_metadata) ? Ends::no : ends_stretch(instruction);
    }

    bool ended_behind(const Instruction &instruction, Ends ends, bool ended) const {
        return ends == Ends::yes || (ended && !beginners_.may_begin(instruction));
    }

    // Where no stretch can be begun, none has to be ended: forward, over all ways that lead to a block.
    void find_ended(Function &function) {
        ended_at_begin_.clear();
        ReversePostOrderTraversal<Function *> order(&function);
        for (const BasicBlock *block : order)
            ended_at_begin_[block] = block != &function.getEntryBlock() || !entered_.contains(&function);
        for (bool changed = true; changed;) {
            changed = false;
            for (const BasicBlock *block : order) {
                bool ended = ended_at_begin_.lookup(block);
                for (const Instruction &instruction : *block)
                    ended = ended_behind(instruction, ends_of(instruction), ended);
                for (const BasicBlock *next : successors(block))
                    if (!ended && ended_at_begin_.lookup(next)) {
                        ended_at_begin_[next] = false;
                        changed = true;
                    }
            }
        }
    }

    // setjmp returns once more, from a place that isn't known.
    static bool end_where_it_goes_on_elsewhere(Function &function) {
        SmallVector<Instruction *> behind;
        for (Instruction &instruction : instructions(function))
            if (const auto *call = dyn_cast<CallInst>(&instruction); call && call->hasFnAttr(Attribute::ReturnsTwice))
                behind.push_back(instruction.getNextNode());
        for (Instruction *instruction : behind)
            store_in_stretch(*instruction, 0);
        return !behind.empty();
    }

    void end_for_foreign(CallBase &call) {
        const SmallVector<Function *> targets = targets_of(call);
        if (targets.empty() || targets.size() > most_targets) {
            store_in_stretch(call, 0);
            return;
        }
        IRBuilder<> builder(&call);
        Value *is_known = builder.getFalse();
        for (Function *target : targets)
            is_known = builder.CreateOr(is_known, builder.CreateICmpEQ(call.getCalledOperand(), target));
        // Nothing is loaded and stored again: a handler may come in between, and what it has forgotten stays so.
        store_in_stretch(*SplitBlockAndInsertIfThen(builder.CreateNot(is_known), &call, false), 0);
    }

    const Beginners &beginners_;
    const SignalHandlers &handlers_;
    SmallPtrSet<const Function *, 32> entered_;
    DenseMap<const BasicBlock *, bool> ended_at_begin_;
};

}  // namespace

std::string obstacle_to_stretches(const Module &module) {
    const Function *main = module.getFunction("main");
    if (!main || main->isDeclaration())
        return "there is no main here: what else the program does isn't seen";
    if (const std::string used = used_that(module, shares_memory); !used.empty())
        return "the program uses " + used + ": others may see its memory";
    if (const std::string maker = filter_maker_in(module); !maker.empty())
        return "the program uses " + maker + ", which may forbid system calls that this needs";
    for (const StringRef name : names_of(knowledge::Act::maps)) {
        if (is_called_elsewhere(module, name))
            return "code without bitcode uses " + name.str() + ": others may see the memory that it maps";
        if (const Function *mmap = module.getFunction(name))
            for (const User *user : mmap->users())
                if (!maps_own_memory(*user, *mmap))
                    return "the program maps memory that others may see (" + name.str() + ")";
    }
    for (const Function &function : module)
        for (const Instruction &instruction : instructions(function))
            if (const auto *call = dyn_cast<CallBase>(&instruction); call && call->isMustTailCall())
                return function.getName().str() +
                       " ends in a call in place of a return: nothing can be forgotten behind it";
    return {};
}

GlobalVariable *made_stretch_of(Module &module) { return module.getNamedGlobal(stretch_name); }

GlobalVariable *stretch_of(Module &module) {
    if (GlobalVariable *made = made_stretch_of(module))
        return made;
    Type *type = storage_of<thalweg_crossing_stretch>(module.getContext());
    static_assert(offsetof(thalweg_crossing_stretch, descriptor) == 0, "store_in_stretch");
    auto *made = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage, Constant::getNullValue(type),
                                    stretch_name, nullptr, GlobalValue::GeneralDynamicTLSModel);
    made->setAlignment(Align(alignof(thalweg_crossing_stretch)));
    return made;
}

Ends ends_stretch(const Instruction &instruction) {
    if (instruction.isVolatile() || instruction.isAtomic())
        return Ends::yes;
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
        return Ends::no;
    if (call->isInlineAsm())
        return Ends::yes;
    const auto *callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCastsAndAliases());
    if (!callee)
        return isa<GlobalValue>(call->getCalledOperand()) ? Ends::yes : Ends::if_target_is_foreign;
    if (isa<GlobalAlias>(call->getCalledOperand()) && cast<GlobalAlias>(call->getCalledOperand())->isInterposable())
        return Ends::yes;
    return is_quiet(*callee, *call) ? Ends::no : Ends::yes;
}

void store_in_stretch(Instruction &before, int32_t descriptor) {
    IRBuilder<> builder(&before);
    Value *place = builder.CreateThreadLocalAddress(stretch_of(*before.getModule()));
    StoreInst *store = builder.CreateStore(builder.getInt32(static_cast<uint32_t>(descriptor)), place);
    store->setMetadata(store_metadata, MDNode::get(before.getContext(), {}));
}

void end_stretches(Module &module, FunctionAnalysisManager &analyses) {
    if (!made_stretch_of(module))
        return;
    const Beginners beginners(module);
    const SignalHandlers handlers(module);
    Ender ender(beginners, handlers);
    ender.find_entered(module);
    for (Function &function : module) {
        if (function.isDeclaration())
            continue;
        ender.end_in(function);
        analyses.invalidate(function, PreservedAnalyses::none());
    }
}

}  // namespace thalweg::transform
