// transform: finds the dispatch sites of a module.
#include "transform/site/dispatch_site.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

#include "abi/names.h"
#include "transform/ir/abi.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral site_metadata = "thalweg.site";
constexpr StringLiteral dispatch_next = ABI_SYMBOL(thalweg_dispatch_next).name;

bool is_call_of(const Instruction &instruction, StringRef name) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

bool calls(const BasicBlock &block, StringRef name) {
    return any_of(block, [&](const Instruction &instruction) { return is_call_of(instruction, name); });
}

// The slow rest of a raise asks the runtime before each handler; it is the fall-back itself and no place to optimise.
bool is_slow_rest(const Loop &loop, const LoopInfo &loops) {
    return any_of(loop.blocks(), [&](const BasicBlock *block) {
        return loops.getLoopFor(block) == &loop && calls(*block, dispatch_next);
    });
}

// std::invoke and its like: no place that a user knows.
bool is_standard_library_function(StringRef name) {
    return name.starts_with("_ZSt") || name.starts_with("_ZNSt") || name.starts_with("_ZNKSt");
}

// Cloning a block that ends so would change what it means.
bool can_be_copied(const Loop &loop) {
    for (const BasicBlock *block : loop.blocks()) {
        if (isa<IndirectBrInst, CallBrInst>(block->getTerminator()) || block->hasAddressTaken())
            return false;
        for (const Instruction &instruction : *block) {
            const auto *call = dyn_cast<CallBase>(&instruction);
            if (call && (call->cannotDuplicate() || call->isConvergent() || call->hasFnAttr(Attribute::ReturnsTwice)))
                return false;
        }
    }
    return loop.isLoopSimplifyForm();
}

void find_in_function(Function &function, std::vector<DispatchSite> &sites) {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    SmallVector<Loop *, 8> candidates;
    for (Loop *loop : loops.getLoopsInPreorder())
        if (is_dispatch_loop(*loop, loops))
            candidates.push_back(loop);
    if (candidates.empty())
        return;
    for (Loop *loop : candidates)
        bring_into_form(*loop, dominators, loops);
    const uint64_t hash = StructuralHash(function, true);
    uint32_t ordinal = 0;
    for (Loop *loop : candidates) {
        const auto indirect = dispatch_calls(*loop, loops);
        if (indirect.empty() || !can_be_copied(*loop))
            continue;
        DispatchSite site;
        site.number = static_cast<uint32_t>(sites.size());
        site.function = &function;
        site.call_count = static_cast<uint32_t>(indirect.size());
        site.key.function = function.getName().str();
        site.key.ordinal = ordinal++;
        site.key.body_hash = hash;
        site.key.kind = event_loop(*loop).core ? model::SiteKind::event : model::SiteKind::list;
        site.key.place = place_of(*indirect.front());
        site.inlined = inlined_at(*indirect.front());
        for (uint32_t ordinal_of_call = 0; CallBase * call : indirect)
            set_site(*call, site.number, ordinal_of_call++);
        sites.push_back(std::move(site));
    }
}

// The site's number (0), and which of its calls it is (1).
uint32_t marked(const Instruction &call, unsigned what) {
    const MDNode *node = call.getMetadata(site_metadata);
    return node ? static_cast<uint32_t>(mdconst::extract<ConstantInt>(node->getOperand(what))->getZExtValue())
                : no_site;
}

// A call in one of the runtime's header functions that was put into the program's.
bool is_bookkeeping(const CallBase *call) {
    const DILocation *own = call->getDebugLoc();
    return own && own->getInlinedAt() && is_runtime_function(own->getSubprogramLinkageName());
}

}  // namespace

bool is_runtime_function(StringRef name) {
    return name.starts_with(abi::c_prefix) || name.starts_with(abi::cxx_prefix);
}

bool is_dispatch_loop(const Loop &loop, const LoopInfo &loops) {
    if (dispatch_calls(loop, loops).empty() || is_slow_rest(loop, loops))
        return false;
    return event_loop(loop).core || (!is_runtime_function(loop.getHeader()->getParent()->getName()) &&
                                     !all_of(dispatch_calls(loop, loops), is_bookkeeping));
}

