// transform: what the specialiser knows of memory: loads that are answered, stores that are remembered, facts that are tested
// where the original program would have read them, and what may have been overwritten.
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

#include "transform/specializer/apart.h"
#include "transform/specializer/evaluator.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// Larger values are vectors; what is in them is not asked for in parts.
constexpr uint64_t largest_cell = 64;
// Of a constant that is copied, so many bytes are remembered: a descriptor, not a picture.
constexpr uint64_t largest_copy = 512;

// What lies so far from an object's beginning is no part of it: a wrong plan's contexts come out there. Sums of two such still fit.
bool is_far_outside(const APInt &offset) { return offset.abs().ugt(UINT32_MAX); }

const MDNode *tag_of(const Instruction &access) { return access.getMetadata(LLVMContext::MD_tbaa); }

}  // namespace

bool Evaluator::allocate(Instruction &instruction) {
    auto &alloca = cast<AllocaInst>(instruction);
    if (!alloca.isStaticAlloca()) {
        define_dynamic(instruction, emit(instruction, true));
        tell({.why = Why::size_of_stack});
        return true;
    }
    Object &object = engine_.object(Object::Kind::local, &alloca, state_.context);
    if (!object.base)
        object.base = engine_.residual().local(alloca);
    state_.memory.renew(object);
    state_.memory.forget_pointers_to(object);
    define(instruction, AbstractValue::pointer(&object, 0));
    return true;
}

bool Evaluator::offset_pointer(Instruction &instruction) {
    auto &gep = cast<GetElementPtrInst>(instruction);
    for (Value *operand : gep.operands())
        keep_choice(operand);
    const AbstractValue base = read(gep.getPointerOperand());
    if (!base.is_pointer()) {
        const bool all_known = all_of(gep.operands(), [&](Value *operand) { return read(operand).is_known(); });
        if (all_known || !base.object)
            return compute(instruction);
    }
    auto *copy = cast<GetElementPtrInst>(emit(instruction, false));
    APInt offset(layout_.getIndexTypeSizeInBits(gep.getType()), 0);
    if (base.is_pointer() && copy->accumulateConstantOffset(layout_, offset) && !is_far_outside(offset) &&
        !is_far_outside(offset + static_cast<uint64_t>(base.offset))) {
        copy->eraseFromParent();
        define(instruction, AbstractValue::pointer(base.object, base.offset + offset.getSExtValue(),
                                                   base.inbounds && gep.isInBounds()));
        return true;
    }
    define_dynamic(instruction, copy,
                   base.object->is_identified() ? AbstractValue::within(base.object) : AbstractValue{});
    if (!base.object->is_identified())
        state_.memory.expose(*base.object);
    return true;
}

// A global variable is an object too.
AbstractValue Evaluator::place_behind(const AbstractValue &address) const {
    if (!address.is_known())
        return address;
    APInt offset(64, 0);
    auto *variable = dyn_cast<GlobalVariable>(
        address.constant->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true));
    if (!variable || variable->isThreadLocal() || is_far_outside(offset))
        return {};
    return AbstractValue::pointer(&engine_.object(Object::Kind::global, variable, nullptr), offset.getSExtValue());
}

AbstractValue Evaluator::known_content(const AbstractValue &address, Type *type, const MDNode *tag) const {
    if (address.is_known())
        if (Constant *content = ConstantFoldLoadFromConstPtr(address.constant, type, layout_))
            return AbstractValue::known(content);
    const AbstractValue place = place_behind(address);
    if (!place.is_pointer())
        return {};
    int64_t begin = 0;
    const uint64_t size = layout_.getTypeStoreSize(type);
    const Cell *cell = state_.memory.cover(*place.object, place.offset, size, tag, begin);
    if (!cell)
        return {};
    if (cell->value.is_pointer())
        return type->isPointerTy() && begin == place.offset && cell->size == size ? cell->value : AbstractValue{};
    if (begin == place.offset && cell->value.constant->getType() == type)
        return cell->value;
    const APInt inside(64, static_cast<uint64_t>(place.offset - begin));
    Constant *content = ConstantFoldLoadFromConst(cell->value.constant, type, inside, layout_);
    return content ? AbstractValue::known(content) : AbstractValue{};
}

