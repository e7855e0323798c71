// transform: address ranges of a loop's accesses by LLVM's scalar evolution, compared with objects before the loop.
#include "transform/specializer_apart.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

constexpr StringLiteral apart_name = "thalweg.apart";
constexpr StringLiteral access_name = "thalweg.access";
// A loop that is guarded runs at most so often, by steps of at most so many bytes: 2^46 bytes together, of the 2^47 that Linux gives
// a process, so that no sum of an address and these wraps.
constexpr uint64_t most_iterations = uint64_t{1} << 30;
constexpr uint64_t longest_step = uint64_t{1} << 16;

// Neither reads nor writes what the program can see, but may not go away or change places with its like.
FunctionCallee declare(Module &module, StringRef name, Type *result, ArrayRef<Type *> parameters) {
    LLVMContext &context = module.getContext();
    AttributeList attributes;
    for (const Attribute::AttrKind kind :
         {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree})
        attributes = attributes.addFnAttribute(context, kind);
    attributes = attributes.addFnAttribute(
        context, Attribute::getWithMemoryEffects(context, MemoryEffects::inaccessibleMemOnly()));
    return module.getOrInsertFunction(name, FunctionType::get(result, parameters, true), attributes);
}

std::vector<CallInst *> calls_of(Function &function, StringRef name) {
    std::vector<CallInst *> calls;
    for (BasicBlock &block : function)
        for (Instruction &instruction : block)
            if (auto *call = dyn_cast<CallInst>(&instruction))
                if (const Function *callee = call->getCalledFunction(); callee && callee->getName() == name)
                    calls.push_back(call);
    return calls;
}

uint64_t number_of(const CallInst &call, unsigned operand) {
    return cast<ConstantInt>(call.getArgOperand(operand))->getZExtValue();
}

// What the loop optimiser sees: values in registers, loops that test at their end, invariant memory in registers.
void bring_into_form(Function &function, FunctionAnalysisManager &analyses) {
    FunctionPassManager passes;
    passes.addPass(SimplifyCFGPass());
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass(true));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    passes.addPass(GVNPass());  // what LICM loads before a loop is known there, if it was stored just before
    passes.addPass(InstCombinePass());
    passes.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
    passes.run(function, analyses);
    analyses.clear();
}

struct Range {
    const SCEV *begin = nullptr;
    const SCEV *end = nullptr;
};

class Guards {
  public:
    Guards(Function &function, FunctionAnalysisManager &analyses, Regions &regions)
        : evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
          dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
          loops_(analyses.getResult<LoopAnalysis>(function)), expander_(evolution_, function.getDataLayout(), "apart"),
          regions_(regions), word_(Type::getInt64Ty(function.getContext())) {}

    // False: an address is not known here.
    bool write(CallInst &guard, ArrayRef<CallInst *> accesses) {
        std::vector<Range> ranges;
        std::vector<const SCEV *> sizes;
        for (CallInst *access : accesses) {
            std::optional<Range> range = range_of(*access, guard, sizes);
            if (!range)
                return false;
            if (none_of(ranges,
                        [&](const Range &other) { return other.begin == range->begin && other.end == range->end; }))
                ranges.push_back(*range);
        }
        IRBuilder<> builder(&guard);
        Value *holds = builder.getTrue();
        for (const SCEV *size : sizes)
            holds =
                builder.CreateAnd(holds, builder.CreateICmpULT(expand(size, guard), builder.getInt64(most_iterations)));
        const std::vector<std::pair<Value *, Value *>> objects = objects_of(guard, builder);
        for (const Range &range : ranges)
            holds = builder.CreateAnd(holds, excludes(range, objects, guard, builder));
        for (size_t i = 0; i < objects.size(); ++i)
            for (size_t j = 0; j < i; ++j)
                holds = builder.CreateAnd(holds, lie_apart(objects[i], objects[j], builder));
        guard.replaceAllUsesWith(holds);
        return true;
    }

  private:
    using Ends = std::pair<Value *, Value *>;

    static Value *lie_apart(const Ends &one, const Ends &other, IRBuilder<> &builder) {
        return builder.CreateOr(builder.CreateICmpULE(one.second, other.first),
                                builder.CreateICmpULE(other.second, one.first));
    }

    Value *excludes(const Range &range, const std::vector<Ends> &objects, CallInst &guard, IRBuilder<> &builder) {
        const Ends ends{expand(range.begin, guard), expand(range.end, guard)};
        Value *holds = builder.CreateICmpULE(ends.first, ends.second);
        for (const Ends &object : objects)
            holds = builder.CreateAnd(holds, lie_apart(ends, object, builder));
        return holds;
    }

    Value *expand(const SCEV *expression, CallInst &guard) {
        return expander_.expandCodeFor(expression, word_, &guard);
    }

    std::vector<Ends> objects_of(CallInst &guard, IRBuilder<> &builder) {
        std::vector<Ends> objects;
        Region &region = regions_.by_id(static_cast<unsigned>(number_of(guard, 0)));
        for (unsigned i = 1; i + 1 < guard.arg_size(); i += 2) {
            const auto extent = region.extents.find(static_cast<unsigned>(number_of(guard, i)));
            if (extent == region.extents.end())
                continue;
            Value *address = builder.CreatePtrToInt(guard.getArgOperand(i + 1), word_);
            objects.emplace_back(
                builder.CreateAdd(address, builder.getInt64(static_cast<uint64_t>(extent->second.begin))),
                builder.CreateAdd(address, builder.getInt64(static_cast<uint64_t>(extent->second.end))));
        }
        return objects;
    }