std::vector<CallBase *> dispatch_calls(const Loop &loop, const LoopInfo &loops) {
    std::vector<CallBase *> found;
    for (BasicBlock *block : loop.blocks()) {
        if (loops.getLoopFor(block) != &loop)
            continue;
        for (Instruction &instruction : *block) {
            auto *call = dyn_cast<CallBase>(&instruction);
            if (call && call->isIndirectCall())
                found.push_back(call);
        }
    }
    return found;
}

std::vector<CallBase *> calls_of_site(const Loop &loop, const LoopInfo &loops, uint32_t site) {
    std::vector<CallBase *> found = dispatch_calls(loop, loops);
    llvm::erase_if(found, [&](const CallBase *call) { return site_of(*call) != site; });
    llvm::sort(found, [](const CallBase *one, const CallBase *other) {
        return ordinal_in_site(*one) < ordinal_in_site(*other);
    });
    return found;
}

uint32_t site_of(const Instruction &call) { return marked(call, 0); }

uint32_t ordinal_in_site(const Instruction &call) { return marked(call, 1); }

void set_site(Instruction &call, uint32_t number, uint32_t ordinal) {
    LLVMContext &context = call.getContext();
    const auto constant = [&](uint32_t value) -> Metadata * {
        return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value));
    };
    call.setMetadata(site_metadata, MDNode::get(context, {constant(number), constant(ordinal)}));
}

void forget_site(Instruction &call) { call.setMetadata(site_metadata, nullptr); }

bool bring_into_form(Loop &loop, DominatorTree &dominators, LoopInfo &loops) {
    simplifyLoop(&loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
    formLCSSARecursively(loop, dominators, &loops, nullptr);
    return loop.isLoopSimplifyForm();
}

EventLoop event_loop(const Loop &loop) {
    SmallVector<BasicBlock *, 4> exits;
    loop.getExitBlocks(exits);
    for (BasicBlock *exit : exits)
        for (Instruction &instruction : *exit)
            if (is_call_of(instruction, dispatch_next))
                return {cast<CallBase>(instruction).getArgOperand(0), exit};
    return {};
}

BranchInst *continue_branch(const Loop &loop, const BasicBlock *changed) {
    BranchInst *found = nullptr;
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting) {
        auto *branch = dyn_cast<BranchInst>(block->getTerminator());
        if (!branch || !branch->isConditional())
            continue;
        BasicBlock *out = branch->getSuccessor(loop.contains(branch->getSuccessor(0)) ? 1 : 0);
        if (out == changed)
            continue;
        if (found)
            return nullptr;
        found = branch;
    }
    return found;
}

// The runtime's or the standard library's: a static function of the C interface has its name in the source only.
bool is_librarys(const DILocation &location) {
    const StringRef name = location.getSubprogramLinkageName();
    const DISubprogram *function = location.getScope()->getSubprogram();
    return is_runtime_function(name) || is_standard_library_function(name) ||
           (function && is_runtime_function(function->getName()));
}

// Where compilers look for headers that are nobody's own.
bool is_system_header(const DILocation &location) {
    const StringRef file = location.getFilename();
    return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/");
}

// The innermost frame that its user wrote: a raise is inlined from our header, a handler into our thunk, a signal's emission from its
// library's. Where there is no such frame: the outermost that is neither ours nor the standard library's.
const DILocation *line_of(const Instruction &instruction) {
    const DILocation *chosen = instruction.getDebugLoc();
    for (const DILocation *location = chosen; location; location = location->getInlinedAt()) {
        if (is_librarys(*location))
            continue;
        chosen = location;
        if (!is_system_header(*location))
            break;
    }
    return chosen;
}

std::string inlined_at(const Instruction &instruction) {
    const DILocation *line = line_of(instruction);
    return line && line->getInlinedAt() ? line->getSubprogramLinkageName().str() : std::string();
}

model::SourcePlace place_of(const Instruction &instruction) {
    const DILocation *line = line_of(instruction);
    if (!line)
        return {};
    return {line->getFilename().str(), line->getLine(), line->getColumn()};
}

std::vector<DispatchSite> find_dispatch_sites(Module &module) {
    std::vector<DispatchSite> sites;
    for (Function &function : module)
        if (!function.isDeclaration() && !function.hasAvailableExternallyLinkage())
            find_in_function(function, sites);
    return sites;
}

}  // namespace thalweg::transform
