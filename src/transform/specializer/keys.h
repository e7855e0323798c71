// transform: which facts steer the specialised program, and so are kept apart where its ways join: a program counter, the
// index of a field, an operation table. Other facts may meet, or every `if` that is decided at run time would double the code.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "transform/specializer/state.h"

namespace thalweg::transform::specializer {

class Keys {
  public:
    explicit Keys(const Contexts &contexts) : contexts_(contexts) {}

    // A switch, a call through a pointer or an address in constant memory depends on this value.
    void steer(const Context *context, const llvm::Value *value);

    // Keeps states apart that differ in this value, in every unfolding of its function, but not those that differ in what it depends on: the program
    // chooses it at run time.
    void keep(const llvm::Value *value);

    // How values come about, as far as it is seen: loads and stores of cells, and what unfolded calls return.
    void note_load(const Context *context, const llvm::Value *load, CellPlace cell);
    // The load was evaluated from known memory. The address of a load for which this never happens need not be kept apart.
    void note_answer(const Context *context, const llvm::Value *load);
    void note_store(const Context *context, const llvm::Value *value, CellPlace cell);
    void note_return(const Context *callee, const llvm::Value *value);

    bool contains(Place place) const { return is_among(place, count_); }
    bool contains(CellPlace cell) const { return is_among(cell, count_); }
    // A new attempt begins. What is found to be a key after a join has lost it is kept apart in the next.
    void begin_attempt() { ++attempt_; }
    bool has_lost(const Lost &lost);
    // Whether two states say the same of all keys.
    bool agree(const State &one, const State &other) const;
    size_t count() const { return count_; }
    // A hash of what the state knows of the first `first` keys found. States that agree on these keys have the same hash.
    uint64_t digest(const State &state, size_t first) const;

  private:
    struct Source {
        const Context *context;
        const llvm::Value *value;
        auto operator<=>(const Source &) const = default;
    };

    void mark(Source source, std::vector<Source> &open);
    static void follow_operands(Source source, std::vector<Source> &open);
    void mark_cell(CellPlace cell, std::vector<Source> &open);
    void run(std::vector<Source> &open);
    const llvm::Value *value_of(Place place) const {
        return contexts_.by_id(place.context).info->value_of(place.number);
    }
    bool is_new(Place place) const;
    bool is_new(CellPlace cell) const;
    bool is_among(Place place, size_t first) const;
    bool is_among(CellPlace cell, size_t first) const;

    struct Found {
        unsigned attempt;
        size_t number;  // of all keys, in the order in which they were found
    };
    template <class Map>
    bool add(Map &map, const typename Map::key_type &key);

    const Contexts &contexts_;
    unsigned attempt_ = 0;
    size_t count_ = 0;
    size_t asked_ = 0;  // how many keys there were when `has_lost` was asked last
    std::map<Place, Found> places_;
    std::map<const llvm::Value *, Found> kept_;  // looked up only
    std::map<CellPlace, Found> cells_;
    std::map<Place, CellPlace> loaded_from_;
    std::set<Place> answered_;
    std::map<CellPlace, std::set<std::pair<unsigned, unsigned>>> stored_;  // places, by number
    std::map<Place, Source> sources_;
    std::map<Place, std::vector<Source>> returned_;  // by the call that is unfolded
};

}  // namespace thalweg::transform::specializer
