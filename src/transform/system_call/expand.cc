// transform: what a call prints is put into the buffer by a function of the program, which knows the format; what it reads is taken out there.
#include "transform/system_call/expand.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

#include "transform/ir/function_effects.h"
#include "transform/libc/input_function.h"
#include "transform/libc/output_function.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// LLVM's inlining goes by how often a function is entered, where that was counted.
void count_entries(Function &function, const CallBase &call, FunctionAnalysisManager &analyses) {
    Function &caller = *const_cast<Function *>(call.getFunction());
    if (!caller.getEntryCount())
        return;
    const auto count = analyses.getResult<BlockFrequencyAnalysis>(caller).getBlockProfileCount(call.getParent());
    const auto before = function.getEntryCount();
    function.setEntryCount((before ? before->getCount() : 0) + count.value_or(0));
}

// What the call does, in its place; null: it is no such call any more.
struct InPlace {
    Function *function = nullptr;
    std::string words;
};

// A format as a reader finds it in the source; of what has none: its argument.
std::string shown_of(StringRef format) {
    constexpr size_t longest = 60;
    if (format.empty())
        return "its argument";
    std::string text;
    raw_string_ostream stream(text);
    printEscapedString(format.take_front(longest), stream);
    return "\"" + text + (format.size() > longest ? "..." : "") + "\"";
}

InPlace in_place_of(const CallBase &call, const TargetLibraryInfo &library) {
    if (const std::optional<OutputCall> output = output_call(call))
        return {&output_function(call, *output, library), shown_of(output->format) + " is put in place"};
    if (const knowledge::Input *input = input_call(call))
        return {&input_function(call, *input, library), input->take == knowledge::Take::back
                                                            ? "what is given back is put in place"
                                                            : "what it reads is taken in place"};
    return {};
}

void call_instead(CallBase &call, Function &function) {
    call.setCalledFunction(&function);
    call.setAttributes({});
    // What may be inlined is called from somewhere.
    if (DISubprogram *caller = call.getFunction()->getSubprogram(); caller && !call.getDebugLoc())
        call.setDebugLoc(DILocation::get(call.getContext(), 0, 0, caller));
    if (auto *plain = dyn_cast<CallInst>(&call))
        plain->setTailCallKind(CallInst::TCK_None);
}

}  // namespace

SystemCallResult expand_output(const SystemCallGroup &group, Module &module, FunctionAnalysisManager &analyses) {
    const uint64_t before = module.getInstructionCount();
    SmallVector<Function *> callers;
    InPlace made;
    const std::vector<CallBase *> calls = calls_at(module, group.first);
    if (!calls.empty())
        if (std::string obstacle =
                obstacle_in_place(module, analyses.getResult<TargetLibraryAnalysis>(*calls.front()->getFunction()));
            !obstacle.empty())
            return {std::move(obstacle), {}, 0};
    for (CallBase *call : calls) {
        InPlace one = in_place_of(*call, analyses.getResult<TargetLibraryAnalysis>(*call->getFunction()));
        if (!one.function)
            continue;
        count_entries(*one.function, *call, analyses);
        call_instead(*call, *one.function);
        made = std::move(one);
        callers.push_back(call->getFunction());
    }
    if (callers.empty())
        return {"what it prints or reads is not known any more", {}, 0};
    forget_effects_of_callers(callers);
    PreservedAnalyses kept;
    kept.preserveSet<CFGAnalyses>();
    for (Function *caller : callers)
        analyses.invalidate(*caller, kept);
    std::string remarks = made.words + ", by " + made.function->getName().str();
    if (callers.size() > 1)
        remarks += ", at " + std::to_string(callers.size()) + " copies of the call";
    return {{}, std::move(remarks), static_cast<int64_t>(module.getInstructionCount() - before)};
}

}  // namespace thalweg::transform
