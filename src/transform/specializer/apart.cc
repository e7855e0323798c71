// transform: address ranges of a loop's accesses by LLVM's scalar evolution, compared with objects before the loop.
#include "transform/specializer/apart.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include "transform/ir/analyses.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

constexpr StringLiteral apart_name = "thalweg.apart";
constexpr StringLiteral access_name = "thalweg.access";
constexpr StringLiteral end_name = "thalweg.end";
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

// Loops of layers leave where a layer fails, mostly before the round's first write. LLVM's pass is content with a loop that has one of
// its tests at the end; only when all tests come after the writes are these made in every round that begins, and so may stay in
// registers until the loop ends.
class WritesFirst : public PassInfoMixin<WritesFirst> {
  public:
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
        LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
        auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
        auto &assumptions = analyses.getResult<AssumptionAnalysis>(function);
        const auto &target = analyses.getResult<TargetIRAnalysis>(function);
        const SimplifyQuery query(function.getDataLayout(), nullptr, &dominators, &assumptions);
        bool rotated = false;
        for (Loop *loop : loops.getLoopsInPreorder())
            for (unsigned tests = 0; tests < most_tests && loop->isInnermost() && only_tests(*loop); ++tests)
                rotated |= LoopRotation(loop, &loops, &target, &assumptions, &dominators, nullptr, nullptr, query,
                                        /*RotationOnly=*/true, largest_test, /*IsUtilMode=*/true);
        return rotated ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }

  private:
    // Tests before a round's first write: one of each layer that may fail.
    static constexpr unsigned most_tests = 4;
    static constexpr unsigned largest_test = 16;  // instructions that are copied before the loop; LLVM's own bound

    static bool only_tests(const Loop &loop) {
        return loop.isLoopSimplifyForm() && loop.isLoopExiting(loop.getHeader()) &&
               none_of(*loop.getHeader(), [](const Instruction &one) { return isa<StoreInst>(one); });
    }
};

// What the loop optimiser sees: values in registers, loops that test at their end, invariant memory in registers.
void bring_into_form(Function &function, FunctionAnalysisManager &analyses) {
    FunctionPassManager passes;
    passes.addPass(SimplifyCFGPass());
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass(true));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
    passes.addPass(WritesFirst());
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    // What LICM loads before a loop is known there, if it was stored just before.
    passes.addPass(EarlyCSEPass(true));
    passes.addPass(GVNPass());
    passes.addPass(InstCombinePass());
    passes.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
    // A test that never ends the loop is gone now: what was written after it may stay in a register, and what is left over at the end is
    // computed from the number of rounds.
    passes.addPass(SimplifyCFGPass());
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    passes.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
    passes.run(function, analyses);
    analyses.clear();
}

struct Range {
    const SCEV *begin = nullptr;
    const SCEV *end = nullptr;  // null: no one knows how far it goes up
};

// Wider than a table that 16 bits choose from, of 16 bytes an entry: an address that is known no better may be anything's.
constexpr uint64_t widest_table = uint64_t{1} << 20;
// Values on the way from an address back to where it began to rise; a chain of writes that was unrolled has some dozens.
constexpr size_t longest_rise = 64;

class Guards {
  public:
    Guards(Function &function, FunctionAnalysisManager &analyses, Regions &regions)
        : function_(function), evolution_(analyses.getResult<ScalarEvolutionAnalysis>(function)),
          dominators_(analyses.getResult<DominatorTreeAnalysis>(function)),
          loops_(analyses.getResult<LoopAnalysis>(function)),
          memory_(analyses.getResult<MemorySSAAnalysis>(function).getMSSA()),
          expander_(evolution_, function.getDataLayout(), "apart"), regions_(regions),
          word_(Type::getInt64Ty(function.getContext())) {}

    enum class Result { written, impossible, without_others };

