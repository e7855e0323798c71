// transform: at the entry of a function whose results may be kept, the hash of its inputs is compared with the last one's.
#include "transform/probe/cache.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "abi/probe.h"
#include "abi/raw_format.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"
#include "transform/ir/rounding.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What takes fewer instructions, in the units of LLVM's cost model, takes less time than the guard (plan/cost_table.h: 5 ns, at 0.06).
constexpr double min_instructions = 80;
// Places of a program, a sixth of those that loads may have (site/fact_call.cc).
constexpr size_t max_computations = 1024;
static_assert(max_computations <= raw::table_sizes[raw::facts].most);
// Bodies without loops and calls that are no larger execute no more.
constexpr unsigned min_body = 48;

bool may_compute_for_long(const Function &function) {
    if (function.getInstructionCount() >= min_body)
        return true;
    // A loop: some block is reached from a later one. Or what it calls computes.
    SmallPtrSet<const BasicBlock *, 8> seen;
    for (const BasicBlock &block : function) {
        seen.insert(&block);
        for (const BasicBlock *next : successors(&block))
            if (seen.contains(next))
                return true;
        for (const Instruction &one : block)
            if (const auto *call = dyn_cast<CallBase>(&one); call && call->getCalledFunction())
                return true;
    }
    return false;
}

// Those that nothing speaks against that is seen at a glance, neither in themselves nor in what they call. In
// Lua, where nearly all may raise an error, that is 0.4 s instead of 10. Callees come first.
std::set<const Function *> possible_functions(Module &module) {
    CallGraph graph(module);
    std::set<const Function *> possible;  // looked up only
    for (auto part = scc_begin(&graph); !part.isAtEnd(); ++part) {
        const Function *function = part->front()->getFunction();
        if (part.hasCycle() || !function || function->isDeclaration() || !cache::may_have_footprint(*function))
            continue;
        const bool calls_possible = all_of(*part->front(), [&](const CallGraphNode::CallRecord &call) {
            const Function *callee = call.second->getFunction();
            return !callee || callee->isDeclaration() || callee->doesNotReturn() || possible.contains(callee);
        });
        if (calls_possible)
            possible.insert(function);
    }
    return possible;
}

uint32_t counted(double number) { return static_cast<uint32_t>(std::llround(std::min(number, 1e9))); }

class InputProbe {
  public:
    InputProbe(Function &function, const cache::Footprint &footprint, uint32_t place)
        : function_(function), footprint_(footprint), place_(place), module_(*function.getParent()),
          builder_(function.getContext()) {}

    // if (thalweg_probe_fact_open[place]) note(arguments);
    void insert() {
        Function *note = write_note();
        BasicBlock::iterator at = function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
        builder_.SetInsertPoint(&*at);
        const DebugLoc line = at->getDebugLoc();
        builder_.SetCurrentDebugLocation(line);
        GlobalVariable *open = module_.getGlobalVariable(ABI_SYMBOL(thalweg_probe_fact_open).name);
        Value *is_open = builder_.CreateIsNotNull(builder_.CreateLoad(
            builder_.getInt8Ty(), builder_.CreateConstInBoundsGEP2_64(open->getValueType(), open, 0, place_)));
        Instruction *then = SplitBlockAndInsertIfThen(is_open, at, false);
        builder_.SetInsertPoint(then);
        builder_.SetCurrentDebugLocation(line);
        SmallVector<Value *, 8> arguments;
        for (Argument &argument : function_.args())
            arguments.push_back(&argument);
        builder_.CreateCall(note, arguments);
        forget_effects_of_callers(function_);
    }

  private:
    Function *write_note() {
        Type *nothing = builder_.getVoidTy();
        SmallVector<Type *, 8> types(function_.getFunctionType()->params());
        note_ = Function::Create(FunctionType::get(nothing, types, false), GlobalValue::InternalLinkage,
                                 function_.getName() + ".thalweg.inputs", &module_);
        note_->addFnAttr(Attribute::NoInline);
        note_->addFnAttr(Attribute::Cold);
        note_->addFnAttr(Attribute::NoUnwind);
        BasicBlock *end = BasicBlock::Create(module_.getContext(), "unknown", note_);
        builder_.SetInsertPoint(end);
        builder_.CreateRetVoid();
        BasicBlock *entry = BasicBlock::Create(module_.getContext(), "entry", note_, end);
        builder_.SetInsertPoint(entry);
        test_for_null(*end);
        note_if_the_same(hash_inputs());
        builder_.CreateRetVoid();
        return note_;
    }

