// transform: the twin's second bodies, in which the values of generic code are noted (src/abi/probe.h).
#include "transform/probe/fact.h"

#include <map>
#include <set>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "transform/ir/function_effects.h"
#include "transform/probe/slot.h"
#include "transform/site/fact_call.h"
#include "transform/specializer/looks.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral fact_metadata = "thalweg.fact";
constexpr StringLiteral entry_metadata = "thalweg.entry";
constexpr StringLiteral call_metadata = "thalweg.call";

MDNode *numbered(LLVMContext &context, uint32_t number) {
    return MDNode::get(context, {ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), number))});
}

uint32_t number_in(const MDNode &node) {
    return static_cast<uint32_t>(mdconst::extract<ConstantInt>(node.getOperand(0))->getZExtValue());
}

// The function's first instruction that stays what it is when the body is put into another's.
Instruction *entry_mark(Function &function) {
    for (Instruction &instruction : function.getEntryBlock())
        if (isa<LoadInst, StoreInst>(instruction))
            return &instruction;
    return nullptr;
}

struct FactAbi {
    Slots slots;
    std::map<uint32_t, uint32_t> slot_of;  // by function
    GlobalVariable *call;
    GlobalVariable *open;
    FunctionCallee function;
    FunctionCallee fact;
};

// Bytes that are all 1 until the recorder has seen enough.
GlobalVariable *define_open(Module &module, size_t count) {
    const std::vector<uint8_t> ones(count, 1);
    return define(module, ABI_SYMBOL(thalweg_probe_fact_open), ConstantDataArray::get(module.getContext(), ones));
}

FactAbi declare_abi(Module &module, size_t places, const FactPlaces &found) {
    Slots slots = entry_slots(module);
    std::map<uint32_t, uint32_t> slot_of;
    for (const uint32_t function : found.counted)
        slot_of.emplace(function, slots.count++);
    return {slots,
            slot_of,
            declare_of_thread(module, ABI_SYMBOL(thalweg_probe_entry_call)),
            define_open(module, places),
            declare(module, ABI_SYMBOL(thalweg_probe_function)),
            declare(module, ABI_SYMBOL(thalweg_probe_fact))};
}

Value *is_set(GlobalVariable &bytes, Value *index, IRBuilder<> &builder) {
    Value *at = builder.CreateZExt(index, builder.getInt64Ty());
    Value *byte = builder.CreateInBoundsGEP(bytes.getValueType(), &bytes, {builder.getInt64(0), at});
    return builder.CreateICmpNE(builder.CreateLoad(builder.getInt8Ty(), byte), builder.getInt8(0));
}

DebugLoc first_line(const Function &function) {
    DISubprogram *subprogram = function.getSubprogram();
    if (!subprogram)
        return {};
    return DILocation::get(function.getContext(), subprogram->getLine(), 0, subprogram);
}

// if (thalweg_probe_fact_open[place]) thalweg_probe_fact(place, value, is_pointer);
void note(const FactAbi &abi, Value &value, BasicBlock::iterator before, const DebugLoc &location, Value *place) {
    IRBuilder<> builder(&*before);
    builder.SetCurrentDebugLocation(location);
    Instruction *then = SplitBlockAndInsertIfThen(is_set(*abi.open, place, builder), before, false);
    builder.SetInsertPoint(then);
    builder.SetCurrentDebugLocation(location);
    const bool is_pointer = value.getType()->isPointerTy();
    Value *bits = is_pointer ? builder.CreatePtrToInt(&value, builder.getInt64Ty())
                             : builder.CreateZExt(&value, builder.getInt64Ty());
    builder.CreateCall(abi.fact, {place, bits, builder.getInt32(is_pointer ? 1 : 0)});
}

// A call as the callee is told of it: who is meant, so that no other takes it for itself, and how much further on it notes.
uint64_t call_word(uint32_t callee, uint32_t shift) { return uint64_t{callee} << 32 | shift; }

// What stands in the entry block stays there: an alloca elsewhere would take stack each time.
BasicBlock *split_entry(Function &function) {
    BasicBlock &entry = function.getEntryBlock();
    BasicBlock::iterator at = entry.begin();
    for (Instruction &instruction : make_early_inc_range(entry)) {
        auto *alloca = dyn_cast<AllocaInst>(&instruction);
        if (!alloca || !alloca->isStaticAlloca())
            continue;
        if (&*at == alloca)
            ++at;
        else
            alloca->moveBefore(entry, at);
    }
    return entry.splitBasicBlock(at, "thalweg.plain");
}