bool Evaluator::load(Instruction &instruction) {
    auto &load = cast<LoadInst>(instruction);
    keep_choice(load.getPointerOperand());
    const AbstractValue address = read(load.getPointerOperand());
    if (!load.isSimple()) {
        Instruction *copy = emit(instruction, false);
        if (load.isAtomic() && load.getOrdering() != AtomicOrdering::Unordered &&
            load.getOrdering() != AtomicOrdering::Monotonic)
            forget_all_exposed();
        define_dynamic(instruction, copy);
        tell({.why = Why::not_to_be_kept});
        return true;
    }
    const AbstractValue place = place_behind(address);
    if (!state_.generic && place.is_pointer())
        engine_.keys().note_load(state_.context, &load, {place.object->id, place.offset});
    const AbstractValue content = known_content(address, load.getType(), tag_of(load));
    if (const ExpectedValue *fact = fact_beyond(load, content)) {
        Value *known = engine_.residual().write(content, load.getType(), builder_);
        return ends_after_test(load, known, *fact, place);
    }
    if (content.is_dynamic())
        return load_dynamic(load, address);
    if (!state_.generic)
        engine_.keys().note_answer(state_.context, &load);
    // A program is read from constant memory: where in it we are steers everything.
    if (address.is_known() && !state_.generic)
        engine_.keys().steer(state_.context, load.getPointerOperand());
    define(load, content);
    return true;
}

// Which argument or which earlier load a pointer is, but not where that leads: what was noted here says more.
const ExpectedValue *Evaluator::fact_beyond(const LoadInst &load, const AbstractValue &content) const {
    if (state_.generic || !content.is_pointer())
        return nullptr;
    const bool leads_anywhere =
        content.object->kind == Object::Kind::argument || content.object->kind == Object::Kind::loaded;
    return leads_anywhere ? engine_.facts().of_load(&load, state_.context->call) : nullptr;
}

// What was noted at a place is of all the ways that lead there; on this one it is likely to hold what it held.
void Evaluator::narrow(ExpectedValue &expected, Constant *likely, Type *type) const {
    if (!likely || expected.values.empty() || expected.trusted)
        return;
    if (Constant *content = ConstantFoldLoadFromConst(likely, type, APInt(64, 0), layout_))
        expected.values = {content};
}

bool Evaluator::load_dynamic(LoadInst &load, const AbstractValue &address) {
    const AbstractValue place = place_behind(address);
    ExpectedValue expected;
    std::vector<MemoryFact> behind;
    if (!state_.generic) {
        if (const ExpectedValue *of_load = engine_.facts().of_load(&load, state_.context->call))
            expected = *of_load;
        if (place.is_pointer()) {
            const std::vector<MemoryFact> &facts = engine_.expected_behind(*place.object);
            if (expected.values.empty())
                expected = engine_.facts().of_cell(facts, place.offset, load.getType());
            behind = Facts::behind(facts, place.offset);
            narrow(expected, state_.memory.likely_at({place.object->id, place.offset}), load.getType());
        }
    }
    Instruction *copy = emit(load, false);
    note_access(load, place, false);
    assume_apart(*copy, cast<LoadInst>(copy)->getPointerOperand(), place, layout_.getTypeStoreSize(load.getType()));
    if (place.object)
        state_.memory.expose_contents(*place.object);
    if (!expected.values.empty())
        return ends_after_test(load, copy, expected, place);
    tell_unknown_load(load, place);
    if (!load.getType()->isPointerTy()) {
        define_dynamic(load, copy);
        return true;
    }
    Object &object = engine_.object(Object::Kind::loaded, &load, state_.context);
    rebind(object, copy);
    engine_.expected_behind(object) = std::move(behind);
    define(load, AbstractValue::pointer(&object, 0));
    // Where a list is walked, what the load gave the last time is what it is based on now: the place was that instance's, and the object is
    // another one from here on, of which nothing is known.
    if (place.is_pointer() && place.object != &object) {
        engine_.notes().note_behind(object, {place.object->id, place.offset});
        state_.memory.set(*place.object, place.offset,
                          {AbstractValue::pointer(&object, 0), layout_.getPointerSize(), tag_of(load)});
    }
    return true;
}

