// transform: blocks and edges counted by LLVM's IR instrumentation, in counters that the recorder keeps.
#include "transform/profile/counters.h"

#include <map>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Transforms/Instrumentation.h"
#include "llvm/Transforms/Instrumentation/InstrProfiling.h"
#include "llvm/Transforms/Instrumentation/PGOInstrumentation.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "abi/probe.h"
#include "abi/raw_format.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What LLVM names its variables of a function's counters by, in front of what it names the variable of the function's name by.
constexpr StringLiteral counters_prefix = "__profc_";
constexpr StringLiteral data_prefix = "__profd_";
// The names of all functions, and that it is IR that is counted: LLVM's own runtime would ask for them.
constexpr StringLiteral names_variable = "__llvm_prf_nm";
constexpr StringLiteral version_variable = "__llvm_profile_raw_version";

std::string name_of(const InstrProfInstBase &intrinsic) {
    return getPGOFuncNameVarInitializer(intrinsic.getName()).str();
}

// Of a function.
struct ValueSites {
    uint32_t calls = 0;
    uint32_t memory = 0;
};

bool is_call(const InstrProfValueProfileInst &note) {
    return note.getValueKind()->getZExtValue() == IPVK_IndirectCallTarget;
}

// How many there are, by function. Of other kinds than targets of calls and sizes of memory operations nothing is noted.
std::map<std::string, ValueSites> keep_values(Module &module) {
    std::map<std::string, ValueSites> sites;
    for (Function &function : module)
        for (Instruction &one : make_early_inc_range(instructions(function)))
            if (auto *note = dyn_cast<InstrProfValueProfileInst>(&one)) {
                if (is_call(*note))
                    ++sites[name_of(*note)].calls;
                else if (note->getValueKind()->getZExtValue() == IPVK_MemOPSize)
                    ++sites[name_of(*note)].memory;
                else
                    note->eraseFromParent();
            }
    return sites;
}

// if (call.targets[0].address == target) ++call.targets[0].count; else thalweg_probe_call_target(&call, target);
void count_target(InstrProfValueProfileInst &note, Constant *call, FunctionCallee other_target) {
    IRBuilder<> builder(&note);
    Type *i64 = builder.getInt64Ty();
    Value *target = builder.CreateZExtOrTrunc(note.getTargetValue(), i64);
    Value *is_first = builder.CreateICmpEQ(target, builder.CreateLoad(i64, call));
    Instruction *first = nullptr;
    Instruction *other = nullptr;
    SplitBlockAndInsertIfThenElse(is_first, &note, &first, &other,
                                  MDBuilder(note.getContext()).createBranchWeights(2000, 1));
    builder.SetInsertPoint(first);
    constexpr uint64_t first_count = offsetof(thalweg_probe_call, targets[0].count) / sizeof(uint64_t);
    static_assert(offsetof(thalweg_probe_call, targets[0].address) == 0);
    Value *count = builder.CreateConstInBoundsGEP1_64(i64, call, first_count);
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(i64, count), builder.getInt64(1)), count);
    builder.SetInsertPoint(other);
    builder.CreateCall(other_target, {call, target});
    note.eraseFromParent();
}

