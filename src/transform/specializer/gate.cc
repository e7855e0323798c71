// transform: where a region begins: what its loop will need is loaded, the facts that its rounds need are tested, and that its writes lie
// apart.
#include "llvm/IR/MDBuilder.h"

#include "transform/ir/hot_path.h"
#include "transform/specializer/apart.h"
#include "transform/specializer/early.h"
#include "transform/specializer/engine.h"

namespace thalweg::transform::specializer {

using namespace llvm;

// Where nothing is known yet of what the facts are about, the first round comes before the region: after it the guard can say what
// the loop writes.
bool Engine::enters_region(const State &state, const Instruction &start) {
    if (state.region != 0 || state.generic)
        return false;
    const Region *region = regions_.at_begin(state.context, start);
    return region && (!region->before.empty() || region->tested.empty() || any_of(region->tested, [&](unsigned id) {
               return state.memory.has_likely_of(objects_[id]) || !expected_[id].empty();
           }));
}

// Before a loop whose writes are assumed apart stands their test; where it fails, the loop is the generic one.
void Engine::open_gate(Entry &gate) {
    Instruction *start = gate.spot.start;
    State state = gate.state;
    Region &region = *regions_.at_begin(state.context, *start);
    BasicBlock *yes = residual_->new_block("edge");
    BasicBlock *no = residual_->new_block("edge");
    gate.blocks.insert(gate.blocks.end(), {yes, no});
    IRBuilder<> builder(gate.block);
    load_early(region, state, builder);
    const State before_tests = state;
    test_early(gate, region, state, builder, *no);
    const auto is_in_use = [&](const Object &object) {
        return state.memory.has_likely_of(object) || !expected_[object.id].empty() ||
               (!region.before.empty() && state.refers_to(object));  // and will hold something when the loop begins
    };
    std::vector<const Object *> objects;
    for (const Object &object : objects_)
        if (!region.not_apart.contains(object.id) && state.memory.is_exposed(object) &&
            (object.base || object.is_rebound()) && is_in_use(object))
            objects.push_back(&object);
    Value *apart = write_apart_call(*residual_, region.id, objects, builder);
    builder.CreateCondBr(apart, yes, no, likely(root_.getContext()));
    times_.note(gate.number, start, Done::tested);
    leave(gate, no, before_tests, start);
    state.region = region.id;
    for (const Object *object : objects)
        state.apart.insert(object->id);
    link(gate, yes, std::move(state), start, false);
}

// What the way to the loop will load in any case is loaded before it, so that the test can tell where it leads.
void Engine::load_early(Region &region, State &state, IRBuilder<> &builder) {
    const auto value_of = [&](const Value *base) {
        const bool is_numbered = isa<Argument, Instruction>(base);
        return is_numbered ? state.value_at({state.context->id, state.context->info->number_of(base)})
                           : AbstractValue{};
    };
    const auto is_known = [&](const Value *base) {
        const AbstractValue value = value_of(base);
        return value.is_pointer() && !value.object->is_private();
    };
    std::set<unsigned> found;
    const auto behind = [&](const LoadInst *pointer) {
        return AbstractValue::pointer(&object(Object::Kind::loaded, const_cast<LoadInst *>(pointer), state.context), 0);
    };
    const Early early = early_on(region.before, is_known, types_);
    for (const EarlyPointer &pointer : early.pointers) {
        const AbstractValue base = pointer.behind ? behind(pointer.behind) : value_of(pointer.base);
        Object &loaded = object(Object::Kind::loaded, pointer.load, state.context);
        const bool is_reachable = !pointer.behind || found.contains(base.object->id);
        const CellPlace place{base.object->id, base.offset + pointer.offset};
        if (!is_reachable || state.memory.cell_at(place) || state.refers_to(loaded))
            continue;
        Value *address = residual_->address(*base.object, place.offset, builder);
        builder.CreateStore(builder.CreateAlignedLoad(pointer.load->getType(), address, pointer.load->getAlign()),
                            residual_->base_variable(loaded));
        state.memory.renew(loaded);
        state.memory.set(*base.object, place.offset,
                         {AbstractValue::pointer(&loaded, 0), root_.getDataLayout().getPointerSize(),
                          pointer.load->getMetadata(LLVMContext::MD_tbaa)});
        times_.note_behind(loaded, place);
        found.insert(loaded.id);
    }
    const auto place_of = [&](const BytesBehind &bytes) {
        const auto *pointer = dyn_cast<LoadInst>(bytes.base);
        return pointer && !is_known(pointer) ? behind(pointer) : value_of(bytes.base);
    };
    region.readable.clear();
    region.stored.clear();
    for (const BytesBehind &bytes : early.readable) {
        const AbstractValue base = place_of(bytes);
        if (!is_known(bytes.base) && !found.contains(base.object->id))
            continue;
        region.readable[base.object->id].push_back({base.offset + bytes.begin, base.offset + bytes.end});
    }
    for (const BytesBehind &bytes : early.stored)
        if (const AbstractValue base = place_of(bytes); base.is_pointer())
            region.stored.push_back({base.object->id, {base.offset + bytes.begin, base.offset + bytes.end}});
}

// What the first round would test is tested here: so all rounds are alike, and are written once.
void Engine::test_early(Entry &gate, const Region &region, State &state, IRBuilder<> &builder, BasicBlock &no) {
    if (!all_of(region.early_tests, [&](const FirstTest &test) { return region.may_begin_with(test); }))
        return;
    for (const FirstTest &test : region.early_tests) {
        if (state.memory.cell_at(test.place))
            continue;
        if (!region.lies_between_accesses(test))
            test_page(gate, region, test, builder, no);
        const Object &holder = objects_[test.place.object];
        Type *type = test.load->getType();
        Value *address = residual_->address(holder, test.place.offset, builder);
        Value *loaded = builder.CreateAlignedLoad(type, address, test.load->getAlign());
        loaded = builder.CreateFreeze(loaded);
        BasicBlock *yes = residual_->new_block("holds");
        gate.blocks.push_back(yes);
        BranchInst *branch =
            builder.CreateCondBr(builder.CreateICmpEQ(loaded, test.value), yes, &no, likely(root_.getContext()));
        mark_leave(*branch, 1);
        ++counts_.guards;
        times_.note(gate.number, test.load, Done::tested);
        state.memory.set(holder, test.place.offset,
                         {AbstractValue::known(test.value), root_.getDataLayout().getTypeStoreSize(type),
                          test.load->getMetadata(LLVMContext::MD_tbaa)});
        builder.SetInsertPoint(yes);
    }
}

// Whether the fact lies on a page that the way accesses in any case: another one might not be readable, and the program perhaps does not read it.
void Engine::test_page(Entry &gate, const Region &region, const FirstTest &test, IRBuilder<> &builder, BasicBlock &no) {
    const Extent bytes = test.extent();
    const Extent &access = *region.access_near(test);
    const auto page_of = [&](int64_t offset) {
        Value *address = residual_->address(objects_[test.place.object], offset, builder);
        return builder.CreatePtrToInt(address, builder.getInt64Ty());
    };
    Value *differ =
        builder.CreateXor(page_of(bytes.begin < access.begin ? bytes.begin : bytes.end - 1), page_of(access.begin));
    BasicBlock *yes = residual_->new_block("page");
    gate.blocks.push_back(yes);
    builder.CreateCondBr(builder.CreateICmpULT(differ, builder.getInt64(page)), yes, &no, likely(root_.getContext()));
    builder.SetInsertPoint(yes);
}

// The first round of a region's loop reads the facts and tests them; the rounds after it are written apart, without tests.
bool Engine::knows_more_than_first_round(const State &state, const Instruction &start) {
    const Region *region = state.region == 0 ? nullptr : &regions_.by_id(state.region);
    if (!region || state.later_round || region->context != state.context ||
        region->loop->getHeader() != start.getParent() || &start != start.getParent()->getFirstNonPHI())
        return false;
    const auto first =
        by_spot_.find(key_of({state.context, const_cast<Instruction *>(&start), false, false, false, state.region}));
    const auto facts_of = [&](const State &one) {
        return count_if(one.memory.cells(), [&](const auto &entry) {
            return entry.second.value.is_known() && state.apart.contains(entry.first.object);
        });
    };
    return first != by_spot_.end() && facts_of(state) > facts_of(first->second.front().state);
}

}  // namespace thalweg::transform::specializer