// A fact is tested where the original program reads it, or is given it by a call: no earlier, for it might not be readable; and again after anything that
// may have overwritten it. The way on which it doesn't hold goes on generically and never comes back.
bool Evaluator::ends_after_test(Instruction &source, Value *given, const ExpectedValue &expected,
                                const AbstractValue &address) {
    const uint64_t size = layout_.getTypeStoreSize(source.getType());
    auto with = [&](Constant *value) {
        State state = state_;
        state.set(place_of(&source), AbstractValue::known(value));
        if (address.is_pointer())
            state.memory.set(*address.object, address.offset,
                             {AbstractValue::known(value), size, tag_of(cast<LoadInst>(source))});
        return state;
    };
    if (expected.trusted) {
        engine_.notes().note(entry_.number, &source, Done::trusted);
        state_ = with(expected.values.front());
        return true;
    }
    engine_.regions().note_tested(state_.context, source, address.object);
    note_first_test(source, expected, address);
    // What nobody has written may be given, but to branch on it is undefined.
    if (!isGuaranteedNotToBeUndefOrPoison(given))
        given = builder_.CreateFreeze(given);
    for (size_t left = expected.values.size(); Constant * value : expected.values) {
        BasicBlock *yes = open_block("holds");
        BasicBlock *no = open_block("fails");
        BranchInst *test =
            builder_.CreateCondBr(builder_.CreateICmpEQ(given, value), yes, no, one_of(left--, source.getContext()));
        if (value == expected.values.back())
            mark_leave(*test, 1);
        ++engine_.count().guards;
        go_on(yes, with(value), source.getNextNode());
        builder_.SetInsertPoint(no);
    }
    define_dynamic(source, given);
    engine_.leave(entry_, builder_.GetInsertBlock(), state_, source.getNextNode());
    return false;
}

void Evaluator::note_first_test(const Instruction &source, const ExpectedValue &expected,
                                const AbstractValue &address) {
    if (state_.region == 0 || state_.later_round)
        return;
    Region &region = engine_.regions().by_id(state_.region);
    if (address.is_pointer() && expected.values.size() == 1)
        region.note_first_test(
            {{address.object->id, address.offset}, cast<LoadInst>(&source), expected.values.front()});
    else
        region.tests_more = true;
}

bool Evaluator::may_alias(const Object &one, const Object &other) const {
    if (&one == &other)
        return true;
    if (one.is_identified() && other.is_identified())
        return false;
    const Object &identified = one.is_identified() ? one : other;
    const Object &unidentified = one.is_identified() ? other : one;
    if (identified.is_private())  // what an argument points to was there before it
        return unidentified.kind != Object::Kind::argument && state_.memory.is_exposed(identified);
    const auto is_unshared = [](const Object &object) {
        const auto *argument = dyn_cast<Argument>(object.origin);
        return object.kind == Object::Kind::argument && argument && argument->hasNoAliasAttr();
    };
    return !is_unshared(one) && !is_unshared(other);
}

void Evaluator::forget_aliases(const AbstractValue &address, const Spared &spared) {
    std::set<unsigned> others;
    for (const auto &[place, cell] : state_.memory.cells())
        if (!spared.contains(place.object))
            others.insert(place.object);
    for (const unsigned id : others)
        if (const Object &other = engine_.object(id); &other != address.object && may_alias(*address.object, other))
            forget(other, spared.tag);
}

void Evaluator::forget_all_exposed(const Spared &spared) {
    std::set<unsigned> objects;
    for (const auto &[place, cell] : state_.memory.cells())
        if (!spared.contains(place.object))
            objects.insert(place.object);
    for (const unsigned id : objects)
        if (const Object &object = engine_.object(id); state_.memory.is_exposed(object))
            forget(object, spared.tag);
}

// Something is written at `address`; no size: anywhere in the object.
void Evaluator::write_to(const AbstractValue &address, std::optional<uint64_t> size, const Spared &spared) {
    const AbstractValue place = place_behind(address);
    if (!place.object)
        return forget_all_exposed(spared);
    if (place.is_pointer() && size)
        overwrite(*place.object, place.offset, *size);
    else
        forget(*place.object, spared.tag);
    forget_aliases(place, spared);
}