    void test_for_null(BasicBlock &end) {
        for (const unsigned argument : footprint_.not_null) {
            BasicBlock *next = BasicBlock::Create(module_.getContext(), "there", note_);
            builder_.CreateCondBr(builder_.CreateIsNull(note_->getArg(argument)), &end, next);
            builder_.SetInsertPoint(next);
        }
    }

    Value *hash_inputs() {
        const FunctionCallee hash = declare(module_, ABI_SYMBOL(thalweg_probe_hash));
        Value *result = builder_.getInt64(1);
        for (const unsigned value : footprint_.values) {
            Argument *argument = note_->getArg(value);
            AllocaInst *memory = builder_.CreateAlloca(argument->getType());
            builder_.CreateStore(argument, memory);
            const uint64_t size = module_.getDataLayout().getTypeStoreSize(argument->getType());
            result = builder_.CreateCall(hash, {result, memory, builder_.getInt64(size)});
        }
        for (const cache::Area &area : footprint_.areas)
            for (const cache::Bytes &run : area.inputs.runs()) {
                Value *base = area.variable ? static_cast<Value *>(area.variable) : note_->getArg(area.argument);
                Value *at = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, static_cast<uint64_t>(run.first));
                const auto size = static_cast<uint64_t>(run.end - run.first);
                result = builder_.CreateCall(hash, {result, at, builder_.getInt64(size)});
            }
        // 0: there was no entry before.
        return builder_.CreateOr(result, builder_.getInt64(1));
    }

    void note_if_the_same(Value *hash) {
        auto *last = new GlobalVariable(module_, builder_.getInt64Ty(), false, GlobalValue::InternalLinkage,
                                        builder_.getInt64(0), function_.getName() + ".thalweg.last", nullptr,
                                        GlobalValue::GeneralDynamicTLSModel);
        Value *address = builder_.CreateThreadLocalAddress(last);
        Value *same = builder_.CreateICmpEQ(builder_.CreateLoad(builder_.getInt64Ty(), address), hash);
        builder_.CreateStore(hash, address);
        const FunctionCallee fact = declare(module_, ABI_SYMBOL(thalweg_probe_fact));
        builder_.CreateCall(
            fact, {builder_.getInt32(place_), builder_.CreateZExt(same, builder_.getInt64Ty()), builder_.getInt32(0)});
    }

    Function &function_;
    const cache::Footprint &footprint_;
    uint32_t place_;
    Module &module_;
    IRBuilder<> builder_;
    Function *note_ = nullptr;
};

}  // namespace

std::vector<WatchedComputation> find_computations(const BodyList &bodies) {
    std::vector<WatchedComputation> found;
    if (bodies.functions.empty())
        return found;
    Module &module = *bodies.functions.front()->getParent();
    const std::set<const Function *> possible = possible_functions(module);
    const std::string float_environment = user_of_float_environment(module);
    for (uint32_t number = 0; number < bodies.functions.size() && found.size() < max_computations; ++number) {
        Function &function = *bodies.functions[number];
        if (!can_be_doubled(function) || !possible.contains(&function) || !may_compute_for_long(function))
            continue;
        cache::Footprint footprint = cache::footprint_of(function, float_environment);
        if (!footprint.refused.empty() || footprint.instructions < min_instructions)
            continue;
        const model::Computation of{number, counted(footprint.instructions),
                                    static_cast<uint32_t>(footprint.input_bytes),
                                    static_cast<uint32_t>(footprint.result_bytes)};
        found.push_back({of, std::move(footprint)});
    }
    return found;
}

void count_computations(const std::vector<WatchedComputation> &computations, FactPlaces &found) {
    for (const WatchedComputation &one : computations)
        found.counted.push_back(one.of.function);
    llvm::sort(found.counted);
    found.counted.erase(llvm::unique(found.counted), found.counted.end());
}

void insert_computation_probes(Module &module, const std::vector<model::FunctionBody> &bodies,
                               const std::vector<WatchedComputation> &computations, size_t first_place) {
    for (size_t i = 0; i < computations.size(); ++i)
        if (Function *function = module.getFunction(bodies[computations[i].of.function].name);
            function && !function->isDeclaration())
            InputProbe(*function, computations[i].footprint, static_cast<uint32_t>(first_place + i)).insert();
}

}  // namespace thalweg::transform