    // All bytes that the access can touch, over all iterations of the loops around it that begin behind the guard.
    std::optional<Range> range_of(CallInst &access, CallInst &guard, std::vector<const SCEV *> &sizes) {
        const SCEV *address = evolution_.getPtrToIntExpr(evolution_.getSCEV(access.getArgOperand(1)), word_);
        if (isa<SCEVCouldNotCompute>(address))
            return std::nullopt;
        Range range{address, address};
        for (const Loop *loop = loops_.getLoopFor(access.getParent()); loop && !loop->contains(&guard);
             loop = loop->getParentLoop())
            if (!widen(range, *loop, guard, sizes))
                return std::nullopt;
        range.end = evolution_.getAddExpr(range.end, evolution_.getConstant(word_, number_of(access, 2)));
        for (const SCEV *end : {range.begin, range.end})
            if (!evolution_.dominates(end, guard.getParent()) || !expander_.isSafeToExpandAt(end, &guard))
                return std::nullopt;
        return range;
    }

    // A bound, known at the guard, of how often the loop's back edge is taken: any of its exits gives one. Null: none does.
    const SCEV *most_times(const Loop &loop, CallInst &guard) {
        SmallVector<BasicBlock *> exiting;
        loop.getExitingBlocks(exiting);
        for (BasicBlock *block : exiting) {
            const SCEV *times = evolution_.getExitCount(&loop, block, ScalarEvolution::SymbolicMaximum);
            if (!isa<SCEVCouldNotCompute>(times) && evolution_.getTypeSizeInBits(times->getType()) <= 64 &&
                evolution_.dominates(times, guard.getParent()) && expander_.isSafeToExpandAt(times, &guard))
                return evolution_.getNoopOrZeroExtend(times, word_);
        }
        return nullptr;
    }

    bool widen(Range &range, const Loop &loop, CallInst &guard, std::vector<const SCEV *> &sizes) {
        const bool stays =
            evolution_.isLoopInvariant(range.begin, &loop) && evolution_.isLoopInvariant(range.end, &loop);
        if (stays)
            return true;
        const SCEV *times = most_times(loop, guard);
        const auto *begin = dyn_cast<SCEVAddRecExpr>(range.begin);
        const auto *end = dyn_cast<SCEVAddRecExpr>(range.end);
        if (!times || !begin || !end || begin->getLoop() != &loop || end->getLoop() != &loop)
            return false;
        const auto *step = dyn_cast<SCEVConstant>(begin->getStepRecurrence(evolution_));
        if (!step || !begin->isAffine() || !end->isAffine() || end->getStepRecurrence(evolution_) != step)
            return false;
        const SCEV *way = evolution_.getMulExpr(times, step);
        const bool falls = step->getAPInt().isNegative();
        range.begin = falls ? evolution_.getAddExpr(begin->getStart(), way) : begin->getStart();
        range.end = falls ? end->getStart() : evolution_.getAddExpr(end->getStart(), way);
        // The product must be what it says, not what is left of it in 64 bits.
        if (evolution_.getUnsignedRangeMax(times).uge(most_iterations))
            sizes.push_back(times);
        return step->getAPInt().abs().ule(longest_step);
    }

    ScalarEvolution &evolution_;
    DominatorTree &dominators_;
    LoopInfo &loops_;
    SCEVExpander expander_;
    Regions &regions_;
    Type *word_;
};

}  // namespace

Value *write_apart_call(Residual &residual, unsigned region, const std::vector<const Object *> &objects,
                        IRBuilder<> &builder) {
    Type *number = builder.getInt32Ty();
    SmallVector<Value *> operands{builder.getInt32(region)};
    for (const Object *object : objects) {
        operands.push_back(builder.getInt32(object->id));
        operands.push_back(residual.address(*object, 0, builder));
    }
    Module &module = *residual.function().getParent();
    return builder.CreateCall(declare(module, apart_name, builder.getInt1Ty(), {number}), operands);
}

void write_access_call(unsigned region, Value *address, uint64_t size, IRBuilder<> &builder) {
    Module &module = *builder.GetInsertBlock()->getModule();
    const FunctionCallee note = declare(module, access_name, builder.getVoidTy(),
                                        {builder.getInt32Ty(), builder.getPtrTy(), builder.getInt64Ty()});
    builder.CreateCall(note, {builder.getInt32(region), address, builder.getInt64(size)});
}

ApartGuards write_apart_guards(Function &function, Regions &regions) {
    ApartGuards result;
    if (calls_of(function, apart_name).empty())
        return result;
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    bring_into_form(function, functions);

    std::vector<CallInst *> guards = calls_of(function, apart_name);
    std::vector<CallInst *> accesses = calls_of(function, access_name);
    const DominatorTree &dominators = functions.getResult<DominatorTreeAnalysis>(function);
    std::map<CallInst *, std::vector<CallInst *>> of_guard;
    for (CallInst *access : accesses) {
        const auto guard = find_if(guards, [&](CallInst *one) {
            return number_of(*one, 0) == number_of(*access, 0) && dominators.dominates(one, access);
        });
        if (guard == guards.end())
            result.impossible.insert(static_cast<unsigned>(number_of(*access, 0)));
        else
            of_guard[*guard].push_back(access);
    }
    for (CallInst *guard : guards) {
        Guards writer(function, functions, regions);
        if (!writer.write(*guard, of_guard[guard]))
            result.impossible.insert(static_cast<unsigned>(number_of(*guard, 0)));
        else
            ++result.written;
    }
    for (CallInst *call : accesses)
        call->eraseFromParent();
    if (result.impossible.empty())
        for (CallInst *guard : guards)
            guard->eraseFromParent();
    return result;
}

}  // namespace thalweg::transform::specializer