// In a region: LLVM is told that the access and the objects which facts are about don't meet, and the region's test is told what
// is accessed. False: outside of regions.
bool Evaluator::assume_apart(Instruction &access, Value *address, const AbstractValue &place, uint64_t size) {
    if (state_.region == 0)
        return false;
    Region &region = engine_.regions().by_id(state_.region);
    LLVMContext &context = access.getContext();
    const bool is_inside = place.is_pointer() && state_.apart.contains(place.object->id);
    SmallVector<Metadata *> others;
    for (const unsigned id : state_.apart.in_order())
        if (!is_inside || id != place.object->id)
            others.push_back(Regions::scope(region, engine_.object(id), context));
    access.setMetadata(LLVMContext::MD_noalias, MDNode::get(context, others));
    for (const auto &[cell_place, cell] : state_.memory.cells())
        if (state_.apart.contains(cell_place.object))
            region.extents[cell_place.object].add(cell_place.offset, cell.size);
    if (is_inside) {
        MDNode *own = Regions::scope(region, *place.object, context);
        access.setMetadata(LLVMContext::MD_alias_scope, MDNode::get(context, own));
        region.extents[place.object->id].add(place.offset, size);
        return true;
    }
    if (!place.object || state_.memory.is_exposed(*place.object))
        write_access_call(region.id, address, size, builder_);
    return true;
}

// What nobody else can have the address of meets nothing.
void Evaluator::note_access(const Instruction &access, const AbstractValue &place, bool writes) {
    if (state_.generic || (place.object && place.object->is_private() && !state_.memory.is_exposed(*place.object)))
        return;
    const auto object = place.object ? std::optional(place.object->id) : std::nullopt;
    engine_.regions().note_access(state_.context, access, {object, tag_of(access), writes});
}

bool Evaluator::store(Instruction &instruction) {
    auto &store = cast<StoreInst>(instruction);
    keep_choice(store.getPointerOperand());
    const AbstractValue place = place_behind(read(store.getPointerOperand()));
    const AbstractValue value = read(store.getValueOperand());
    Type *type = store.getValueOperand()->getType();
    const uint64_t size = layout_.getTypeStoreSize(type);
    const bool whole = layout_.getTypeSizeInBits(type) == 8 * size && size <= largest_cell && !type->isScalableTy();
    const bool remembered = store.isSimple() && place.is_pointer() && value.is_static() && whole &&
                            !(value.is_pointer() && !type->isPointerTy());
    const bool is_hidden = remembered && place.object->is_private() && !state_.memory.is_exposed(*place.object);
    if (value.object && !is_hidden)
        state_.memory.expose(*value.object);
    Instruction *copy = emit(instruction, false);
    const bool apart = store.isSimple() && assume_apart(*copy, cast<StoreInst>(copy)->getPointerOperand(), place, size);
    note_access(store, place, true);
    const size_t cells = state_.memory.cells().size();
    write_to(place, size, {apart ? &state_.apart : nullptr, store.isSimple() ? tag_of(store) : nullptr});
    if (!state_.generic && cells > state_.memory.cells().size())
        engine_.regions().note_forgotten(state_.context, store);
    if (remembered)
        state_.memory.set(*place.object, place.offset, {value, size, tag_of(store)});
    if (place.is_pointer() && !state_.generic)
        engine_.keys().note_store(state_.context, store.getValueOperand(), {place.object->id, place.offset});
    if (store.isAtomic() && store.getOrdering() != AtomicOrdering::Unordered &&
        store.getOrdering() != AtomicOrdering::Monotonic)
        forget_all_exposed();
    return true;
}

bool Evaluator::synchronise(Instruction &instruction) {
    Instruction *copy = emit(instruction, true);
    for (Value *operand : instruction.operands())
        if (operand->getType()->isPointerTy())
            write_to(read(operand), std::nullopt);
    forget_all_exposed();
    if (!instruction.getType()->isVoidTy())
        define_dynamic(instruction, copy);
    return true;
}

