// transform: an ordered map and an ordered set in one piece of memory, which copies share until one of them changes.
#pragma once

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "llvm/ADT/IntrusiveRefCntPtr.h"

namespace thalweg::transform::abstract {

// In the order of its keys, as std::map is. For what is copied more often than it is changed. A change moves what lies behind it and makes iterators
// invalid, and so may the first access that could be one. Not for several threads.
template <class Key, class Value>
class FlatMap {
  public:
    using Entry = std::pair<Key, Value>;
    using iterator = typename std::vector<Entry>::iterator;  // NOLINT(readability-identifier-naming): for a range
    using const_iterator =
        typename std::vector<Entry>::const_iterator;  // NOLINT(readability-identifier-naming): for a range

    iterator begin() { return own().begin(); }
    iterator end() { return own().end(); }
    const_iterator begin() const { return entries().begin(); }
    const_iterator end() const { return entries().end(); }
    size_t size() const { return entries().size(); }
    bool empty() const { return entries().empty(); }

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
    bool contains(const Key &key) const { return find(key) != end(); }
    bool has_any(const Key &first, const Key &behind_last) const {
        const const_iterator at = lower_bound(first);
        return at != end() && at->first < behind_last;
    }
    Value &operator[](const Key &key) {
        const iterator at = lower_bound(key);
        return (at != end() && at->first == key ? at : own().insert(at, {key, Value{}}))->second;
    }
    // Behind all that are in it.
    void append(const Key &key, const Value &value) { own().emplace_back(key, value); }
    iterator erase(iterator at) { return own().erase(at); }
    void erase(iterator first, iterator last) { own().erase(first, last); }
    // From `first` on, before `behind_last`.
    void erase_between(const Key &first, const Key &behind_last) {
        if (has_any(first, behind_last))
            erase(lower_bound(first), lower_bound(behind_last));
    }
    bool erase(const Key &key) {
        const bool has_it = contains(key);
        if (has_it)
            own().erase(lower_bound(key));
        return has_it;
    }
    // The condition is asked in the order of the keys, of each once.
    template <class Condition>
    void remove_if(Condition condition) {
        const auto first = std::find_if(entries().begin(), entries().end(), condition) - entries().begin();
        if (first == std::ssize(entries()))
            return;
        const auto at = begin() + first;
        own().erase(std::remove_if(std::next(at), end(), condition), end());
        own().erase(at);
    }
    // Keeps what `stays(key, own value, the other's value or null)` says of, which may change the own value; in the order of the keys.
    template <class Stays>
    void meet(const FlatMap &other, Stays stays) {
        auto theirs = other.begin();
        const auto last = other.end();
        auto to = begin();
        for (auto at = begin(); at != end(); ++at) {
            while (theirs != last && theirs->first < at->first)
                ++theirs;
            const bool both = theirs != last && !(at->first < theirs->first);
            if (!stays(at->first, at->second, both ? &theirs->second : nullptr))
                continue;
            if (to != at)
                *to = std::move(*at);
            ++to;
        }
        own().erase(to, end());
    }
    // Whether `holds(key, value or null, the other's value or null)` of a key that is in one of them; null where it is not.
    template <class Holds>
    bool any_with(const FlatMap &other, Holds holds) const {
        auto a = begin();
        auto b = other.begin();
        while (a != end() || b != other.end()) {
            const bool only_a = b == other.end() || (a != end() && a->first < b->first);
            const bool only_b = a == end() || (b != other.end() && b->first < a->first);
            if (holds(only_b ? b->first : a->first, only_b ? nullptr : &a->second, only_a ? nullptr : &b->second))
                return true;
            a += !only_b;
            b += !only_a;
        }
        return false;
    }
    // `visit(key, value or null, the other's value or null)` for each key that is in one of them.
    template <class Visit>
    void visit_with(const FlatMap &other, Visit visit) const {
        any_with(other, [&](const auto &...both) {
            visit(both...);
            return false;
        });
    }
    // Of one content, without a look at it; false: nobody knows.
    bool shares_with(const FlatMap &other) const { return storage_ == other.storage_; }
    bool operator==(const FlatMap &other) const { return shares_with(other) || entries() == other.entries(); }

  private:
    struct Storage : llvm::RefCountedBase<Storage> {
        std::vector<Entry> entries;
    };

    static bool is_before(const Entry &entry, const Key &key) { return entry.first < key; }

    const std::vector<Entry> &entries() const {
        static const std::vector<Entry> none;
        return storage_ ? storage_->entries : none;
    }
    std::vector<Entry> &own() {
        if (!storage_)
            storage_ = llvm::makeIntrusiveRefCnt<Storage>();
        else if (storage_->UseCount() > 1)
            storage_ = llvm::makeIntrusiveRefCnt<Storage>(*storage_);
        return storage_->entries;
    }

    llvm::IntrusiveRefCntPtr<Storage> storage_;  // null: empty
};

template <class Value>
class FlatSet {
  public:
    bool contains(const Value &value) const { return values_.contains(value); }
    bool empty() const { return values_.empty(); }
    // False: it was in it.
    bool insert(const Value &value) {
        const bool is_new = !contains(value);
        if (is_new)
            values_[value] = {};
        return is_new;
    }
    // False: it was not in it.
    bool erase(const Value &value) { return values_.erase(value); }
    void clear() { values_ = {}; }
    // True: this has more now.
    bool insert_all(const FlatSet &other) {
        if (values_.shares_with(other.values_))
            return false;
        bool is_more = false;
        for (const auto &[value, nothing] : std::as_const(other.values_))
            is_more |= insert(value);
        return is_more;
    }
    // True: this has fewer now.
    bool keep_what_is_in(const FlatSet &other) {
        const size_t before = values_.size();
        values_.remove_if([&](const auto &entry) { return !other.contains(entry.first); });
        return values_.size() != before;
    }
    std::vector<Value> in_order() const {
        std::vector<Value> found;
        for (const auto &[value, nothing] : values_)
            found.push_back(value);
        return found;
    }
    bool operator==(const FlatSet &) const = default;

  private:
    FlatMap<Value, std::monostate> values_;
};

}  // namespace thalweg::transform::abstract
