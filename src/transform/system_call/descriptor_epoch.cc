// transform: what a program knows of its own descriptors is forgotten wherever it may change (docs/SYSTEM_CALLS.md).
#include "transform/system_call/descriptor_epoch.h"

#include <fcntl.h>

#include <array>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "abi/descriptors.h"
#include "abi/names.h"
#include "knowledge/function.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"
#include "transform/ir/use.h"
#include "transform/system_call/quiet_stretch.h"
#include "transform/system_call/signal_handler.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral variable_name = "thalweg.descriptors";
constexpr size_t epoch_word = offsetof(thalweg_crossing_descriptors, epoch) / sizeof(uint64_t);
constexpr size_t noted_word = offsetof(thalweg_crossing_descriptors, noted) / sizeof(uint64_t);
constexpr size_t abroad_word = offsetof(thalweg_crossing_descriptors, abroad) / sizeof(uint64_t);
constexpr uint64_t first_epoch = 1;
constexpr uint32_t weight_of_likely = 1000;

// There may be threads that the C library doesn't count, or calls that aren't seen.
bool is_unseen(const knowledge::Function &function) { return function.unseen != knowledge::Unseen::nothing; }

// fcntl(2): of its commands, those that leave open descriptors as they are, but for FD_CLOEXEC.
constexpr std::array harmless_commands = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD,     F_SETFD,     F_GETFL,     F_GETLK,
                                          F_SETLK, F_SETLKW,        F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW};

// Calls that tell of a descriptor: those that open give it and are asked for its flags.
struct Telling {
    knowledge::Act act;
    unsigned arguments;  // named ones
    int flags = -1;  // an argument's position; fstat: none
};
constexpr std::array telling = {Telling{knowledge::Act::opens, 2, 1}, Telling{knowledge::Act::opens_at, 3, 2},
                                Telling{knowledge::Act::looks, 2}};

bool is_own(const Function &function) { return !function.isDeclarationForLinker() && !function.isInterposable(); }

const Function *callee_of(const CallBase &call) {
    return dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

bool is_harmless_fcntl(const CallBase &call) {
    const auto *command = call.arg_size() < 2 ? nullptr : dyn_cast<ConstantInt>(call.getArgOperand(1));
    return command && is_contained(harmless_commands, command->getSExtValue());
}

bool keeps_descriptors(const Function &callee, const CallBase &call, const TargetLibraryInfo &library) {
    const StringRef name = callee.getName();
    if (callee.isIntrinsic() || is_own(callee) || name.starts_with(abi::crossing_prefix))
        return true;
    const knowledge::Function &known = knowledge::function(std::string_view(name));
    if (known.call && known.call->act == knowledge::Act::controls)
        return is_harmless_fcntl(call);
    // What is declared otherwise than the C library's function of that name is another.
    LibFunc in_llvm = NumLibFuncs;
    const bool is_known = known.call || !library.getLibFunc(name, in_llvm) || library.getLibFunc(callee, in_llvm);
    return (is_known && known.descriptors == knowledge::Descriptors::keeps) || ends_stretch(call) == Ends::no;
}

const Telling *telling_row(const CallBase &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee || is_own(*callee) || !isa<CallInst>(call) || call.hasOperandBundles())
        return nullptr;
    const knowledge::Act act = knowledge::act_of(std::string_view(callee->getName()));
    const auto *row = find_if(telling, [&](const Telling &one) { return one.act == act; });
    const FunctionType &type = *call.getFunctionType();
    const bool fits = row != telling.end() && type.getNumParams() == row->arguments &&
                      type.getReturnType()->isIntegerTy(32) &&
                      (row->flags >= 0 ? type.getParamType(static_cast<unsigned>(row->flags))->isIntegerTy(32)
                                       : type.getParamType(0)->isIntegerTy(32) && type.getParamType(1)->isPointerTy());
    return fits ? row : nullptr;
}

class Keeper {
  public:
    Keeper(Module &module, GlobalVariable &known) : module_(module), known_(known), handlers_(module) {}

    // A function whose address is taken is known by where it lies.
    void gather_own_functions() {
        for (Function &function : module_)
            if (is_own(function) && !function.isDeclaration() && function.hasAddressTaken() && !function.hasSection()) {
                function.setSection(abi::own_functions_section);
                has_own_ = true;
            }
    }

