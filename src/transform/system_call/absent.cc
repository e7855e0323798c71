// transform: a loop that closes numbers of which most are no descriptors makes the calls for those that are (decision elide).
#include "transform/system_call/absent.h"

#include <array>
#include <sys/syscall.h>

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "abi/absent_number.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"
#include "transform/ir/use.h"
#include "transform/system_call/filter.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// Another process may have the program's descriptors, or a call that isn't made is to end the thread.
bool is_obstacle(const knowledge::Function &function) {
    return function.descriptor_table != knowledge::DescriptorTable::own ||
           function.course == knowledge::Course::ends_thread;
}
// The same by number.
constexpr std::array<uint64_t, 3> obstacles_of_syscall = {SYS_clone, SYS_clone3, SYS_unshare};
// fcntl(2): the commands whose third argument is no address.
constexpr uint64_t get_flags = 1;
constexpr uint64_t set_flags = 2;
constexpr uint32_t weight_of_likely = 1000;

bool is_harmless_number(const Use &use) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    const bool is_called = call && &call->getCalledOperandUse() == &use && call->arg_size() > 0;
    const auto *number = is_called ? dyn_cast<ConstantInt>(call->getArgOperand(0)) : nullptr;
    return number && !is_contained(obstacles_of_syscall, number->getZExtValue());
}

std::string obstacle_in(const Module &module) {
    if (const std::string used = used_that(module, is_obstacle); !used.empty())
        return "the program uses " + used + ": what it may do or share isn't seen";
    if (const std::string maker = filter_maker_in(module); !maker.empty())
        return "the program uses " + maker + ": it may forbid itself system calls";
    for (const StringRef name : names_that(calls_by_number)) {
        const GlobalValue *any = module.getNamedValue(name);
        if (is_called_elsewhere(module, name) || (any && !all_of(any->uses(), is_harmless_number)))
            return "the program uses " + name.str() + " for more than is known to do no harm";
    }
    return {};
}

std::string why_not_acts(const CallBase &call) {
    const knowledge::Act act = act_of(call);
    const StringRef name = called_system_call(call) ? called_name(call) : StringRef("what is called");
    const bool is_plain = isa<CallInst>(call) && !call.hasOperandBundles() && call.arg_size() > 0 &&
                          call.getType()->isIntegerTy(32) && call.getArgOperand(0)->getType()->isIntegerTy(32);
    if (is_plain && act == knowledge::Act::closes)
        return {};
    const auto *command = is_plain && call.arg_size() > 1 ? dyn_cast<ConstantInt>(call.getArgOperand(1)) : nullptr;
    if (act == knowledge::Act::controls && command && (command->equalsInt(get_flags) || command->equalsInt(set_flags)))
        return {};
    return name.str() + " may do more than act on a descriptor";
}

// A signal's handler may write what lies elsewhere, and open something besides: who reads it has learned that the handler was there.
bool is_own_memory(const LoadInst &load) {
    const Value *object = getUnderlyingObject(load.getPointerOperand());
    if (const auto *global = dyn_cast<GlobalVariable>(object))
        return global->isConstant();
    return is_place_of_errno(*object) || (isa<AllocaInst>(object) && !PointerMayBeCaptured(object, true, true));
}

// Why others could learn of what a round does beside calls that act on descriptors, or it of them; empty: it is quiet.
std::string why_loud(const Instruction &one) {
    if (isa<BranchInst, SwitchInst, DbgInfoIntrinsic, AssumeInst>(one) || one.isLifetimeStartOrEnd())
        return {};
    if (const auto *load = dyn_cast<LoadInst>(&one))
        return load->isSimple() && is_own_memory(*load) ? "" : "it looks at what others may change";
    if (const auto *call = dyn_cast<CallBase>(&one)) {
        if (!call->isTerminator() && call->doesNotAccessMemory() && call->doesNotThrow() && call->willReturn())
            return {};
        if (why_not_acts(*call).empty())
            return {};
        const Function *callee = call->getCalledFunction();
        return "it calls " + (callee ? callee->getName().str() : std::string("a pointer")) + " in each round";
    }
    if (one.isTerminator() || one.isEHPad())
        return "it may end by an exception, or so";
    return one.mayReadOrWriteMemory() ? "it changes memory in each round" : "";
}

constexpr AbiSymbol told_of = ABI_SYMBOL(thalweg_crossing_was_made);

bool is_told_of(const CallBase &call) {
    const auto *behind = dyn_cast_or_null<CallBase>(call.getNextNode());
    return behind && behind->getCalledFunction() && behind->getCalledFunction()->getName() == told_of.name;
}

struct NumberLoop {
    CallBase *call = nullptr;
    Loop *loop = nullptr;
    SmallVector<CallBase *> calls;  // all of the loop
};

