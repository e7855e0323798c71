// transform: loops in which writes through pointers are assumed not to hit what facts are about: the handle of a layer and the buffer
// that it fills. One test before the loop says so; without it the facts would be tested anew after each write.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "transform/specializer/residual.h"
#include "transform/specializer/types.h"

namespace thalweg::transform::specializer {

// Bytes of an object, from the object's address.
struct Extent {
    int64_t begin = INT64_MAX;
    int64_t end = INT64_MIN;

    void add(int64_t offset, uint64_t size) {
        begin = std::min(begin, offset);
        end = std::max(end, offset + static_cast<int64_t>(size));
    }
};

// The smallest that memory is given and taken away by.
inline constexpr int64_t page = 4096;

// A fact about memory that the first round of a region's loop tests.
struct FirstTest {
    CellPlace place;
    const llvm::LoadInst *load = nullptr;
    llvm::Constant *value = nullptr;
    Extent extent() const;
    bool operator==(const FirstTest &) const = default;
};

struct Region {
    unsigned id = 0;
    const Context *context = nullptr;
    const llvm::Loop *loop = nullptr;
    std::vector<const llvm::BasicBlock *>
        before;  // the straight way to the loop, where it begins there already (early.h)
    // By object, where it begins on the way: what the way accesses, and what is stored until the loop begins.
    std::map<unsigned, std::vector<Extent>> readable;
    std::vector<std::pair<unsigned, Extent>> stored;
    std::vector<FirstTest> first_tests;  // in this attempt
    bool tests_more = false;  // in the first round, than can be tested where the region begins: that round stays apart
    std::vector<FirstTest> early_tests;  // made where the region begins
    std::set<unsigned> tested;  // objects of which facts are tested inside
    std::set<unsigned> not_apart;  // objects that the loop itself walks through
    std::map<unsigned, Extent> extents;  // by object: all of it that something is assumed about
    std::map<unsigned, llvm::MDNode *> scopes;  // by object
    llvm::MDNode *domain = nullptr;

    const llvm::BasicBlock *begin() const { return before.empty() ? loop->getHeader() : before.front(); }
    bool may_begin_with(const FirstTest &test) const;
    // Whether the fact can be read where the region begins: between two bytes that the way accesses, less than a page apart, lies no page of its own.
    bool lies_between_accesses(const FirstTest &test) const;
    // What the way accesses less than a page from the fact: it can be read if both lie on one page. Null: nothing is so near.
    const Extent *access_near(const FirstTest &test) const;
    void note_first_test(const FirstTest &test);
};

class Regions {
  public:
    // A write has made facts be forgotten, inside all loops around this point.
    void note_forgotten(const Context *context, const llvm::Instruction &at);
    // Something is read or written here, at a place in `object`, or somewhere.
    struct Access {
        std::optional<unsigned> object;
        const llvm::MDNode *type = nullptr;
        bool writes = false;
        auto operator<=>(const Access &) const = default;
    };
    void note_access(const Context *context, const llvm::Instruction &at, const Access &access);
    // A fact about the contents of `object` is tested here. If writes in a loop invalidate the fact, the outermost enclosing loop that can be guarded
    // becomes a region in the next attempt.
    void note_tested(const Context *context, const llvm::Instruction &at, const Object *object);
    void begin_attempt();
    // Hoists tests of facts from first iterations to the beginnings of their regions, for the next attempt: then all iterations are identical. False:
    // there are none to hoist.
    bool take_first_tests();
    // There are loops that were not regions in this attempt and are to be in the next.
    bool take_wanted(TypeTags &types);
    // The guard of this region can't be written where it begins.
    void ban(unsigned id);

    // The region that begins where `start` is reached in this frame, or null.
    Region *at_begin(const Context *context, const llvm::Instruction &start);
    Region &by_id(unsigned id) { return regions_[id - 1]; }
    bool contains(unsigned id, const Context *context, const llvm::Instruction &at) const;
    // The alias scope of an object in a region.
    static llvm::MDNode *scope(Region &region, const Object &object, llvm::LLVMContext &context);

  private:
    using Header = std::pair<const Context *, const llvm::BasicBlock *>;

    using Place = std::pair<const Context *, const llvm::Loop *>;

    static std::vector<Place> loops_around(const Context *context, const llvm::Instruction &at);
    const Place *wanted_around(const std::vector<Place> &loops, const std::set<unsigned> &objects,
                               TypeTags &types) const;
    bool meet_in(const Header &header, const std::set<unsigned> &objects, TypeTags &types) const;

    std::vector<Region> regions_;
    std::map<Header, unsigned> by_header_;  // looked up only, as are the sets
    std::map<Header, unsigned> by_begin_;
    std::set<Header> forgotten_;
    std::map<Header, std::set<Access>> accesses_;
    std::set<Header> banned_;
    struct Test {
        const Context *context;
        const llvm::Instruction *at;
        auto operator<=>(const Test &) const = default;
    };
    std::vector<Test> tests_;  // in this attempt, each once
    std::map<Test, std::set<unsigned>> tested_;  // objects; looked up only
};

}  // namespace thalweg::transform::specializer
