// record: two entries of a profile become one, field by field as their rows say (model/profile_fields.h).
#pragma once

#include <algorithm>
#include <array>
#include <compare>

#include "model/profile_fields.h"

namespace thalweg::record {

// A count that does not fit stays at what fits.
inline uint64_t add(uint64_t a, uint64_t b) { return a > model::max_count - b ? model::max_count : a + b; }

// ---- which entries are the same ----

template <class Entry>
std::strong_ordering compare_keys(const Entry &a, const Entry &b);

template <class Type>
std::strong_ordering compare_inside(const Type &a, const Type &b) {
    return compare_keys(a, b);
}
template <class Type>
std::strong_ordering compare_inside(const std::optional<Type> &a, const std::optional<Type> &b) {
    return a && b ? compare_keys(*a, *b) : a.has_value() <=> b.has_value();
}

template <class Entry>
std::strong_ordering compare_keys(const Entry &a, const Entry &b) {
    std::strong_ordering order = std::strong_ordering::equal;
    const auto each = [&]<class R>(const R &row, const auto &first, const auto &second) {
        if (order != 0)
            return;
        if constexpr (model::fields::is_row<R>) {
            if (is_key(row.role))
                order = first <=> second;
        } else if constexpr (model::fields::is_nested<R>) {
            order = compare_inside(first, second);
        } else if constexpr (!std::is_same_v<typename R::type, uint32_t>) {
            if (row.items == model::fields::Items::in_order)
                order = std::lexicographical_compare_three_way(first.begin(), first.end(), second.begin(), second.end(),
                                                               compare_keys<typename R::type>);
        }
    };
    model::fields::each_in(each, a, b);
    return order;
}

// By the numbers and texts of their keys.
struct ByKeys {
    template <class Entry>
    bool operator()(const Entry &a, const Entry &b) const {
        return compare_keys(a, b) < 0;
    }
};

// ---- what becomes of two that are the same ----

template <class Entry>
void unite(Entry &total, const Entry &more);

template <class Type>
void unite_inside(Type &total, const Type &more) {
    unite(total, more);
}
template <class Type>
void unite_inside(std::optional<Type> &total, const std::optional<Type> &more) {
    if (total && more)
        unite(*total, *more);
}

template <class Item>
void unite_items(std::vector<Item> &total, const std::vector<Item> &more) {
    for (const Item &item : more) {
        const auto same = [&](const Item &other) { return compare_keys(item, other) == 0; };
        const auto found = std::ranges::find_if(total, same);
        if (found == total.end())
            total.push_back(item);
        else
            unite(*found, item);
    }
}

template <class Type>
void unite_value(model::fields::Role role, Type &total, const Type &more) {
    if (role == model::fields::Role::most)
        total = std::max(total, more);
    else if (role == model::fields::Role::place)
        total = std::min(total, more);
    else if constexpr (std::is_same_v<Type, uint64_t>)
        if (is_sum(role))
            total = add(total, more);
}

// Of entries whose keys are equal. Indices that an entry has each once are left to whoever numbers them.
template <class Entry>
void unite(Entry &total, const Entry &more) {
    // Before what it is the smallest of is added up.
    const auto least = []<class R>(const R &row, auto &a, const auto &b) {
        if constexpr (std::is_same_v<typename R::type, uint64_t>)
            if (row.role == model::fields::Role::least && b.*row.whole != 0)
                a.*row.member = a.*row.whole == 0 ? b.*row.member : std::min(a.*row.member, b.*row.member);
    };
    const auto rest = []<class R>(const R &row, auto &a, const auto &b) {
        if constexpr (model::fields::is_row<R>)
            unite_value(row.role, a, b);
        else if constexpr (model::fields::is_nested<R>)
            unite_inside(a, b);
        else if constexpr (!std::is_same_v<typename R::type, uint32_t>)
            if (row.items == model::fields::Items::counted)
                unite_items(a, b);
    };
    model::fields::each_with_entry(model::fields::Of<Entry>::rows, least, total, more);
    model::fields::each_in(rest, total, more);
}

// ---- where an index leads ----

// Of each list: the places of its entries in another list, by their own.
using Places = std::array<std::vector<uint32_t>, model::fields::lists_in_all>;

inline std::vector<uint32_t> &places_of(model::fields::List list, Places &places) {
    using model::fields::List;
    const List whole = list == List::calls ? List::sites : list == List::code ? List::symbols : list;
    return places[static_cast<size_t>(whole)];
}

// Of a list into which indices lead; null: none does.
template <class Entry>
std::vector<uint32_t> *places_of_list(std::vector<Entry> model::Profile::*, Places &places) {
    using model::fields::List;
    if constexpr (std::is_same_v<Entry, model::Site>)
        return &places_of(List::sites, places);
    else if constexpr (std::is_same_v<Entry, model::Symbol>)
        return &places_of(List::symbols, places);
    else if constexpr (std::is_same_v<Entry, model::Event>)
        return &places_of(List::events, places);
    else if constexpr (std::is_same_v<Entry, model::ProfiledFunction>)
        return &places_of(List::functions, places);
    else
        return nullptr;
}

template <class Entry>
void renumber(Entry &entry, Places &places);

template <class Type>
void renumber_inside(Type &value, Places &places) {
    renumber(value, places);
}
template <class Type>
void renumber_inside(std::optional<Type> &value, Places &places) {
    if (value)
        renumber(*value, places);
}

template <class Entry>
void renumber(Entry &entry, Places &places) {
    const auto lead = [&](uint32_t &index, model::fields::List list) {
        if (index != model::none)
            index = places_of(list, places)[index];
    };
    const auto each = [&]<class R>(const R &row, auto &value) {
        if constexpr (model::fields::is_row<R>) {
            if constexpr (std::is_same_v<typename R::type, uint32_t>)
                if (row.role == model::fields::Role::index)
                    lead(value, row.list);
        } else if constexpr (model::fields::is_nested<R>) {
            renumber_inside(value, places);
        } else {
            for (auto &item : value)
                if constexpr (std::is_same_v<typename R::type, uint32_t>)
                    lead(item, row.list);
                else
                    renumber(item, places);
        }
    };
    model::fields::each_in(each, entry);
}

}  // namespace thalweg::record
