// transform: how facts are forgotten, and what two of the residual program's ways have in common where they join.
#include "transform/specializer/state.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

template <class Map>
void move_entries(Map &map, unsigned from, unsigned to) {
    const auto first = map.lower_bound({from, INT64_MIN});
    const auto last = map.lower_bound({from + 1, INT64_MIN});
    const std::vector<typename Map::Entry> moved(first, last);
    map.erase(first, last);
    for (const auto &[place, what] : moved)
        map[{to, place.offset}] = what;
}

}  // namespace

const Cell *Memory::cell_at(CellPlace place) const {
    const auto found = cells_.find(place);
    return found == cells_.end() ? nullptr : &found->second;
}

const Cell *Memory::cover(const Object &object, int64_t offset, uint64_t size, const MDNode *type,
                          int64_t &begin) const {
    auto after = cells_.upper_bound({object.id, offset});
    if (after == cells_.begin())
        return nullptr;
    const auto &[place, cell] = *std::prev(after);
    if (place.object != object.id ||
        offset + static_cast<int64_t>(size) > place.offset + static_cast<int64_t>(cell.size) ||
        (cell.spared && (!cell.type || cell.type != type)))
        return nullptr;
    begin = place.offset;
    return &cell;
}

llvm::Constant *Memory::likely_at(CellPlace place) const {
    if (const Cell *cell = cell_at(place))
        return cell->value.is_known() ? cell->value.constant : nullptr;
    const auto held = held_.find(place);
    return held == held_.end() ? nullptr : held->second;
}

bool Memory::has_likely_of(const Object &object) const {
    const auto first = held_.lower_bound({object.id, INT64_MIN});
    return has_cells_of(object) || (first != held_.end() && first->first.object == object.id);
}

void Memory::erase_held(const Object &object, int64_t begin, int64_t end) {
    held_.erase_between({object.id, begin}, {object.id, end});
}

void Memory::set(const Object &object, int64_t offset, const Cell &cell) {
    erase_held(object, offset, offset + static_cast<int64_t>(cell.size));
    Cell &place = cells_[{object.id, offset}] = cell;
    // Null and zero are the same bytes.
    if (place.value.is_known() && isa<ConstantPointerNull>(place.value.constant))
        place.value.constant = ConstantInt::get(Type::getInt64Ty(place.value.constant->getContext()), 0);
}

Memory::Cells::iterator Memory::drop(Cells::iterator cell) {
    if (const Object *behind = cell->second.value.object)
        expose(*behind);
    return cells_.erase(cell);
}

void Memory::overwrite(const Object &object, int64_t offset, uint64_t size) {
    const int64_t end = offset + static_cast<int64_t>(size);
    erase_held(object, offset, end);
    // The largest cell is some words; one that begins earlier than that can't reach in here.
    constexpr int64_t largest_cell = 64;
    if (!cells_.has_any({object.id, offset - largest_cell}, {object.id, end}))
        return;
    for (auto at = cells_.lower_bound({object.id, offset - largest_cell});
         at != cells_.end() && at->first.object == object.id && at->first.offset < end;) {
        const int64_t cell_end = at->first.offset + static_cast<int64_t>(at->second.size);
        if (cell_end <= offset)
            ++at;
        else if (at->first.offset >= offset && cell_end <= end)
            at = cells_.erase(at);
        else
            at = cut(at, offset, end);
    }
}

// Of a number that is overwritten in part, the other bytes are still known. Thalweg's targets are little-endian.
Memory::Cells::iterator Memory::cut(Cells::iterator cell, int64_t begin, int64_t end) {
    const auto [place, old] = *cell;
    const auto next = drop(cell);
    const auto *number = old.value.is_known() ? dyn_cast<ConstantInt>(old.value.constant) : nullptr;
    if (!number || number->getBitWidth() != 8 * old.size)
        return next;
    auto keep = [&, &place = place](int64_t from, int64_t to) {
        if (from >= to)
            return;
        const auto bits = static_cast<unsigned>(8 * (to - from));
        const APInt part = number->getValue().extractBits(bits, static_cast<unsigned>(8 * (from - place.offset)));
        cells_[{place.object, from}] = {AbstractValue::known(ConstantInt::get(number->getContext(), part)),
                                        static_cast<uint64_t>(to - from), old.type, old.spared};
    };
    keep(place.offset, begin);
    keep(end, place.offset + static_cast<int64_t>(old.size));
    const auto rest = cells_.lower_bound(place);
    return rest != cells_.end() && rest->first == place ? std::next(rest) : rest;
}