// ++ranges[the size's]: itself up to 8; above it, with l the whole logarithm of the size - 1, 2 l + 3, and one more for the power of two at the
// range's end.
void count_size(InstrProfValueProfileInst &note, Constant *ranges) {
    IRBuilder<> builder(&note);
    Type *i64 = builder.getInt64Ty();
    const auto number = [&](uint64_t value) { return builder.getInt64(value); };
    Value *size = builder.CreateZExtOrTrunc(note.getTargetValue(), i64);
    Value *is_alone = builder.CreateICmpULE(size, number(THALWEG_PROBE_LAST_SIZE_ALONE));
    // No range of its own is asked of it, so that every shift below has a result.
    Value *wide = builder.CreateSelect(is_alone, number(THALWEG_PROBE_LAST_SIZE_ALONE + 1), size);
    Value *zeros =
        builder.CreateBinaryIntrinsic(Intrinsic::ctlz, builder.CreateSub(wide, number(1)), builder.getFalse());
    Value *logarithm = builder.CreateSub(number(63), zeros);
    Value *power = builder.CreateShl(number(2), logarithm);
    Value *range = builder.CreateAdd(builder.CreateAdd(builder.CreateShl(logarithm, number(1)), number(3)),
                                     builder.CreateZExt(builder.CreateICmpEQ(wide, power), i64));
    range = builder.CreateSelect(builder.CreateICmpUGT(wide, number(THALWEG_PROBE_LAST_SIZE_BOUNDED)),
                                 number(THALWEG_PROBE_MEMORY_SIZES - 1), range);
    Value *place = builder.CreateInBoundsGEP(i64, ranges, builder.CreateSelect(is_alone, size, range));
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(i64, place), number(1)), place);
    note.eraseFromParent();
}

uint64_t words_of_values(const model::CountedFunction &function) {
    return function.value_sites * raw::words_of_call + function.memory_sites * raw::words_of_memory_operation;
}

FunctionCallee other_target_counter(Module &module) {
    FunctionCallee callee = declare(module, ABI_SYMBOL(thalweg_probe_call_target));
    cast<Function>(callee.getCallee())->addFnAttr(Attribute::Cold);
    return callee;
}

// Copies of a call or of a memory operation count together.
void count_values(Module &module, GlobalVariable &array, const std::vector<model::CountedFunction> &functions) {
    Type *i64 = Type::getInt64Ty(module.getContext());
    std::map<std::string, std::pair<uint64_t, const model::CountedFunction *>> first_word;
    uint64_t word = 0;
    for (const model::CountedFunction &function : functions)
        word += function.counters;
    for (const model::CountedFunction &function : functions) {
        first_word[function.name] = {word, &function};
        word += words_of_values(function);
    }
    SmallVector<InstrProfValueProfileInst *, 32> notes;
    for (Function &function : module)
        for (Instruction &one : instructions(function))
            if (auto *note = dyn_cast<InstrProfValueProfileInst>(&one))
                notes.push_back(note);
    const FunctionCallee other_target = other_target_counter(module);
    for (InstrProfValueProfileInst *note : notes) {
        const auto own = first_word.find(name_of(*note));
        if (own == first_word.end()) {
            note->eraseFromParent();  // of a function in which nothing else is counted
            continue;
        }
        const auto [first, function] = own->second;
        const uint64_t index = note->getIndex()->getZExtValue();
        const uint64_t at = is_call(*note) ? first + index * raw::words_of_call
                                           : first + function->value_sites * raw::words_of_call +
                                                 index * raw::words_of_memory_operation;
        Constant *place = ConstantExpr::getInBoundsGetElementPtr(i64, &array, ConstantInt::get(i64, at));
        if (is_call(*note))
            count_target(*note, place, other_target);
        else
            count_size(*note, place);
    }
}

GlobalVariable *make_array(Module &module, uint64_t counters) {
    constexpr uint64_t per_page = THALWEG_PROBE_COUNTER_PAGE / sizeof(uint64_t);
    auto *type = ArrayType::get(Type::getInt64Ty(module.getContext()), (counters + per_page - 1) / per_page * per_page);
    GlobalVariable *array = define(module, ABI_SYMBOL(thalweg_probe_counters), ConstantAggregateZero::get(type));
    array->setAlignment(Align(THALWEG_PROBE_COUNTER_PAGE));
    // What a constructor counts is counted when it runs: evaluated by the link, each would make a constant of all counters.
    array->setExternallyInitialized(true);
    define(module, ABI_SYMBOL(thalweg_probe_counter_count), counters);
    return array;
}

