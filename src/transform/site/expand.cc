// transform: gives each caller its own copy of a dispatch loop that several share.
#include "transform/site/expand.h"

#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <thalweg/thalweg.h>

#include "abi/names.h"
#include "transform/ir/abi.h"
#include "transform/ir/counted_code.h"
#include "transform/ir/rounding.h"
#include "transform/site/dispatch_site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// An emit function of a signal library is this small; LLVM's own limit for hot calls (cost 3,000 in PGO builds) is wider.
constexpr unsigned max_dispatcher_instructions = 250;
// More callers than this, and the copies cost more than the profile's sharpness is worth: 64 x 250 instructions.
constexpr size_t max_callers = 64;
// What is copied is optimised and compiled once more in every recording link, whose time a user waits for: a quarter of the program. What takes
// a second or two of a link is always allowed: LLVM 19 links 12,000 to 22,000 instructions a second (docs/FIGURES.md: lua, zlib, sqlite3).
constexpr uint64_t part_for_copies = 4;
constexpr uint64_t always_allowed_copies = 20'000;
// A program that declares no event's types needs no copies of the raise of such events.
constexpr StringLiteral declare_name = ABI_SYMBOL(thalweg_event_declare).name;

// A dispatcher, the calls that get it, and how many instructions that is.
struct Copied {
    Function *function;
    std::vector<CallBase *> callers;
    uint64_t instructions;
    size_t number;  // in the module
};

bool is_needed(const Function &function) {
    if (!function.getName().starts_with(abi::declared_raise_prefix))
        return true;
    const Function *declare = function.getParent()->getFunction(declare_name);
    return declare && !declare->use_empty();
}

bool has_dispatch_loop(Function &function) {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    return llvm::any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) { return is_dispatch_loop(*loop, loops); });
}

std::vector<CallBase *> direct_callers(Function &function) {
    std::vector<CallBase *> callers;
    for (User *user : function.users()) {
        auto *call = dyn_cast<CallBase>(user);
        if (call && call->getCalledFunction() == &function && call->getFunction() != &function)
            callers.push_back(call);
    }
    return callers;
}

bool can_expand(CallBase &call, Function &callee, FunctionAnalysisManager &analyses) {
    Function &caller = *call.getFunction();
    if (call.isNoInline() || !why_rounding_stays(callee).empty() ||
        !AttributeFuncs::areInlineCompatible(caller, callee))
        return false;
    return analyses.getResult<TargetIRAnalysis>(caller).areInlineCompatible(&caller, &callee);
}

bool is_small_dispatcher(Function &function) {
    return !function.isDeclaration() && !function.hasFnAttribute(Attribute::NoInline) &&
           !function.hasFnAttribute(Attribute::Cold) && !function.hasOptNone() &&
           instructions_without_counters(function) <= max_dispatcher_instructions && has_dispatch_loop(function) &&
           isInlineViable(function).isSuccess();
}

bool has_copies(Function &function) {
    if (!is_small_dispatcher(function) || !is_needed(function))
        return false;
    const size_t callers = direct_callers(function).size();
    return callers > 0 && callers <= max_callers;
}

bool expand(CallBase &call) {
    const Origin origin = origin_of(call);
    InlineFunctionInfo info;
    if (!InlineFunction(call, info, true).isSuccess())
        return false;
    note_way(origin, info.InlinedCallSites);
    return true;
}

// The call of the function that is, or leads to, the one with this origin: of several the one that is nearest.
CallBase *nearest(Function &function, const Origin &origin) {
    CallBase *found = nullptr;
    size_t length = 0;
    for (Instruction &one : instructions(function)) {
        auto *call = dyn_cast<CallBase>(&one);
        const Origin own = call ? origin_of(*call) : Origin{};
        if (own.size() > length && is_on_the_way(own, origin)) {
            found = call;
            length = own.size();
        }
    }
    return found;
}

}  // namespace

std::vector<const Function *> functions_that_count_for_copies(const Module &module) {
    const Function *declare = module.getFunction(declare_name);
    return declare ? std::vector{declare} : std::vector<const Function *>{};
}

std::optional<std::vector<Function *>> bring_in(Function &function, const Origin &origin,
                                                FunctionAnalysisManager &analyses) {
    std::vector<Function *> copied;
    while (CallBase *call = nearest(function, origin)) {
        if (origin_of(*call).size() == origin.size())
            return copied;
        Function *callee = call->getCalledFunction();
        if (!callee || callee->isDeclaration() || callee == &function || !can_expand(*call, *callee, analyses) ||
            !expand(*call))
            return {};
        copied.push_back(callee);
    }
    return {};
}

uint64_t room_for_copies(uint64_t instructions) {
    return std::max(always_allowed_copies, instructions / part_for_copies);
}

void expand_dispatchers(Module &module, FunctionAnalysisManager &analyses, uint64_t room) {
    // How deep copies lie in each function, also those of one level: where each of a chain calls the next one twice, the last would be in the
    // first 2^n times, in loops within loops, each of which the twin has twice.
    DenseMap<const Function *, unsigned> levels_in;
    for (unsigned level = 0; level < max_levels_of_copies; ++level) {
        std::vector<Copied> work;
        for (Function &function : module)
            if (has_copies(function)) {
                std::vector<CallBase *> callers = direct_callers(function);
                const uint64_t size = instructions_without_counters(function) * callers.size();
                work.push_back({&function, std::move(callers), size, work.size()});
            }
        llvm::sort(work, [](const Copied &a, const Copied &b) {
            return std::pair(a.instructions, a.number) < std::pair(b.instructions, b.number);
        });
        for (const Copied &one : work) {
            if (one.instructions > room)
                break;
            const unsigned levels = levels_in[one.function];
            if (levels == max_levels_of_copies)
                continue;
            room -= one.instructions;
            for (CallBase *call : llvm::reverse(one.callers)) {
                Function &caller = *call->getFunction();
                if (can_expand(*call, *one.function, analyses) && expand(*call))
                    levels_in[&caller] = std::max(levels_in[&caller], levels + 1);
            }
        }
    }
}

}  // namespace thalweg::transform