void Memory::forget(const Object &object, Spares spares) {
    if (!has_cells_of(object))
        return;
    for (auto at = cells_.lower_bound({object.id, INT64_MIN}); at != cells_.end() && at->first.object == object.id;) {
        if (spares && spares(at->second.type)) {
            at->second.spared = true;
            ++at;
            continue;
        }
        if (at->second.value.is_known())
            held_[at->first] = at->second.value.constant;
        at = drop(at);
    }
}

bool Memory::has_cells_of(const Object &object) const {
    return cells_.has_any({object.id, INT64_MIN}, {object.id + 1, INT64_MIN});
}

void Memory::renew(const Object &object) {
    cells_.erase_between({object.id, INT64_MIN}, {object.id + 1, INT64_MIN});
    erase_held(object, INT64_MIN, INT64_MAX);
    exposed_.erase(object.id);
}

void Memory::expose(const Object &object) {
    if (!object.is_private() || !exposed_.insert(object.id))
        return;
    expose_contents(object);
}

void Memory::expose_contents(const Object &object) {
    std::vector<const Object *> behind;
    const Cells &cells = cells_;
    for (auto at = cells.lower_bound({object.id, INT64_MIN}); at != cells.end() && at->first.object == object.id; ++at)
        if (at->second.value.object)
            behind.push_back(at->second.value.object);
    for (const Object *next : behind)
        expose(*next);
}

void Memory::forget_pointers_to(const Object &object) {
    const auto leads_there = [&](const auto &entry) { return entry.second.value.object == &object; };
    if (none_of(std::as_const(cells_), leads_there))
        return;
    for (auto at = cells_.begin(); at != cells_.end();)
        at = leads_there(*at) ? drop(at) : std::next(at);
}

void Memory::replace(const Object &object, Object *by) {
    for (auto &[place, cell] : cells_)
        if (cell.value.object == &object)
            cell.value.object = by;
    move_entries(cells_, object.id, by->id);
    move_entries(held_, object.id, by->id);
    if (exposed_.erase(object.id))
        exposed_.insert(by->id);
}

void State::replace(const Object &object, Object *by) {
    for (auto &[place, value] : values)
        if (value.object == &object)
            value.object = by;
    memory.replace(object, by);
}

bool State::refers_to(const Object &object) const {
    const auto leads_there = [&](const AbstractValue &value) { return value.object == &object; };
    return any_of(values, [&](const auto &entry) { return leads_there(entry.second); }) ||
           any_of(memory.cells(), [&](const auto &entry) { return leads_there(entry.second.value); });
}

// Where both are likely to hold the same, and it is not sure, that stays likely.
bool Memory::meet_held(const Memory &other) {
    Held both;
    for (const auto &[place, constant] : std::as_const(held_))
        if (other.likely_at(place) == constant)
            both.append(place, constant);
    cells_.visit_with(other.cells_, [&](CellPlace place, const Cell *mine, const Cell *theirs) {
        if (mine && mine->value.is_known() && (!theirs || !theirs->holds_same(*mine)) &&
            other.likely_at(place) == mine->value.constant)
            both[place] = mine->value.constant;
    });
    if (both == held_)
        return false;
    held_ = std::move(both);
    return true;
}

// True: fewer may rely on the cell than before.
bool Memory::meet_cell(Cell &mine, const Cell &theirs) const {
    const Cell before = mine;
    mine.value.meet_steps(theirs.value);
    if (mine.type != theirs.type)
        mine.type = nullptr;
    mine.spared |= theirs.spared;
    return mine != before;
}