    // Impossible: an address is not known here. Without others: it has turned out what the loop can't be kept apart from.
    Result write(CallInst &guard, ArrayRef<CallInst *> accesses) {
        std::vector<Range> ranges;
        std::vector<const SCEV *> sizes;
        for (CallInst *access : accesses) {
            std::vector<Range> touched;
            load_before(access->getArgOperand(1), guard);
            if (const std::optional<Range> range = range_of(*access, guard, sizes))
                touched.push_back(*range);
            else if (const std::optional<Range> table = table_of(*access, guard))
                touched.push_back(*table);
            else
                touched = above(*access->getArgOperand(1), guard);
            if (touched.empty())
                return Result::impossible;
            for (const Range &range : touched)
                add(range, ranges);
        }
        IRBuilder<> builder(&guard);
        Value *holds = builder.getTrue();
        for (const SCEV *size : sizes)
            holds =
                builder.CreateAnd(holds, builder.CreateICmpULT(expand(size, guard), builder.getInt64(most_iterations)));
        if (overlaps_for_sure(ranges, guard))
            return Result::without_others;
        const std::vector<std::pair<Value *, Value *>> objects = objects_of(guard, builder);
        for (const Range &range : ranges)
            holds = builder.CreateAnd(holds, excludes(range, objects, guard, builder));
        for (size_t i = 0; i < objects.size(); ++i)
            for (size_t j = 0; j < i; ++j)
                holds = builder.CreateAnd(holds, lie_apart(objects[i], objects[j], builder));
        guard.replaceAllUsesWith(holds);
        return Result::written;
    }

  private:
    using Ends = std::pair<Value *, Value *>;

    // Round the circle of addresses: from the one's end the other begins before it could not end any more before the one begins. One
    // compare, with a constant where the sizes are known; no two sizes together come near 2^64.
    static Value *lie_apart(const Ends &one, const Ends &other, IRBuilder<> &builder) {
        Value *gap = builder.CreateSub(other.first, one.second);
        Value *largest =
            builder.CreateSub(builder.CreateSub(one.first, one.second), builder.CreateSub(other.second, other.first));
        return builder.CreateICmpULE(gap, largest);
    }

    // An array that is walked through and of which something is known too is no object of which the loop keeps apart: the next attempt
    // is without it.
    bool overlaps_for_sure(const std::vector<Range> &ranges, CallInst &guard) {
        Region &region = regions_.by_id(static_cast<unsigned>(number_of(guard, 0)));
        const size_t before = region.not_apart.size();
        for (unsigned i = 1; i + 1 < guard.arg_size(); i += 2) {
            const auto object = static_cast<unsigned>(number_of(guard, i));
            const auto extent = region.extents.find(object);
            const SCEV *address = evolution_.getPtrToIntExpr(evolution_.getSCEV(guard.getArgOperand(i + 1)), word_);
            if (extent == region.extents.end() || isa<SCEVCouldNotCompute>(address))
                continue;
            for (const Range &range : ranges)
                if (const SCEVConstant *begin = distance(address, range.begin)) {
                    const APInt &first = begin->getAPInt();
                    const SCEVConstant *end = range.end ? distance(address, range.end) : nullptr;
                    if (first.slt(extent->second.end) &&
                        (first.sge(extent->second.begin) || (end && end->getAPInt().sgt(extent->second.begin))))
                        region.not_apart.insert(object);
                }
        }
        return region.not_apart.size() > before;
    }