    // Before that, others' constructors may run between the program's own.
    void begin_in_main() {
        IRBuilder<> builder(&*module_.getFunction("main")->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        store(builder, abroad_word, builder.getInt64(0));
    }

    bool keep_in(Function &function, const TargetLibraryInfo &library) {
        SmallVector<CallBase *> calls;
        for (Instruction &one : instructions(function))
            if (auto *call = dyn_cast<CallBase>(&one))
                calls.push_back(call);
        bool changed = handlers_.may_be(function) && !calls.empty() && begin_epoch_where_noted(function);
        for (CallBase *call : calls)
            changed |= keep_at(*call, library);
        return changed;
    }

  private:
    bool keep_at(CallBase &call, const TargetLibraryInfo &library) {
        if (call.isInlineAsm())
            return go_abroad(call, call);
        const Function *callee = callee_of(call);
        if (!callee)
            return begin_epoch_if_foreign(call);
        if (const Telling *row = telling_row(call))
            return tell(cast<CallInst>(call), *row);
        if (knowledge::act_of(std::string_view(callee->getName())) == knowledge::Act::closes && !is_own(*callee) &&
            call.arg_size() == 1 && call.getArgOperand(0)->getType()->isIntegerTy(32))
            return forget(call);
        return !keeps_descriptors(*callee, call, library) && go_abroad(call, call);
    }

    StoreInst *store(IRBuilder<> &builder, size_t word, Value *value) {
        StoreInst *stored = builder.CreateStore(value, place(builder, word));
        stored->setAtomic(AtomicOrdering::Monotonic);
        return stored;
    }

    // Begins an epoch `before` the call, and has nothing noted or known until it returns. Where it never returns here, nothing is any more.
    bool go_abroad(CallBase &call, Instruction &before) {
        // In front of the branch, where there is one.
        const bool is_behind_branch = before.getParent() != call.getParent();
        IRBuilder<> builder(is_behind_branch ? before.getParent()->getSinglePredecessor()->getTerminator() : &before);
        LoadInst *was_abroad = load(builder, abroad_word);
        builder.SetInsertPoint(&before);
        begin_epoch(before);
        store(builder, abroad_word, builder.getInt64(1));
        BasicBlock::iterator behind;
        if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
            BasicBlock *to = invoke->getNormalDest();
            if (!to->getSinglePredecessor())
                to = SplitEdge(invoke->getParent(), to);
            behind = to->getFirstInsertionPt();
        } else if (isa<CallInst>(call)) {
            behind = std::next(call.getIterator());
        } else {
            return true;
        }
        builder.SetInsertPoint(behind->getParent(), behind);
        store(builder, abroad_word, was_abroad);
        // A child of vfork has had the same memory, and other descriptors.
        return call.hasFnAttr(Attribute::ReturnsTwice) ? begin_epoch(*behind) : true;
    }

    bool begin_epoch(Instruction &before) {
        IRBuilder<> builder(&before);
        builder.CreateAtomicRMW(AtomicRMWInst::Add, &known_, builder.getInt64(1), MaybeAlign(),
                                AtomicOrdering::Monotonic);
        return true;
    }