std::string why_not(NumberLoop &numbers, FunctionAnalysisManager &analyses) {
    Function &function = *numbers.call->getFunction();
    if (std::string problem = why_not_acts(*numbers.call); !problem.empty())
        return problem;
    if (function.isPresplitCoroutine() || function.hasOptNone() || function.callsFunctionThatReturnsTwice())
        return function.getName().str() + " is not to be changed";
    numbers.loop = analyses.getResult<LoopAnalysis>(function).getLoopFor(numbers.call->getParent());
    if (!numbers.loop)
        return "the result of " + called_name(*numbers.call).str() + " isn't known: there is no loop around it";
    if (numbers.loop->isLoopInvariant(numbers.call->getArgOperand(0)))
        return "the loop calls it with the same number in each round";
    if (is_told_of(*numbers.call))
        return "another decision has seen to its loop";
    for (BasicBlock *block : numbers.loop->blocks())
        for (Instruction &one : *block) {
            if (std::string loud = why_loud(one); !loud.empty())
                return "others could tell when the loop's calls are made: " + loud;
            if (auto *call = dyn_cast<CallBase>(&one); call && why_not_acts(*call).empty())
                numbers.calls.push_back(call);
        }
    return {};
}

class Leaver {
  public:
    Leaver(const NumberLoop &numbers, FunctionAnalysisManager &analyses)
        : numbers_(numbers), function_(*numbers.call->getFunction()), module_(*function_.getParent()),
          analyses_(analyses) {}

    void leave_out() {
        forget_in_front();
        for (CallBase *call : numbers_.calls)
            ask_before(*call);
        forget_effects_of_callers(function_);
        analyses_.invalidate(function_, PreservedAnalyses::none());
    }

  private:
    void forget_in_front() {
        auto &trees = analyses_.getResult<DominatorTreeAnalysis>(function_);
        auto &loops = analyses_.getResult<LoopAnalysis>(function_);
        BasicBlock *front = numbers_.loop->getLoopPreheader();
        if (!front)
            front = InsertPreheaderForLoop(numbers_.loop, &trees, &loops, nullptr, false);
        Type *type = storage_of<thalweg_crossing_numbers>(module_.getContext());
        known_ = new AllocaInst(type, module_.getDataLayout().getAllocaAddrSpace(), nullptr, "thalweg.numbers",
                                function_.getEntryBlock().getFirstInsertionPt());
        IRBuilder<>(front->getTerminator()).CreateStore(Constant::getNullValue(type), known_);
    }

    void ask_before(CallBase &call) {
        Instruction *made = nullptr;
        Instruction *left_out = nullptr;
        LLVMContext &context = module_.getContext();
        IRBuilder<> builder(&call);
        const FunctionCallee ask = declare(module_, ABI_SYMBOL(thalweg_crossing_is_absent));
        Value *number = call.getArgOperand(0);
        Value *is_absent = builder.CreateCall(ask, {known_, number}, "thalweg.is_absent");
        SplitBlockAndInsertIfThenElse(is_absent, &call, &left_out, &made,
                                      MDBuilder(context).createBranchWeights(weight_of_likely, 1));
        BasicBlock *after = call.getParent();
        call.moveBefore(made);
        PHINode *result = PHINode::Create(call.getType(), 2, "", after->begin());
        call.replaceAllUsesWith(result);
        result->addIncoming(&call, made->getParent());
        result->addIncoming(ConstantInt::getSigned(call.getType(), -1), left_out->getParent());
        builder.SetInsertPoint(made);
        builder.CreateCall(declare(module_, told_of), {known_, number, &call});
    }

    const NumberLoop &numbers_;
    Function &function_;
    Module &module_;
    FunctionAnalysisManager &analyses_;
    AllocaInst *known_ = nullptr;
};

}  // namespace

SystemCallResult leave_out_absent(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses) {
    if (std::string problem = obstacle_in(module); !problem.empty())
        return {std::move(problem), {}, 0};
    const std::vector<CallBase *> calls = calls_at(module, group.first);
    for (CallBase *call : calls) {
        NumberLoop numbers{call, nullptr, {}};
        if (std::string problem = why_not(numbers, analyses); !problem.empty())
            return {std::move(problem), {}, 0};
    }
    if (calls.empty())
        return {"nothing is left of the call: another decision took its place", {}, 0};
    const uint64_t before = module.getInstructionCount();
    for (CallBase *call : calls) {
        NumberLoop numbers{call, nullptr, {}};
        if (why_not(numbers, analyses).empty())  // its loop is found anew: another call's may have moved it
            Leaver(numbers, analyses).leave_out();
    }
    return {{},
            called_name(*calls.front()).str() + " is made for numbers that may be descriptors",
            static_cast<int64_t>(module.getInstructionCount() - before)};
}

}  // namespace thalweg::transform