// if (--slot.left < 0) thalweg_probe_function(number, slot); what it says of a second body is not asked for.
void count_entry(const FactAbi &abi, Instruction &before, uint32_t number) {
    IRBuilder<> builder(&before);
    const SlotChoice slot{abi.slot_of.at(number)};
    Instruction *then = SplitBlockAndInsertIfThen(count_down(builder, abi.slots, slot), before.getIterator(), false,
                                                  rarely_taken(before.getContext()));
    builder.SetInsertPoint(then);
    builder.SetCurrentDebugLocation(before.getDebugLoc());
    builder.CreateCall(abi.function, {builder.getInt32(number), number_of(builder, slot)});
}

void count_at_entry(const FactAbi &abi, Function &function, uint32_t number) {
    forget_effects(function);
    count_entry(abi, *split_entry(function)->getFirstInsertionPt(), number);
}

void count_where_put_into_callers(const FactAbi &abi, Module &module, const std::vector<model::FunctionBody> &bodies) {
    SmallVector<std::pair<Instruction *, uint32_t>, 16> marks;
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            if (const MDNode *node = instruction.getMetadata(entry_metadata)) {
                const uint32_t number = number_in(*node);
                instruction.setMetadata(entry_metadata, nullptr);
                if (function.getName() != bodies[number].name)
                    marks.push_back({&instruction, number});
            }
    for (const auto &[mark, number] : marks) {
        forget_effects(*mark->getFunction());
        count_entry(abi, *mark, number);
    }
}

// Where a function's own places are, and whether calls lead to it that it is to tell apart.
struct OwnPlaces {
    uint32_t first = 0;
    uint32_t end = 0;
    bool by_call = false;
};

class SecondBody {
  public:
    SecondBody(const FactAbi &abi, Function &function, uint32_t number, const OwnPlaces &own)
        : abi_(abi), function_(function), number_(number), own_(own) {}

    Function &function() const { return function_; }
    uint32_t number() const { return number_; }

    // A program's main is entered once, and its loop would stay in a second body as long as the program runs: its values are noted in its own
    // body, but for those in loops, whose rounds would ask each time whether the recorder still wants them (twice the time of a loop of 45 instructions).
    void note_in_place(const FactPlaces &found) {
        forget_effects(function_);
        noted_ = &function_;
        const DominatorTree dominators(function_);
        const LoopInfo loops(dominators);
        for (Instruction &instruction : instructions(function_)) {
            instruction.setMetadata(call_metadata, nullptr);
            if (loops.getLoopFor(instruction.getParent()))
                instruction.setMetadata(fact_metadata, nullptr);
        }
        note_values(ConstantInt::get(i32(), 0));
        note_arguments(found);
        count_at_entry(abi_, function_, number_);
    }

    void make(const FactPlaces &found) {
        forget_effects(function_);
        ValueToValueMapTy map;
        noted_ = CloneFunction(&function_, map);
        noted_->setName(function_.getName() + ".thalweg.noted");
        noted_->setLinkage(GlobalValue::InternalLinkage);
        noted_->setVisibility(GlobalValue::DefaultVisibility);
        noted_->setComdat(nullptr);
        noted_->removeFnAttr(Attribute::AlwaysInline);
        noted_->removeFnAttr(Attribute::InlineHint);
        noted_->addFnAttr(Attribute::NoInline);
        noted_->addFnAttr(Attribute::Cold);
        // It runs rarely, and to optimise it would be half of the twin's link.
        for (const Attribute::AttrKind kind : {Attribute::MinSize, Attribute::OptimizeForSize})
            noted_->removeFnAttr(kind);
        noted_->addFnAttr(Attribute::OptimizeNone);
        for (Instruction &instruction : instructions(function_))
            for (const StringLiteral metadata : {fact_metadata, call_metadata})
                instruction.setMetadata(metadata, nullptr);
        tell_callees();
        note_values(own_.by_call ? take_shift() : ConstantInt::get(i32(), 0));
        note_arguments(found);
        test_at_entry();
    }

  private:
    Type *i32() const { return Type::getInt32Ty(function_.getContext()); }

