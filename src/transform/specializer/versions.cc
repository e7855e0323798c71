// transform: an index of versions that is made anew when it tells too few of them apart.
#include "transform/specializer/versions.h"

#include "transform/specializer/engine.h"

namespace thalweg::transform::specializer {

const std::vector<Entry *> &Versions::candidates(const State &state, const Keys &keys) {
    if (all_.size() <= few)
        return all_;
    // To make it again takes as long as it has taken since to compare what more keys might have told apart.
    if (by_facts_.empty() || (compared_ > all_.size() && keys.count() > keys_))
        index(keys);
    const std::vector<Entry *> &found = by_facts_[keys.digest(state, keys_)];
    compared_ += found.size();
    return found;
}

void Versions::index(const Keys &keys) {
    keys_ = keys.count();
    compared_ = 0;
    by_facts_.clear();
    for (Entry *entry : all_)
        by_facts_[keys.digest(entry->state, keys_)].push_back(entry);
}

void Versions::add(Entry &entry, const Keys &keys) {
    all_.push_back(&entry);
    if (!by_facts_.empty())
        by_facts_[keys.digest(entry.state, keys_)].push_back(&entry);
}

}  // namespace thalweg::transform::specializer