// What is known of `size` bytes at `address`, by offset from there: by words, and where a word is not known, by its parts.
std::vector<std::pair<int64_t, Cell>> Evaluator::contents(const AbstractValue &address, uint64_t size) const {
    std::vector<std::pair<int64_t, Cell>> found;
    const AbstractValue place = place_behind(address);
    if (!place.is_pointer() || size > largest_copy)
        return found;
    LLVMContext &context = engine_.root().getContext();
    const auto content = [&](uint64_t at, Type *type) {
        if (!address.is_known())
            return known_content(AbstractValue::pointer(place.object, place.offset + static_cast<int64_t>(at)), type);
        Constant *offset = ConstantInt::get(Type::getInt64Ty(context), at);
        return known_content(
            AbstractValue::known(ConstantExpr::getGetElementPtr(Type::getInt8Ty(context), address.constant, offset)),
            type);
    };
    const auto widest_known = [&](uint64_t at) -> Cell {
        for (uint64_t width = 8; width > 0; width /= 2) {
            if (at % width != 0 || at + width > size)
                continue;
            AbstractValue value = content(at, Type::getIntNTy(context, static_cast<unsigned>(8 * width)));
            if (value.is_dynamic() && width == 8)
                value = content(at, PointerType::getUnqual(context));
            if (!value.is_dynamic())
                return {value, width};
        }
        return {{}, 1};
    };
    for (uint64_t at = 0; at < size;) {
        const Cell part = widest_known(at);
        if (!part.value.is_dynamic())
            found.push_back({static_cast<int64_t>(at), part});
        at += part.size;
    }
    return found;
}

bool Evaluator::transfer(CallBase &call) {
    auto &copy = cast<MemTransferInst>(call);
    keep_choice(copy.getLength());
    const AbstractValue to = read(copy.getRawDest());
    const AbstractValue from = read(copy.getRawSource());
    const AbstractValue length = read(copy.getLength());
    const auto *bytes = length.is_known() ? dyn_cast<ConstantInt>(length.constant) : nullptr;
    const std::optional<uint64_t> size = bytes ? std::optional(bytes->getZExtValue()) : std::nullopt;
    std::vector<std::pair<int64_t, Cell>> moved;
    if (size && !copy.isVolatile())
        moved = contents(from, *size);
    if (const AbstractValue source = place_behind(from); source.object)
        state_.memory.expose_contents(*source.object);
    emit(call, false);
    write_to(to, size);
    if (const AbstractValue place = place_behind(to); place.is_pointer())
        for (const auto &[offset, cell] : moved)
            state_.memory.set(*place.object, place.offset + offset, cell);
    return true;
}

bool Evaluator::fill_memory(CallBase &call) {
    auto &fill = cast<MemSetInst>(call);
    const AbstractValue to = read(fill.getRawDest());
    const AbstractValue length = read(fill.getLength());
    const AbstractValue byte = read(fill.getValue());
    const auto *bytes = length.is_known() ? dyn_cast<ConstantInt>(length.constant) : nullptr;
    const std::optional<uint64_t> size = bytes ? std::optional(bytes->getZExtValue()) : std::nullopt;
    emit(call, false);
    write_to(to, size);
    const AbstractValue place = place_behind(to);
    if (!size || *size > largest_copy || fill.isVolatile() || !place.is_pointer() || !byte.is_known() ||
        !isa<ConstantInt>(byte.constant))
        return true;
    for (uint64_t at = 0; at < *size;) {
        const uint64_t width = at + 8 <= *size ? 8 : 1;
        const APInt pattern =
            APInt::getSplat(static_cast<unsigned>(8 * width), cast<ConstantInt>(byte.constant)->getValue());
        state_.memory.set(*place.object, place.offset + static_cast<int64_t>(at),
                          {AbstractValue::known(ConstantInt::get(call.getContext(), pattern)), width});
        at += width;
    }
    return true;
}

bool Evaluator::mark_lifetime(CallBase &call) {
    const AbstractValue place = read(call.getArgOperand(1));
    // The code around a part goes on with the variables that live where the part is left: unmarked, another's could lie in their place.
    if (!place.is_pointer() || place.offset != 0 ||
        !(place.object->is_local() || isa<AllocaInst>(place.object->origin)))
        return true;
    state_.memory.forget(*place.object);
    emit(call, false);
    return true;
}

}  // namespace thalweg::transform::specializer