    void note_arguments(const FactPlaces &found) {
        for (uint32_t i = own_.first; i < own_.end; ++i)
            if (const WatchedPlace &watched = found.places[i]; !watched.source)
                note(abi_, *noted_->getArg(watched.place.ordinal),
                     noted_->getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), first_line(*noted_),
                     ConstantInt::get(i32(), i));
    }

    // Before a call whose callee is about to ask the recorder: thalweg_probe_entry_call = who is called, and by which call.
    void tell_callees() {
        for (Instruction &instruction : instructions(*noted_)) {
            const MDNode *node = instruction.getMetadata(call_metadata);
            if (!node)
                continue;
            IRBuilder<> builder(&instruction);
            Constant *word = cast<ConstantAsMetadata>(node->getOperand(0))->getValue();
            const auto callee = static_cast<uint32_t>(cast<ConstantInt>(word)->getZExtValue() >> 32);
            Value *left = left_in(builder, abi_.slots, abi_.slot_of.at(callee));
            Value *is_due = builder.CreateICmpSLE(left, builder.getInt32(0));
            builder.CreateStore(builder.CreateSelect(is_due, word, builder.getInt64(0)),
                                builder.CreateThreadLocalAddress(abi_.call));
            instruction.setMetadata(call_metadata, nullptr);
        }
    }

    // How much further on what this call led to is noted; 0: no call said so, or it meant another function.
    Value *take_shift() {
        IRBuilder<> builder(&*noted_->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        builder.SetCurrentDebugLocation(first_line(*noted_));
        Value *address = builder.CreateThreadLocalAddress(abi_.call);
        Value *word = builder.CreateLoad(builder.getInt64Ty(), address);
        builder.CreateStore(builder.getInt64(0), address);
        Value *is_meant = builder.CreateICmpEQ(builder.CreateLShr(word, 32), builder.getInt64(number_));
        return builder.CreateSelect(is_meant, builder.CreateTrunc(word, i32()), builder.getInt32(0));
    }

    void note_values(Value *shift) {
        SmallVector<std::pair<Instruction *, uint32_t>, 16> sources;
        for (Instruction &instruction : instructions(*noted_))
            if (const MDNode *node = instruction.getMetadata(fact_metadata))
                sources.push_back({&instruction, number_in(*node)});
        for (const auto &[source, place] : sources) {
            source->setMetadata(fact_metadata, nullptr);
            // Others' loads are here because their bodies were put into this one.
            const bool is_own = own_.first <= place && place < own_.end;
            Value *at = ConstantInt::get(i32(), place);
            Instruction *last = source;
            if (is_own && own_.by_call && isa<LoadInst>(source))
                at = last = BinaryOperator::CreateNUWAdd(shift, at, "", std::next(source->getIterator()));
            note(abi_, *source, std::next(last->getIterator()), source->getDebugLoc(), at);
        }
    }

    // if (--slot.left < 0 && thalweg_probe_function(number, slot)) return the second body's result;
    void test_at_entry() {
        LLVMContext &context = function_.getContext();
        BasicBlock *plain = split_entry(function_);
        BasicBlock *ask = BasicBlock::Create(context, "thalweg.ask", &function_, plain);
        BasicBlock *run = BasicBlock::Create(context, "thalweg.noted", &function_, plain);
        Instruction *end = function_.getEntryBlock().getTerminator();
        IRBuilder<> builder(end);
        builder.SetCurrentDebugLocation(first_line(function_));
        const SlotChoice slot{abi_.slot_of.at(number_)};
        builder.CreateCondBr(count_down(builder, abi_.slots, slot), ask, plain, rarely_taken(context));
        end->eraseFromParent();
        builder.SetInsertPoint(ask);
        Value *yes = builder.CreateCall(abi_.function, {builder.getInt32(number_), number_of(builder, slot)});
        builder.CreateCondBr(builder.CreateICmpNE(yes, builder.getInt32(0)), run,
                             own_.by_call ? forget_call(*plain) : plain);
        builder.SetInsertPoint(run);
        call_second(builder);
    }

    BasicBlock *forget_call(BasicBlock &then) {
        IRBuilder<> builder(BasicBlock::Create(function_.getContext(), "thalweg.not_now", &function_, &then));
        builder.SetCurrentDebugLocation(first_line(function_));
        builder.CreateStore(builder.getInt64(0), builder.CreateThreadLocalAddress(abi_.call));
        return builder.CreateBr(&then)->getParent();
    }

    void call_second(IRBuilder<> &builder) {
        SmallVector<Value *, 8> arguments;
        SmallVector<AttributeSet, 8> attributes;
        for (Argument &argument : function_.args()) {
            arguments.push_back(&argument);
            attributes.push_back(function_.getAttributes().getParamAttrs(argument.getArgNo()));
        }
        CallInst *call = builder.CreateCall(noted_, arguments);
        call->setCallingConv(function_.getCallingConv());
        call->setAttributes(AttributeList::get(function_.getContext(), AttributeSet(),
                                               function_.getAttributes().getRetAttrs(), attributes));
        if (function_.getReturnType()->isVoidTy())
            builder.CreateRetVoid();
        else
            builder.CreateRet(call);
    }

    const FactAbi &abi_;
    Function &function_;
    uint32_t number_;
    OwnPlaces own_;
    Function *noted_ = nullptr;
};

}  // namespace