    Value *place(IRBuilder<> &builder, size_t word) {
        return builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), &known_, word);
    }
    LoadInst *load(IRBuilder<> &builder, size_t word) {
        LoadInst *loaded = builder.CreateLoad(builder.getInt64Ty(), place(builder, word));
        loaded->setAtomic(AtomicOrdering::Monotonic);
        return loaded;
    }

    // It may have interrupted a call that changes descriptors, and what it noted may be wrong when that returns. Ways out but by a return lead
    // through functions that begin an epoch themselves (longjmp, __cxa_throw).
    bool begin_epoch_where_noted(Function &function) {
        IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        Value *before = load(builder, noted_word);
        SmallVector<Instruction *> ways_out;
        for (BasicBlock &block : function)
            if (isa<ReturnInst>(block.getTerminator()) || isa<ResumeInst>(block.getTerminator()))
                ways_out.push_back(block.getTerminator());
        for (Instruction *out : ways_out) {
            builder.SetInsertPoint(out);
            Value *has_noted = builder.CreateICmpNE(before, load(builder, noted_word), "thalweg.has_noted");
            begin_epoch(*SplitBlockAndInsertIfThen(has_noted, out, false));
        }
        return true;
    }

    GlobalVariable *end_of_section(StringRef prefix) {
        const std::string name = (prefix + abi::own_functions_section).str();
        if (GlobalVariable *made = module_.getNamedGlobal(name))
            return made;
        auto *made = new GlobalVariable(module_, Type::getInt8Ty(module_.getContext()), true,
                                        GlobalValue::ExternalWeakLinkage, nullptr, name);
        made->setVisibility(GlobalValue::HiddenVisibility);
        return made;
    }

    bool begin_epoch_if_foreign(CallBase &call) {
        if (!has_own_)
            return go_abroad(call, call);
        IRBuilder<> builder(&call);
        Value *begin = builder.CreatePtrToInt(end_of_section("__start_"), builder.getInt64Ty());
        Value *end = builder.CreatePtrToInt(end_of_section("__stop_"), builder.getInt64Ty());
        Value *target = builder.CreatePtrToInt(call.getCalledOperand(), builder.getInt64Ty());
        Value *is_foreign = builder.CreateICmpUGE(builder.CreateSub(target, begin), builder.CreateSub(end, begin),
                                                  "thalweg.is_foreign");
        Instruction *then = SplitBlockAndInsertIfThen(
            is_foreign, &call, false, MDBuilder(module_.getContext()).createBranchWeights(1, weight_of_likely));
        return go_abroad(call, *then);
    }

    bool forget(CallBase &call) {
        IRBuilder<> builder(&call);
        builder.CreateCall(declare(module_, ABI_SYMBOL(thalweg_crossing_forget)), {&known_, call.getArgOperand(0)});
        return true;
    }

    bool tell(CallInst &call, const Telling &row) {
        IRBuilder<> builder(&call);
        LoadInst *epoch = load(builder, epoch_word);
        builder.SetInsertPoint(call.getNextNode());
        builder.SetCurrentDebugLocation(call.getDebugLoc());
        if (row.flags >= 0)
            builder.CreateCall(declare(module_, ABI_SYMBOL(thalweg_crossing_note_open)),
                               {&known_, epoch, &call, call.getArgOperand(static_cast<unsigned>(row.flags))});
        else
            builder.CreateCall(declare(module_, ABI_SYMBOL(thalweg_crossing_note_status)),
                               {&known_, epoch, call.getArgOperand(0), &call, call.getArgOperand(1)});
        return true;
    }

    Module &module_;
    GlobalVariable &known_;
    SignalHandlers handlers_;
    bool has_own_ = false;
};

bool is_all_seen(const Module &module) {
    const Function *main = module.getFunction("main");
    if (!main || main->isDeclaration() || !module.getModuleInlineAsm().empty())
        return false;
    if (!used_that(module, is_unseen).empty())
        return false;
    for (const Function &function : module)
        for (const Instruction &one : instructions(function))
            if (const auto *call = dyn_cast<CallBase>(&one); call && call->isMustTailCall())
                return false;
    return true;
}

}  // namespace

GlobalVariable *known_descriptors_of(Module &module) {
    if (GlobalVariable *made = module.getNamedGlobal(variable_name))
        return made;
    if (!is_all_seen(module))
        return nullptr;
    ArrayType *type = storage_of<thalweg_crossing_descriptors>(module.getContext());
    SmallVector<uint64_t> words(type->getNumElements());
    words[epoch_word] = first_epoch;
    words[abroad_word] = 1;
    auto *made = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage,
                                    ConstantDataArray::get(module.getContext(), words), variable_name);
    made->setAlignment(Align(alignof(thalweg_crossing_descriptors)));
    return made;
}

void keep_descriptor_epochs(Module &module, FunctionAnalysisManager &analyses) {
    GlobalVariable *known = module.getNamedGlobal(variable_name);
    if (!known)
        return;
    Keeper keeper(module, *known);
    keeper.gather_own_functions();
    keeper.begin_in_main();
    SmallVector<Function *> changed;
    for (Function &function : module) {
        if (function.isDeclaration() || !keeper.keep_in(function, analyses.getResult<TargetLibraryAnalysis>(function)))
            continue;
        changed.push_back(&function);
        analyses.invalidate(function, PreservedAnalyses::none());
    }
    forget_effects_of_callers(changed);
}

}  // namespace thalweg::transform
