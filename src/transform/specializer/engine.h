// transform: the specialiser's book-keeping: which points of the residual program there are, for which known state, and which
// are still to be written. One residual block for each (frame, instruction, known state), as DESIGN section 5 says.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

#include "transform/specializer/facts.h"
#include "transform/specializer/keys.h"
#include "transform/specializer/locations.h"
#include "transform/specializer/part.h"
#include "transform/specializer/region.h"
#include "transform/specializer/residual.h"
#include "transform/specializer/times.h"
#include "transform/specializer/types.h"
#include "transform/specializer/versions.h"

namespace thalweg::transform::specializer {

// A point of the original program: in which frame, before which instruction, with facts or without.
struct Spot {
    const Context *context = nullptr;
    llvm::Instruction *start = nullptr;
    bool generic = false;
    bool gate = false;  // just before a region's loop
    bool later_round = false;  // in a region: the first round has tested the facts
    unsigned region = 0;
};

struct Entry;

// One way from an entry to another. Its block is the place for what the target wants in variables.
struct Edge {
    llvm::BasicBlock *block = nullptr;
    State state;
    Entry *target = nullptr;
};

struct Entry {
    Spot spot;
    State state;
    llvm::BasicBlock *block = nullptr;
    unsigned number = 0;
    std::vector<Edge> edges;
    // The blocks in which its code is, beside `block`; written anew when its state has got weaker.
    std::vector<llvm::BasicBlock *> blocks;
    // What the original executes where this one of these blocks is executed (ExpectedWork::of_instruction).
    std::map<const llvm::BasicBlock *, double> work = {};
};

struct Counts {
    uint32_t unfolded = 0;  // calls
    uint32_t resolved = 0;  // of these, calls through pointers
    uint32_t decided = 0;  // branches and switches
    uint32_t guards = 0;  // facts tested
    uint32_t regions = 0;  // loops with one test for all that they touch
    uint32_t instructions = 0;  // of the residual function
    double work =
        0;  // of the original, for an entry, by the frequencies of the residual's blocks; without what calls that are left lead to
    std::map<std::string, std::string> left;  // functions with a body that are still called, and why
};

// Instructions of one residual function. LLVM's passes take seconds from some ten thousand on.
inline constexpr uint32_t default_max_instructions = 20000;

// Versions of one place, each for other facts. An interpreted program has as many as instructions; libpcap's longest filters have
// some hundreds.
inline constexpr size_t default_max_versions = 512;

struct Environment {
    Contexts &contexts;
    const llvm::TargetLibraryInfo *libraries = nullptr;
    // Whether the target's features allow `callee` inside `caller`.
    llvm::function_ref<bool(const llvm::Function &caller, const llvm::Function &callee)> compatible;
    // What a call is unfolded as, where something else decides than what is known of it; null: the call stays.
    using Bodies = llvm::function_ref<llvm::Function *(llvm::CallBase &, llvm::Function &callee, const Context &)>;
    Bodies body = nullptr;
    // Whether a loop whose course is known is unrolled for that alone, and not only where it steers something.
    bool unrolls = true;
    size_t max_versions = default_max_versions;
    // Null: the whole function.
    const Part *part = nullptr;
    // Called where a fact does not hold; null: nothing is.
    llvm::Function *left = nullptr;
    // What the residual function may have at most, simplified or not.
    uint32_t max_instructions = default_max_instructions;
    // Points of the residual program that may be looked at in all attempts together, and where each attempt takes few.
    size_t max_looks = SIZE_MAX;
    size_t max_looks_in_small_steps = 0;
    // Whether the states of data are kept apart only where that decides something.
    bool gives_up_on_data = false;
};

class Engine {
  public:
    Engine(llvm::Function &root, const Facts &facts, const Environment &environment);

    // The residual function, not yet simplified; null: `gave_up` says why.
    llvm::Function *run();
    const std::string &gave_up() const { return gave_up_; }
    const Counts &counts() const { return counts_; }
    size_t looks() const { return looks_; }
    // The binding times of the source's lines; after a run that gave a function.
    std::vector<model::FunctionTimes> times() const;

