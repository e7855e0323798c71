// transform: from a decision back to all that it depends on, through the frames and the cells that were seen on the way.
#include "transform/specializer/keys.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

Place place_of(const Context *context, const Value *value) { return {context->id, context->info->number_of(value)}; }

// From one place or another, by a decision of the program's: on two ways each may be known.
bool reads_choice(const LoadInst &load) {
    return isa<SelectInst, PHINode>(load.getPointerOperand()->stripInBoundsOffsets());
}

}  // namespace

void Keys::steer(const Context *context, const Value *value) {
    std::vector<Source> open{{context, value}};
    run(open);
}

void Keys::keep(const Value *value) { add(kept_, value); }

// False: it is known.
template <class Map>
bool Keys::add(Map &map, const typename Map::key_type &key) {
    const bool is_new = map.try_emplace(key, Found{attempt_, count_}).second;
    count_ += is_new;
    return is_new;
}

bool Keys::is_among(Place place, size_t first) const {
    if (const auto found = places_.find(place); found != places_.end() && found->second.number < first)
        return true;
    const auto kept = kept_.find(value_of(place));
    return kept != kept_.end() && kept->second.number < first;
}

bool Keys::is_among(CellPlace cell, size_t first) const {
    const auto found = cells_.find(cell);
    return found != cells_.end() && found->second.number < first;
}

void Keys::run(std::vector<Source> &open) {
    while (!open.empty()) {
        const Source next = open.back();
        open.pop_back();
        mark(next, open);
    }
}

void Keys::mark(Source source, std::vector<Source> &open) {
    const auto [context, value] = source;
    if (!isa<Instruction, Argument>(value))
        return;
    const Place place = place_of(context, value);
    if (!add(places_, place))
        return;
    if (const auto *argument = dyn_cast<Argument>(value)) {
        if (context->call && argument->getArgNo() < context->call->arg_size())
            open.push_back({context->caller, context->call->getArgOperand(argument->getArgNo())});
        return;
    }
    if (const auto cell = loaded_from_.find(place); cell != loaded_from_.end())
        mark_cell(cell->second, open);
    if (isa<CallBase>(value)) {
        const std::vector<Source> &returned = returned_[place];
        open.insert(open.end(), returned.begin(), returned.end());
        return;
    }
    const auto *load = dyn_cast<LoadInst>(value);
    if (!load || answered_.contains(place) || reads_choice(*load))
        follow_operands(source, open);
}

void Keys::follow_operands(Source source, std::vector<Source> &open) {
    for (const Value *operand : cast<Instruction>(source.value)->operands())
        open.push_back({source.context, operand});
}

void Keys::mark_cell(CellPlace cell, std::vector<Source> &open) {
    if (!add(cells_, cell))
        return;
    for (const auto &[context, number] : stored_[cell])
        open.push_back(sources_.at({context, number}));
}

void Keys::note_load(const Context *context, const Value *load, CellPlace cell) {
    const Place place = place_of(context, load);
    loaded_from_[place] = cell;
    if (!places_.contains(place))
        return;
    std::vector<Source> open;
    mark_cell(cell, open);
    run(open);
}

void Keys::note_answer(const Context *context, const Value *load) {
    const Place place = place_of(context, load);
    if (!answered_.insert(place).second || !places_.contains(place))
        return;
    std::vector<Source> open;
    follow_operands({context, load}, open);
    run(open);
}

void Keys::note_store(const Context *context, const Value *value, CellPlace cell) {
    if (!isa<Instruction, Argument>(value))
        return;
    const Place place = place_of(context, value);
    sources_.try_emplace(place, Source{context, value});
    stored_[cell].insert({place.context, place.number});
    if (cells_.contains(cell))
        steer(context, value);
}

void Keys::note_return(const Context *callee, const Value *value) {
    const Place place = place_of(callee->caller, callee->call);
    const Source source{callee, value};
    std::vector<Source> &returned = returned_[place];
    if (std::find(returned.begin(), returned.end(), source) == returned.end())
        returned.push_back(source);
    if (places_.contains(place))
        steer(callee, value);
}

bool Keys::is_new(Place place) const {
    const auto found = places_.find(place);
    const auto kept = kept_.find(value_of(place));
    const bool was_key = (found != places_.end() && found->second.attempt != attempt_) ||
                         (kept != kept_.end() && kept->second.attempt != attempt_);
    return !was_key && (found != places_.end() || kept != kept_.end());
}

bool Keys::is_new(CellPlace cell) const {
    const auto found = cells_.find(cell);
    return found != cells_.end() && found->second.attempt == attempt_;
}

bool Keys::has_lost(const Lost &lost) {
    if (count_ == asked_)
        return false;
    asked_ = count_;
    const auto is_new_key = [this](auto place) { return is_new(place); };
    return any_of(lost.places, is_new_key) || any_of(lost.cells, is_new_key);
}

// Of hundreds of states few differ from each other in much, so it is asked which places matter only where they do.
bool Keys::agree(const State &one, const State &other) const {
    const auto is_static = [](const AbstractValue *value) { return value && value->is_static(); };
    const auto values_differ = [&](Place place, const AbstractValue *a, const AbstractValue *b) {
        return (is_static(a) || is_static(b)) && (!a || !b || !a->is_same(*b)) && contains(place);
    };
    if (!one.values.shares_with(other.values) && one.values.any_with(other.values, values_differ))
        return false;
    if (one.memory.shares_with(other.memory))
        return true;
    const auto cells_differ = [&](CellPlace place, const Cell *a, const Cell *b) {
        return (!a || !b || !a->holds_same(*b)) && contains(place);
    };
    const auto likely_differs = [&](const auto &held) {
        return contains(held.first) && one.memory.likely_at(held.first) != other.memory.likely_at(held.first);
    };
    return !one.memory.cells().any_with(other.memory.cells(), cells_differ) &&
           none_of(one.memory.held(), likely_differs) && none_of(other.memory.held(), likely_differs);
}

// What `agree` compares, for the keys that are asked about.
uint64_t Keys::digest(const State &state, size_t first) const {
    hash_code digest(0);
    const auto fact = [](const AbstractValue &value) {
        return hash_combine(value.kind, value.constant, value.object, value.offset);
    };
    for (const auto &[place, value] : state.values)
        if (value.is_static() && is_among(place, first))
            digest = hash_combine(digest, place.context, place.number, fact(value));
    for (const auto &[place, cell] : state.memory.cells())
        if (is_among(place, first))
            digest = hash_combine(digest, place.object, place.offset, fact(cell.value), cell.size);
    for (const auto &[place, constant] : state.memory.held())
        if (!state.memory.cell_at(place) && is_among(place, first))
            digest = hash_combine(digest, place.object, place.offset, constant);
    return static_cast<size_t>(digest);
}

}  // namespace thalweg::transform::specializer