void mark_fact_places(const BodyList &bodies, const FactPlaces &found) {
    for (uint32_t number = 0; number < found.places.size(); ++number)
        if (Instruction *source = found.places[number].source; source && !found.places[number].place.call)
            source->setMetadata(fact_metadata, numbered(source->getContext(), number));
    for (const uint32_t number : found.counted)
        if (Instruction *mark = entry_mark(*bodies.functions[number]))
            mark->setMetadata(entry_metadata, numbered(mark->getContext(), number));
    std::map<uint32_t, std::vector<CallBase *>> calls;
    for (const WatchedCall &call : found.calls) {
        const auto [known, added] = calls.try_emplace(call.caller);
        if (added)
            known->second = calls_in_order(*bodies.functions[call.caller]);
        CallBase &at = *known->second[call.ordinal];
        Constant *word = ConstantInt::get(Type::getInt64Ty(at.getContext()), call_word(call.callee, call.shift));
        at.setMetadata(call_metadata, MDNode::get(at.getContext(), {ConstantAsMetadata::get(word)}));
    }
}

namespace {

bool is_entry_point(const Function &function) { return function.getName() == "main"; }

// Second bodies are most of what makes a twin's link longer than the program's own (with as many as a program has itself sqlite3's, 251,000
// instructions, takes 1.9 times the LTO link; docs/FIGURES.md). Below this a twin is linked within seconds, and is watched whole, an interpreter's
// main loop too.
constexpr uint64_t least_room = 150000;

// The functions of these that get a second body: the smallest first, since layers are small, until all of them together are as large as the
// program was.
std::set<const Function *> with_room(const std::vector<Function *> &functions, uint64_t program_instructions) {
    std::vector<std::tuple<uint64_t, StringRef, const Function *>> by_size;
    for (const Function *function : functions)
        by_size.emplace_back(function->getInstructionCount(), function->getName(), function);
    llvm::sort(by_size);
    uint64_t room = std::max(program_instructions, least_room);
    std::set<const Function *> chosen;
    for (const auto &[size, name, function] : by_size) {
        if (size > room)
            break;
        room -= size;
        chosen.insert(function);
    }
    return chosen;
}

}  // namespace

void insert_fact_probes(Module &module, const std::vector<model::FunctionBody> &bodies, const FactPlaces &found,
                        size_t more_places, uint64_t program_instructions) {
    const std::vector<WatchedPlace> &places = found.places;
    if (places.empty() && more_places == 0)
        return;
    const FactAbi abi = declare_abi(module, places.size() + more_places, found);
    emit_slots(module, abi.slots);
    count_where_put_into_callers(abi, module, bodies);
    std::set<uint32_t> callers;
    std::set<uint32_t> callees;
    for (const WatchedCall &call : found.calls) {
        callers.insert(call.caller);
        callees.insert(call.callee);
    }
    uint32_t i = 0;
    std::vector<SecondBody> bodies_to_make;
    std::vector<Function *> candidates;
    for (const uint32_t function : found.counted) {
        OwnPlaces own{i, i, callees.contains(function)};
        while (i < places.size() && places[i].place.function == function && !places[i].place.call)
            own.end = ++i;
        Function *here = module.getFunction(bodies[function].name);
        if (!here || !can_be_doubled(*here))
            continue;
        if (own.end > own.first || callers.contains(function)) {
            bodies_to_make.emplace_back(abi, *here, function, own);
            // Register allocation takes more than twice as long for twice as large a function: of cmark, one of 14,000 instructions would be two
            // thirds of the twin's link, and the specialiser would not come to its end.
            if (bodies[function].instructions <= specializer::max_looks_with_facts && !is_entry_point(*here))
                candidates.push_back(here);
        } else {
            count_at_entry(abi, *here, function);
        }
    }
    const std::set<const Function *> chosen = with_room(candidates, program_instructions);
    for (SecondBody &body : bodies_to_make)
        if (is_entry_point(body.function()))
            body.note_in_place(found);
        else if (chosen.contains(&body.function()))
            body.make(found);
        else
            count_at_entry(abi, body.function(), body.number());
}

}  // namespace thalweg::transform