bool Memory::meet_cells(const Memory &other, std::set<CellPlace> &lost) {
    const auto differs = [](CellPlace, const Cell *mine, const Cell *theirs) {
        return mine && (!theirs || *mine != *theirs);
    };
    if (!cells_.any_with(other.cells_, differs))
        return false;
    bool changed = false;
    std::vector<const Object *> dropped;  // memory may still lead there
    cells_.meet(other.cells_, [&](CellPlace place, Cell &mine, const Cell *theirs) {
        const bool stays = theirs && theirs->holds_same(mine);
        changed |= !stays || meet_cell(mine, *theirs);
        if (!stays && theirs)
            lost.insert(place);
        if (!stays && mine.value.object)
            dropped.push_back(mine.value.object);
        return stays;
    });
    for (const Object *object : dropped)
        expose(*object);
    return changed;
}

bool Memory::meet(const Memory &other, std::set<CellPlace> &lost_cells) {
    if (*this == other)
        return false;
    bool changed = meet_held(other);
    changed |= exposed_.insert_all(other.exposed_);
    std::vector<const Object *> lost;  // the other's pointers that this one does not know of
    cells_.visit_with(other.cells_, [&](CellPlace, const Cell *mine, const Cell *theirs) {
        if (theirs && theirs->value.object && (!mine || !mine->holds_same(*theirs)))
            lost.push_back(theirs->value.object);
    });
    changed |= meet_cells(other, lost_cells);
    for (const Object *object : lost)
        if (!is_exposed(*object)) {
            expose(*object);
            changed = true;
        }
    return changed;
}

AbstractValue State::value_at(Place place) const {
    const auto found = values.find(place);
    return found == values.end() ? AbstractValue{} : found->second;
}

void State::set(Place place, const AbstractValue &value) {
    if (value.is_dynamic())
        values.erase(place);
    else
        values[place] = value;
}

void State::prune(const Instruction *start) {
    SmallVector<std::pair<unsigned, const BitVector *>> live;
    const Instruction *at = start;
    for (const Context *frame = context; frame; frame = frame->caller) {
        live.emplace_back(frame->id, &frame->info->live_at(at));
        // A call that ends its block is an invoke: what its ways on need is live at itself.
        if (frame->call)
            at = frame->call->isTerminator() ? static_cast<Instruction *>(frame->call) : frame->call->getNextNode();
    }
    llvm::sort(live);
    auto frame = live.begin();  // both are in the order of the frames' numbers
    values.remove_if([&](const auto &entry) {
        while (frame != live.end() && frame->first < entry.first.context)
            ++frame;
        return frame == live.end() || frame->first != entry.first.context || !frame->second->test(entry.first.number);
    });
}

bool State::meet_values(const State &other, Lost &lost) {
    const auto differs = [](Place, const AbstractValue *mine, const AbstractValue *theirs) {
        return mine && (!theirs || *mine != *theirs);
    };
    if (!values.any_with(other.values, differs))
        return false;
    bool changed = false;
    values.meet(other.values, [&](Place place, AbstractValue &mine, const AbstractValue *known) {
        const AbstractValue theirs = known ? *known : AbstractValue{};
        if (mine.is_same(theirs)) {
            changed |= mine.meet_steps(theirs);
            return true;
        }
        if (mine.is_static() && theirs.is_static())
            lost.places.insert(place);
        if (mine.object && mine.object == theirs.object) {
            changed |= mine.is_pointer();
            mine = AbstractValue::within(mine.object);
            return true;
        }
        changed = true;
        if (mine.object)
            memory.expose(*mine.object);
        if (theirs.object)
            memory.expose(*theirs.object);
        return false;
    });
    return changed;
}

bool State::meet(const State &other, Lost &lost) {
    bool changed = memory.meet(other.memory, lost.cells);
    if (other.forgotten && (!forgotten || other.forgotten->depth > forgotten->depth))
        forgotten = other.forgotten;
    changed |= apart.keep_what_is_in(other.apart);
    changed |= meet_values(other, lost);
    values.visit_with(other.values, [&](Place, const AbstractValue *mine, const AbstractValue *theirs) {
        if (!mine && theirs->object && !memory.is_exposed(*theirs->object)) {
            memory.expose(*theirs->object);
            changed = true;
        }
    });
    return changed;
}

}  // namespace thalweg::transform::specializer
