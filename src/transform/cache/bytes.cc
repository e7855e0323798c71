// transform: a set of bytes, as runs that lie apart.
#include "transform/cache/bytes.h"

#include <algorithm>

namespace thalweg::transform::cache {

void ByteSet::add(Bytes bytes) {
    if (bytes.first >= bytes.end)
        return;
    // Those that touch it become part of it.
    const auto first =
        std::find_if(runs_.begin(), runs_.end(), [&](const Bytes &run) { return run.end >= bytes.first; });
    auto last = first;
    for (; last != runs_.end() && last->first <= bytes.end; ++last)
        bytes = {std::min(bytes.first, last->first), std::max(bytes.end, last->end)};
    runs_.insert(runs_.erase(first, last), bytes);
}

void ByteSet::add(const ByteSet &other) {
    for (const Bytes &run : other.runs_)
        add(run);
}

ByteSet ByteSet::without(const ByteSet &other) const {
    ByteSet left;
    for (const Bytes &run : runs_) {
        int64_t at = run.first;
        for (const Bytes &hole : other.runs_) {
            left.add({at, std::min(hole.first, run.end)});
            at = std::max(at, hole.end);
        }
        left.add({at, run.end});
    }
    return left;
}

ByteSet ByteSet::common(const ByteSet &other) const {
    ByteSet both;
    auto one = runs_.begin();
    auto two = other.runs_.begin();
    while (one != runs_.end() && two != other.runs_.end()) {
        const Bytes shared{std::max(one->first, two->first), std::min(one->end, two->end)};
        if (shared.first < shared.end)
            both.runs_.push_back(shared);
        ++(one->end < two->end ? one : two);
    }
    return both;
}

int64_t ByteSet::size() const {
    int64_t size = 0;
    for (const Bytes &run : runs_)
        size += run.end - run.first;
    return size;
}

}  // namespace thalweg::transform::cache
