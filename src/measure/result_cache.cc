// measure: what a cache of a call's results would have given.
#include "measure/result_cache.h"

#include <algorithm>

namespace thalweg::measure {

namespace {

constexpr size_t largest = model::cache_sizes.back();
// Different arguments of one call in one process; of more, only those are looked at that came first.
constexpr size_t most_arguments = 1u << 16;

// The example that speaks for more calls stands; of two that speak for as many, the one that is first in the alphabet.
void take_example(model::RepeatedExample &example, const std::string &arguments, uint64_t count) {
    if (count > example.count || (count == example.count && count != 0 && arguments < example.arguments))
        example = {arguments, count};
}

}  // namespace

// Where it stood among the recent ones, 0 for the last one; it is the last one now.
size_t ResultCache::place_of(const std::string &arguments) {
    const auto found = std::ranges::find(recent_, arguments);
    const auto place = static_cast<size_t>(std::distance(recent_.begin(), found));
    if (found == recent_.end()) {
        recent_.push_front(arguments);
        if (recent_.size() > largest)
            recent_.pop_back();
        return largest;
    }
    recent_.splice(recent_.begin(), recent_, found);
    return place;
}

void ResultCache::add(const std::string &arguments, uint64_t result) {
    const auto known = seen_.find(arguments);
    if (known == seen_.end() && seen_.size() >= most_arguments)
        return;
    ++counts_.calls;
    const size_t place = place_of(arguments);
    if (known == seen_.end()) {
        seen_.emplace(arguments, Seen{result, 1, 0});
        ++counts_.arguments;
        return;
    }
    Seen &seen = known->second;
    ++seen.calls;
    if (seen.result != result) {
        seen.result = result;
        ++seen.changes;
        ++counts_.changed;
        return;
    }
    for (size_t i = 0; i < model::cache_sizes.size(); ++i)
        counts_.hits[i] += place < model::cache_sizes[i] ? 1 : 0;
}

void ResultCache::forget() {
    for (const auto &[arguments, seen] : seen_) {
        take_example(counts_.commonest, arguments, seen.calls);
        take_example(counts_.changing, arguments, seen.changes);
    }
    seen_.clear();
    recent_.clear();
}

void ResultCache::add_to(model::RepeatedCalls &counts) const {
    ResultCache done = *this;
    done.forget();
    counts.calls += counts_.calls;
    counts.arguments += counts_.arguments;
    counts.changed += counts_.changed;
    for (size_t i = 0; i < counts.hits.size(); ++i)
        counts.hits[i] += counts_.hits[i];
    take_example(counts.commonest, done.counts_.commonest.arguments, done.counts_.commonest.count);
    take_example(counts.changing, done.counts_.changing.arguments, done.counts_.changing.count);
}

}  // namespace thalweg::measure