    // Null: they are not so many bytes apart, as far as it is known.
    const SCEVConstant *distance(const SCEV *from, const SCEV *to) {
        return dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(to, from));
    }

    // Ranges that begin and end at known distances, or of which one begins where the other ends, are tested as one that holds both.
    void add(const Range &range, std::vector<Range> &ranges) {
        for (Range &other : ranges) {
            if (range.end && other.end == range.begin) {
                other.end = range.end;
                return;
            }
            const SCEVConstant *begins = distance(other.begin, range.begin);
            if (!begins || !range.end != !other.end)
                continue;
            const SCEVConstant *ends = range.end ? distance(other.end, range.end) : nullptr;
            if (range.end && !ends)
                continue;
            if (begins->getAPInt().isNegative())
                other.begin = range.begin;
            if (ends && !ends->getAPInt().isNegative())
                other.end = range.end;
            return;
        }
        ranges.push_back(range);
    }

    // An address that lies in memory which is the same at the guard is loaded there.
    void load_before(Value *address, CallInst &guard) {
        auto *load = dyn_cast<LoadInst>(address);
        if (!load || !load->isSimple() || dominators_.dominates(load, &guard) ||
            !dominators_.dominates(load->getPointerOperand(), &guard))
            return;
        const MemoryAccess *last = memory_.getWalker()->getClobberingMemoryAccess(load);
        const auto *write = dyn_cast<MemoryDef>(last);
        const bool is_before =
            memory_.isLiveOnEntryDef(last) || (write ? dominators_.dominates(write->getMemoryInst(), &guard)
                                                     : dominators_.dominates(last->getBlock(), guard.getParent()));
        if (is_before && isSafeToLoadUnconditionally(
                             load->getPointerOperand(), load->getType(), load->getAlign(), guard.getDataLayout(),
                             guard.getParent()->getSinglePredecessor()->getTerminator(), nullptr, &dominators_)) {
            load->moveBefore(guard.getParent()->getSinglePredecessor()->getTerminator());
            load->dropUnknownNonDebugMetadata();
        }
    }

    Value *excludes(const Range &range, const std::vector<Ends> &objects, CallInst &guard, IRBuilder<> &builder) {
        if (!range.end) {
            Value *holds = builder.getTrue();
            for (const Ends &object : objects)
                holds = builder.CreateAnd(holds, builder.CreateICmpULE(object.second, expand(range.begin, guard)));
            return holds;
        }
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
        if (!is_known_at(guard, range.begin) || !is_known_at(guard, range.end))
            return std::nullopt;
        return range;
    }

    bool is_known_at(CallInst &guard, const SCEV *expression) {
        return evolution_.dominates(expression, guard.getParent()) && expander_.isSafeToExpandAt(expression, &guard);
    }

    // An address that is known at the guard, and what is added to it later, of which the bounds are known: a table's entry that a byte
    // of the input chooses.
    std::optional<Range> table_of(CallInst &access, CallInst &guard) {
        const SCEV *address = evolution_.getPtrToIntExpr(evolution_.getSCEV(access.getArgOperand(1)), word_);
        const auto *sum = dyn_cast<SCEVAddExpr>(address);
        if (!sum)
            return std::nullopt;
        SmallVector<const SCEV *, 4> known, added;
        for (const SCEV *part : sum->operands())
            (is_known_at(guard, part) ? known : added).push_back(part);
        if (known.empty())
            return std::nullopt;
        const ConstantRange bounds = evolution_.getUnsignedRange(evolution_.getAddExpr(added));
        if (bounds.getUnsignedMax().ugt(widest_table))
            return std::nullopt;
        const SCEV *begin = evolution_.getAddExpr(known);
        const auto at = [&](const APInt &offset) {
            return evolution_.getAddExpr(begin, evolution_.getConstant(offset));
        };
        return Range{at(bounds.getUnsignedMin()), at(bounds.getUnsignedMax() + number_of(access, 2))};
    }

    // An address that only rises, by steps that the program is sure stay inside its array: nobody need know how far. Where it
    // begins to rise; empty if it is not so. (To step over the end of the address space is undefined, LLVM's `inbounds`.) A variable's array
    // ends with the variable. Of one whose size is not known no test could hold: heap and stack lie above all variables.
    std::vector<Range> above(Value &address, CallInst &guard) {
        std::vector<Range> starts;
        SmallSetVector<Value *, 16> seen;
        seen.insert(&address);
        for (size_t at = 0; at < seen.size(); ++at) {
            Value *value = seen[at];
            auto *gep = dyn_cast<GEPOperator>(value);
            if (dominators_.dominates(value, &guard)) {
                const SCEV *start = evolution_.getPtrToIntExpr(evolution_.getSCEV(value), word_);
                if (isa<SCEVCouldNotCompute>(start) || !expander_.isSafeToExpandAt(start, &guard))
                    return {};
                const SCEV *size = rest_of_variable(*value);
                if (!size && isa<GlobalVariable>(getUnderlyingObject(value)))
                    return {};
                starts.push_back({start, size ? evolution_.getAddExpr(start, size) : nullptr});
            } else if (auto *phi = dyn_cast<PHINode>(value)) {
                seen.insert(phi->value_op_begin(), phi->value_op_end());
            } else if (auto *choice = dyn_cast<SelectInst>(value)) {
                seen.insert(choice->getTrueValue());
                seen.insert(choice->getFalseValue());
            } else if (gep && gep->isInBounds() && all_of(gep->indices(), [&](Value *index) {
                           return evolution_.isKnownNonNegative(evolution_.getSCEV(index));
                       })) {
                seen.insert(gep->getPointerOperand());
            } else {
                return {};
            }
            if (seen.size() > longest_rise)
                return {};
        }
        return starts;
    }

    // Bytes from the address to the end of its variable. Null: it is of no variable, or nobody knows how large that is.
    const SCEV *rest_of_variable(Value &address) {
        const Value *base = getUnderlyingObject(&address);
        uint64_t size = 0;
        if (!isa<GlobalVariable, AllocaInst>(base) ||
            !getObjectSize(&address, size, function_.getDataLayout(), nullptr))
            return nullptr;
        return evolution_.getConstant(word_, size);
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

    Function &function_;
    ScalarEvolution &evolution_;
    DominatorTree &dominators_;
    LoopInfo &loops_;
    MemorySSA &memory_;
    SCEVExpander expander_;
    Regions &regions_;
    Type *word_;
};

