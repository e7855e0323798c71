// transform: what is known at one point of the residual program: values of the unfolded functions' frames, and memory.
#pragma once

#include <set>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "transform/abstract/flat_map.h"
#include "transform/specializer/frame.h"
#include "transform/specializer/value.h"

namespace thalweg::transform::specializer {

using abstract::FlatMap;
using abstract::FlatSet;

// A value of one unfolding of a function.
struct Place {
    unsigned context = 0;
    unsigned number = 0;
    auto operator<=>(const Place &) const = default;
};

struct CellPlace {
    unsigned object = 0;
    int64_t offset = 0;
    auto operator<=>(const CellPlace &) const = default;
};

// What an object holds at an offset. Memory itself holds it too: the residual program makes every store.
struct Cell {
    AbstractValue value;  // known or pointer
    uint64_t size = 0;
    const llvm::MDNode *type = nullptr;  // the tag of the access that it is known from; null: of several, or of none
    // A write of another type that might lie here was taken not to: only accesses of this cell's own type may rely on that.
    bool spared = false;

    bool holds_same(const Cell &other) const { return value.is_same(other.value) && size == other.size; }
    bool operator==(const Cell &) const = default;
};

// Facts about what memory holds. What is not in here is not known.
class Memory {
  public:
    const Cell *cell_at(CellPlace place) const;
    // The cell that covers [offset, offset + size), and where it begins; null if none does on which an access of this type may rely.
    const Cell *cover(const Object &object, int64_t offset, uint64_t size, const llvm::MDNode *type,
                      int64_t &begin) const;
    void set(const Object &object, int64_t offset, const Cell &cell);
    // Bytes [offset, offset + size) are overwritten with something else. Nobody can read pointers out of them any more.
    void overwrite(const Object &object, int64_t offset, uint64_t size);
    // Anything in the object may have been overwritten, or not, but for what `spares` says of a cell's type.
    using Spares = llvm::function_ref<bool(const llvm::MDNode *type)>;
    void forget(const Object &object, Spares spares = nullptr);
    bool has_cells_of(const Object &object) const;
    // A new instance takes the object's place.
    void renew(const Object &object);
    // Code that is not looked into may know the object's address from now on, and all that it leads to.
    void expose(const Object &object);
    bool is_exposed(const Object &object) const { return !object.is_private() || exposed_.contains(object.id); }
    // Pointers that may be read from the object at a place that is not known are exposed.
    void expose_contents(const Object &object);
    // What a load is likely to find: what the cell holds, or held before it was forgotten. Null: nothing is known of it. A guess
    // that has to be tested.
    llvm::Constant *likely_at(CellPlace place) const;
    bool has_likely_of(const Object &object) const;
    // Facts in which `object` is pointed to are forgotten.
    void forget_pointers_to(const Object &object);
    // Only what holds in both stays; `lost` gets what each had and the other had otherwise. True: something went.
    bool meet(const Memory &other, std::set<CellPlace> &lost);

    using Cells = FlatMap<CellPlace, Cell>;
    using Held = FlatMap<CellPlace, llvm::Constant *>;
    const Cells &cells() const { return cells_; }
    const Held &held() const { return held_; }
    // Of the same facts, without a look at them; false: nobody knows.
    bool shares_with(const Memory &other) const {
        return cells_.shares_with(other.cells_) && held_.shares_with(other.held_);
    }
    // Another object has taken an object's place and its contents.
    void replace(const Object &object, Object *by);
    bool operator==(const Memory &) const = default;

  private:
    Cells::iterator drop(Cells::iterator cell);  // memory may still hold it: a pointer in it is exposed
    bool meet_cell(Cell &mine, const Cell &theirs) const;
    bool meet_cells(const Memory &other, std::set<CellPlace> &lost);
    Cells::iterator cut(Cells::iterator cell, int64_t begin, int64_t end);
    void erase_held(const Object &object, int64_t begin, int64_t end);
    bool meet_held(const Memory &other);

    Cells cells_;
    Held held_;  // before they were forgotten
    FlatSet<unsigned> exposed_;  // private objects only
};

// What was known on two ways that have joined, and not the same.
struct Lost {
    std::set<Place> places;
    std::set<CellPlace> cells;
};

// For people: after which instruction a cell was not known any more, on the way that leads here.
struct Forgotten {
    CellPlace cell;
    const llvm::Instruction *by = nullptr;
    const Forgotten *before = nullptr;
    unsigned depth = 0;
};

struct State {
    const Context *context = nullptr;
    FlatMap<Place, AbstractValue> values;  // what is not in here is dynamic, and in a variable of the residual function
    Memory memory;
    bool generic = false;  // a fact has failed: from here on the original code, without facts and without unfolding
    unsigned region = 0;  // writes are assumed apart from `apart` (region.h); 0: they are not
    FlatSet<unsigned> apart;  // objects
    bool later_round = false;  // in the region: a round has been through its loop and has tested facts
    unsigned trace = 0;  // the last parting of ways that was decided at run time
    const Forgotten *forgotten = nullptr;

    AbstractValue value_at(Place place) const;
    void set(Place place, const AbstractValue &value);
    void replace(const Object &object, Object *by);
    // Whether a value or a cell leads to the object.
    bool refers_to(const Object &object) const;
    // Drops what is not read any more from `start` on, nor by the callers.
    void prune(const llvm::Instruction *start);
    // Only what holds in both stays. True: something went.
    bool meet(const State &other, Lost &lost);
    bool meet_values(const State &other, Lost &lost);
};

}  // namespace thalweg::transform::specializer
