// transform: the versions of one place of the original program, each for other facts, found by what steers them.
#pragma once

#include <unordered_map>
#include <vector>

#include "transform/specializer/keys.h"

namespace thalweg::transform::specializer {

struct Entry;

// In the order in which they came about. A place has up to some hundreds of versions, and each way that leads there asks for its own:
// to compare its state with all of them took more than half of the engine's time.
class Versions {
  public:
    bool empty() const { return all_.empty(); }
    size_t size() const { return all_.size(); }
    Entry &front() const { return *all_.front(); }
    // Those that may agree with the state in all keys, and perhaps others.
    const std::vector<Entry *> &candidates(const State &state, const Keys &keys);
    void add(Entry &entry, const Keys &keys);

  private:
    // Fewer are compared one by one: to look at a whole state takes as long as some ten comparisons.
    static constexpr size_t few = 16;

    void index(const Keys &keys);

    std::vector<Entry *> all_;
    // By the keys that were known when it was made. Versions that differ in these differ in the keys that are known now, too; and what a
    // version knows of a key it keeps.
    std::unordered_map<uint64_t, std::vector<Entry *>> by_facts_;
    size_t keys_ = 0;
    size_t compared_ = 0;  // since then
};

}  // namespace thalweg::transform::specializer