// What lies apart in one run of the region need not in the next, of another handle: LLVM gives the copies of a loop around the region scopes of their own,
// if it knows where they begin.
void declare_scopes(CallInst &guard, const Region &region) {
    IRBuilder<> builder(&guard);
    for (const auto &[object, scope] : region.scopes)
        builder.CreateNoAliasScopeDeclaration(MDNode::get(guard.getContext(), scope));
}

ApartGuards write_guards(Function &function, Regions &regions) {
    ApartGuards result;
    if (calls_of(function, apart_name).empty())
        return result;
    Analyses analyses;
    bring_into_form(function, analyses.functions);

    // In a block of its own: LLVM uses in a block only what blocks before it have computed.
    std::vector<CallInst *> guards = calls_of(function, apart_name);
    for (CallInst *guard : guards)
        SplitBlock(guard->getParent(), guard);
    std::vector<CallInst *> accesses = calls_of(function, access_name);
    const DominatorTree &dominators = analyses.functions.getResult<DominatorTreeAnalysis>(function);
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
        Guards writer(function, analyses.functions, regions);
        const Guards::Result guarded = writer.write(*guard, of_guard[guard]);
        if (guarded == Guards::Result::impossible)
            result.impossible.insert(static_cast<unsigned>(number_of(*guard, 0)));
        result.again |= guarded == Guards::Result::without_others;
        ++result.written;
    }
    for (CallInst *call : accesses)
        call->eraseFromParent();
    result.again |= !result.impossible.empty();
    if (!result.again)
        for (CallInst *guard : guards) {
            declare_scopes(*guard, regions.by_id(static_cast<unsigned>(number_of(*guard, 0))));
            guard->eraseFromParent();
        }
    return result;
}

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

void write_end_of_assumptions(IRBuilder<> &builder) {
    Module &module = *builder.GetInsertBlock()->getModule();
    const FunctionCallee end = module.getOrInsertFunction(end_name, builder.getVoidTy());
    CallInst *call = builder.CreateCall(end);
    call->addFnAttr(Attribute::NoUnwind);
    call->addFnAttr(Attribute::WillReturn);
}

ApartGuards write_apart_guards(Function &function, Regions &regions) {
    ApartGuards result = write_guards(function, regions);
    for (CallInst *end : calls_of(function, end_name))
        end->eraseFromParent();
    return result;
}

}  // namespace thalweg::transform::specializer