// LLVM's name of a function's counters is that of its data, which begins with the hash of the function's name.
std::map<uint64_t, GlobalVariable *> counters_by_name(Module &module) {
    std::map<uint64_t, GlobalVariable *> found;
    for (GlobalVariable &data : module.globals()) {
        StringRef name = data.getName();
        if (!name.consume_front(data_prefix) || !data.hasInitializer())
            continue;
        const auto *hash = dyn_cast<ConstantInt>(data.getInitializer()->getAggregateElement(0u));
        if (GlobalVariable *counters = module.getNamedGlobal((counters_prefix + name).str()); hash && counters)
            found[hash->getZExtValue()] = counters;
    }
    return found;
}

// A variable's data names itself and an alias of its function, so all of them lose what they hold before any of them goes.
void remove_variables_of_runtime(Module &module) {
    SmallVector<GlobalVariable *, 32> variables;
    SmallPtrSet<GlobalAlias *, 32> aliases;
    for (GlobalVariable &variable : module.globals()) {
        const StringRef name = variable.getName();
        if (!name.starts_with(data_prefix) && !name.starts_with(counters_prefix) && name != names_variable)
            continue;
        variables.push_back(&variable);
        for (const Use &part : variable.getInitializer()->operands())
            if (auto *alias = dyn_cast<GlobalAlias>(part.get()))
                aliases.insert(alias);
    }
    removeFromUsedLists(module,
                        [&](Constant *constant) { return is_contained(variables, constant->stripPointerCasts()); });
    for (GlobalVariable *variable : variables)
        variable->setInitializer(nullptr);
    for (GlobalVariable *variable : variables) {
        variable->removeDeadConstantUsers();
        variable->eraseFromParent();
    }
    for (GlobalAlias *alias : aliases)
        if (alias->hasPrivateLinkage() && alias->use_empty())
            alias->eraseFromParent();
}

}  // namespace

std::vector<model::CountedFunction> insert_counters(Module &module, ModuleAnalysisManager &manager) {
    PGOInstrumentationGen().run(module, manager);
    if (GlobalVariable *version = module.getNamedGlobal(version_variable))
        version->eraseFromParent();
    manager.invalidate(module, PreservedAnalyses::none());
    std::map<std::string, ValueSites> sites = keep_values(module);
    std::vector<model::CountedFunction> functions;
    for (Function &function : module)
        for (const Instruction &one : instructions(function))
            if (const auto *counter = dyn_cast<InstrProfCntrInstBase>(&one);
                counter && !isa<InstrProfValueProfileInst>(counter)) {
                const std::string name = name_of(*counter);
                const ValueSites own = sites[name];
                functions.push_back({name, counter->getHash()->getZExtValue(),
                                     static_cast<uint32_t>(counter->getNumCounters()->getZExtValue()), own.calls,
                                     own.memory});
                forget_effects(function);
                break;
            }
    return functions;
}

void lower_counters(Module &module, ModuleAnalysisManager &manager,
                    const std::vector<model::CountedFunction> &functions) {
    if (functions.empty())
        return;
    uint64_t words = 0;
    for (const model::CountedFunction &function : functions)
        words += function.counters + words_of_values(function);
    GlobalVariable *array = make_array(module, words);
    count_values(module, *array, functions);
    manager.invalidate(module, PreservedAnalyses::none());
    InstrProfOptions options;
    options.DoCounterPromotion = true;
    InstrProfilingLoweringPass(options).run(module, manager);
    const std::map<uint64_t, GlobalVariable *> own = counters_by_name(module);
    uint64_t first = 0;
    for (const model::CountedFunction &function : functions) {
        if (const auto found = own.find(IndexedInstrProf::ComputeHash(function.name)); found != own.end())
            found->second->replaceAllUsesWith(
                ConstantExpr::getInBoundsGetElementPtr(Type::getInt64Ty(module.getContext()), array,
                                                       ConstantInt::get(Type::getInt64Ty(module.getContext()), first)));
        first += function.counters;
    }
    remove_variables_of_runtime(module);
}

}  // namespace thalweg::transform
