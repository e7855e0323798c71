// transform: an ordered map in one piece of memory.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace thalweg::transform::specializer {

// In the order of its keys, as std::map is. For what is copied more often than it is changed: a copy is one allocation. A change moves what lies
// behind it and makes iterators invalid.
template <class Key, class Value>
class FlatMap {
  public:
    using Entry = std::pair<Key, Value>;
    using iterator = typename std::vector<Entry>::iterator;  // NOLINT(readability-identifier-naming): for a range
    using const_iterator =
        typename std::vector<Entry>::const_iterator;  // NOLINT(readability-identifier-naming): for a range

    iterator begin() { return entries_.begin(); }
    iterator end() { return entries_.end(); }
    const_iterator begin() const { return entries_.begin(); }
    const_iterator end() const { return entries_.end(); }
    size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }

    iterator lower_bound(const Key &key) { return std::lower_bound(begin(), end(), key, is_before); }
    const_iterator lower_bound(const Key &key) const { return std::lower_bound(begin(), end(), key, is_before); }
    const_iterator upper_bound(const Key &key) const {
        const const_iterator at = lower_bound(key);
        return at != end() && at->first == key ? std::next(at) : at;
    }
    const_iterator find(const Key &key) const {
        const const_iterator at = lower_bound(key);
        return at != end() && at->first == key ? at : end();
    }
    Value &operator[](const Key &key) {
        const iterator at = lower_bound(key);
        return (at != end() && at->first == key ? at : entries_.insert(at, {key, Value{}}))->second;
    }
    iterator erase(iterator at) { return entries_.erase(at); }
    iterator erase(iterator first, iterator last) { return entries_.erase(first, last); }
    void erase(const Key &key) {
        if (const iterator at = lower_bound(key); at != end() && at->first == key)
            entries_.erase(at);
    }
    template <class Condition>
    void remove_if(Condition condition) {
        std::erase_if(entries_, condition);
    }
    bool operator==(const FlatMap &) const = default;

  private:
    static bool is_before(const Entry &entry, const Key &key) { return entry.first < key; }

    std::vector<Entry> entries_;
};

}  // namespace thalweg::transform::specializer