    // For the evaluator.
    const Facts &facts() const { return facts_; }
    const Environment &environment() const { return environment_; }
    Keys &keys() { return keys_; }
    Regions &regions() { return regions_; }
    Residual &residual() { return *residual_; }
    Counts &count() { return counts_; }
    BindingTimes &notes() { return times_; }
    TypeTags &types() { return types_; }
    Locations &locations() { return locations_; }
    llvm::Function &root() const { return root_; }
    Object &object(Object::Kind kind, llvm::Value *origin, const Context *context);
    const Object &object(unsigned id) const { return objects_[id]; }
    // What is expected behind an object, from facts with a path.
    std::vector<MemoryFact> &expected_behind(const Object &object) { return expected_[object.id]; }
    unsigned new_trace() { return ++traces_; }
    void note_emitted() { ++emitted_; }
    // A value that is one or the other on two ways that were not kept apart.
    void note_lost(Place place) { lost_.places.insert(place); }
    // Whether the part of the root that is evaluated ends before this block.
    bool is_end(const llvm::BasicBlock &block) const {
        return environment_.part && environment_.part->ends.contains(&block);
    }
    // A fact does not hold: `block`, which has no end yet, goes on generically at `start`.
    void leave(Entry &from, llvm::BasicBlock *block, State state, llvm::Instruction *start);
    // `block`, which has no end yet, goes on at `start` with `state`.
    void arrive(Entry &from, llvm::BasicBlock *block, State state, llvm::Instruction *start);

  private:
    using SpotKey = std::tuple<unsigned, unsigned, bool, bool, unsigned, bool>;

    bool attempt();
    void begin();
    llvm::Instruction *first_instruction() const;
    void take_input(llvm::Value &input, llvm::Value *own, State &state);
    std::vector<Object *> hidden_locals(const State &state);
    void test_arguments(State state, std::map<unsigned, ExpectedValue>::const_iterator next, llvm::BasicBlock *block);
    void link(Entry &from, llvm::BasicBlock *block, State state, llvm::Instruction *start, bool gate);
    bool enters_region(const State &state, const llvm::Instruction &start);
    void open_gate(Entry &gate);
    void load_early(Region &region, State &state, llvm::IRBuilder<> &builder);
    void test_early(Entry &gate, const Region &region, State &state, llvm::IRBuilder<> &builder, llvm::BasicBlock &no);
    void test_page(Entry &gate, const Region &region, const FirstTest &test, llvm::IRBuilder<> &builder,
                   llvm::BasicBlock &no);
    bool takes_small_steps();
    bool copies_data() const;
    bool guard_regions();
    double work_of_original();
    Entry &pick(const Spot &spot, const State &state);
    static SpotKey key_of(const Spot &spot);
    bool knows_more_than_first_round(const State &state, const llvm::Instruction &start);
    Entry &add_entry(Versions &versions, const Spot &spot, const State &state);
    void join(Entry &entry, const State &state);
    void queue(Entry &entry);
    void clear(Entry &entry);
    void fill_edges();
    void fill(Edge &edge);
    bool is_exhausted();
    size_t most_visits() const;

    llvm::Function &root_;
    const Facts &facts_;
    Environment environment_;
    Keys keys_;
    Regions regions_;
    std::optional<Residual> residual_;
    std::deque<Object> objects_;
    std::map<std::tuple<Object::Kind, const llvm::Value *, const Context *>, unsigned> object_ids_;  // looked up only
    std::map<unsigned, std::vector<MemoryFact>> expected_;
    std::deque<Entry> entries_;
    std::map<SpotKey, Versions> by_spot_;
    // First things first, so that facts are as weak as they get before what comes after is written.
    using Position = std::vector<unsigned>;
    std::set<std::pair<Position, unsigned>> open_;  // with the entry's number
    Entry *first_ = nullptr;
    std::set<const llvm::Instruction *> coarse_;  // looked up only: here all states meet
    const llvm::Instruction *too_many_ = nullptr;
    bool again_ = false;
    Lost lost_;
    BindingTimes times_;
    TypeTags types_;
    Locations locations_;
    Counts counts_;
    unsigned traces_ = 0;
    size_t emitted_ = 0;
    size_t visits_ = 0;
    size_t looks_ = 0;  // visits in all attempts
    size_t max_looks_ = 0;
    size_t largest_attempt_ = 0;  // visits
    bool is_in_small_steps_ = false;
    size_t places_of_data_ = 0;  // that were made to meet
    std::string gave_up_;
};

}  // namespace thalweg::transform::specializer
