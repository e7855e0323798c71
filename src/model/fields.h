// model: the description of a recorded struct's fields, one row each. From the rows come its tables, checks, unions, JSON, the page's types and random values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "model/site.h"

namespace thalweg::model::fields {

// What a field says of its entry, and so what the union of two entries has of it.
enum class Role {
    key,  // tells entries apart: the union is of entries whose keys are all equal
    name,  // a key: a text that is never empty
    hash,  // a key: 64 bits, none of which is a sign
    index,  // a key: the place of an entry in another list
    count,  // how often, how many: added up, up to max_count
    part,  // a count, of those that `whole` counts
    time,  // nanoseconds of all that `whole` counts together: added up; 0, and not known, where nothing was counted
    least,  // the smallest of what `whole` counts
    error,  // how far a count may be off, unknown_error: nobody knows; added up
    most,  // the larger of the two
    place,  // the first of the two, file by file
};

inline constexpr bool is_key(Role role) { return role <= Role::index; }
inline constexpr bool is_sum(Role role) { return role >= Role::count && role <= Role::error && role != Role::least; }

// Into which list an index leads. calls: the sites of kind call; code: the symbols that are functions.
enum class List : uint8_t { sites, calls, symbols, code, events, functions };
inline constexpr size_t lists_in_all = static_cast<size_t>(List::functions) + 1;

// A field that is one value: a number, a text, a truth, a word of an enumeration, or a place in a source.
template <class Entry, class Type>
struct Row {
    using type = Type;
    const char *name;  // of the member, of the column in the file, and in JSON
    Type Entry::*member;
    Role role;
    uint64_t Entry::*whole = nullptr;
    List list = List::sites;
    bool may_be_none = false;
    std::span<const char *const> words = {};  // of an enumeration, by value; what is beyond them is unknown
    bool has_column = true;  // of a place: whether the column of the source is kept
    size_t most = 0;  // of a list of plain values: how many
    bool is_needed = false;  // a JSON document without it is refused
    bool is_sparse = false;  // a JSON document has it only where it says something

    constexpr Row needed() const {
        Row row = *this;
        row.is_needed = true;
        return row;
    }
    constexpr Row sparse() const {
        Row row = *this;
        row.is_sparse = true;
        return row;
    }
};

// A struct whose fields stand among those of the entry.
template <class Entry, class Type>
struct Flat {
    using type = Type;
    Type Entry::*member;
};

// What few entries have, or older files have of none: a table of its own in the file, with a row for each entry that has some of it.
struct Table {
    const char *name;
    const char *entry;  // the column with the entry's index
    uint32_t since;  // version of the first files with this table
};

// Fields of the entry in such a table.
template <class... Rows>
struct Beside {
    Table table;
    std::tuple<Rows...> rows;
};

// A struct in such a table, or in a JSON document: an object; of an optional one there is none where it is empty.
template <class Entry, class Type>
struct Nested {
    using type = Type;
    const char *name;
    Type Entry::*member;
    Table table = {};
    bool is_needed = false;
    bool is_sparse = false;

    constexpr Nested needed() const {
        Nested row = *this;
        row.is_needed = true;
        return row;
    }
    constexpr Nested sparse() const {
        Nested row = *this;
        row.is_sparse = true;
        return row;
    }
};

// Of a list in an entry. in_order: a key, its items in their order. once: indices, of a union each once. counted: its
// items' keys are equal once only, the union adds their counts up.
enum class Items { in_order, once, counted };

// A list in an entry, in a table with a row for each item. JSON: an array, or of many plain records an object with an array for each member.
template <class Entry, class Item>
struct Several {
    using type = Item;
    const char *name;
    std::vector<Item> Entry::*member;
    Items items = Items::in_order;
    Table table = {};
    const char *item = "";  // once: the column of the index
    List list = List::functions;  // once: what the index leads to
    size_t most = 0;  // of all entries together
    bool is_sparse = false;
    bool in_columns = false;

    constexpr Several sparse() const {
        Several row = *this;
        row.is_sparse = true;
        return row;
    }
};

// Which of several structs a variant holds, by a word for each.
template <class Entry, class Variant>
struct Chosen {
    using type = Variant;
    const char *name;
    Variant Entry::*member;
    std::span<const char *const> words;
};

// The fields of the struct that the variant holds stand among those of the entry.
template <class Entry, class Variant>
struct FieldsOfChosen {
    using type = Variant;
    Variant Entry::*member;
};

// Specialised for each struct: `static constexpr std::tuple rows`, in the order of the file's columns.
template <class Entry>
struct Of;

// ---- makers of rows ----

template <class Entry, class Type>
constexpr Row<Entry, Type> key(const char *name, Type Entry::*member) {
    return {name, member, Role::key};
}
template <class Entry, class Type>
constexpr Row<Entry, Type> key(const char *name, Type Entry::*member, std::span<const char *const> words) {
    return {.name = name, .member = member, .role = Role::key, .words = words};
}
template <class Entry>
constexpr Row<Entry, std::string> name(const char *name, std::string Entry::*member) {
    return {.name = name, .member = member, .role = Role::name, .is_needed = true};
}
template <class Entry>
constexpr Row<Entry, uint64_t> hash(const char *name, uint64_t Entry::*member) {
    return {name, member, Role::hash};
}
template <class Entry>
constexpr Row<Entry, uint32_t> index(const char *name, uint32_t Entry::*member, List list) {
    return {.name = name, .member = member, .role = Role::index, .list = list};
}
template <class Entry>
constexpr Row<Entry, uint32_t> index_or_none(const char *name, uint32_t Entry::*member, List list) {
    return {.name = name, .member = member, .role = Role::index, .list = list, .may_be_none = true};
}
template <class Entry>
constexpr Row<Entry, uint64_t> count(const char *name, uint64_t Entry::*member) {
    return {name, member, Role::count};
}
template <class Entry>
constexpr Row<Entry, uint64_t> part(const char *name, uint64_t Entry::*member, uint64_t Entry::*whole) {
    return {name, member, Role::part, whole};
}
template <class Entry>
constexpr Row<Entry, uint64_t> time(const char *name, uint64_t Entry::*member, uint64_t Entry::*whole) {
    return {name, member, Role::time, whole};
}
template <class Entry>
constexpr Row<Entry, uint64_t> least(const char *name, uint64_t Entry::*member, uint64_t Entry::*whole) {
    return {name, member, Role::least, whole};
}
template <class Entry>
constexpr Row<Entry, uint64_t> error(const char *name, uint64_t Entry::*member) {
    return {name, member, Role::error};
}
template <class Entry, class Type>
constexpr Row<Entry, Type> most(const char *name, Type Entry::*member, std::span<const char *const> words = {}) {
    return {.name = name, .member = member, .role = Role::most, .words = words};
}
template <class Entry>
constexpr Row<Entry, SourcePlace> place(const char *name, SourcePlace Entry::*member, bool has_column = true) {
    return {.name = name, .member = member, .role = Role::place, .has_column = has_column};
}
// ---- of JSON documents alone ----

// Any plain value, or a list of at most so many.
template <class Entry, class Type>
constexpr Row<Entry, Type> value(const char *name, Type Entry::*member) {
    return {name, member, Role::key};
}
template <class Entry, class Type>
constexpr Row<Entry, std::vector<Type>> values(const char *name, std::vector<Type> Entry::*member, size_t most) {
    return {.name = name, .member = member, .role = Role::key, .most = most};
}
template <class Entry, class Type>
constexpr Nested<Entry, Type> object(const char *name, Type Entry::*member) {
    return {name, member};
}
template <class Entry, class Item>
constexpr Several<Entry, Item> objects(const char *name, std::vector<Item> Entry::*member, size_t most) {
    return {.name = name, .member = member, .most = most};
}
template <class Entry, class Item>
constexpr Several<Entry, Item> columns(const char *name, std::vector<Item> Entry::*member, size_t most) {
    return {.name = name, .member = member, .most = most, .in_columns = true};
}

template <class... Rows>
constexpr Beside<Rows...> beside(Table table, Rows... rows) {
    return {table, std::tuple(rows...)};
}

// ---- what of a row is known when it is compiled ----

template <class R>
inline constexpr bool is_flat = false;
template <class Entry, class Type>
inline constexpr bool is_flat<Flat<Entry, Type>> = true;
template <class R>
inline constexpr bool is_fields_of_chosen = false;
template <class Entry, class Variant>
inline constexpr bool is_fields_of_chosen<FieldsOfChosen<Entry, Variant>> = true;
template <class R>
inline constexpr bool is_beside = false;
template <class... Rows>
inline constexpr bool is_beside<Beside<Rows...>> = true;
template <class R>
inline constexpr bool is_nested = false;
template <class Entry, class Type>
inline constexpr bool is_nested<Nested<Entry, Type>> = true;
template <class R>
inline constexpr bool is_several = false;
template <class Entry, class Item>
inline constexpr bool is_several<Several<Entry, Item>> = true;
template <class R>
inline constexpr bool is_row = false;
template <class Entry, class Type>
inline constexpr bool is_row<Row<Entry, Type>> = true;

// Made of unsigned numbers alone: such records may stand in columns.
template <class R>
inline constexpr bool is_number_row = false;
template <class Entry, class Type>
inline constexpr bool is_number_row<Row<Entry, Type>> = std::is_unsigned_v<Type>;
template <class Entry>
inline constexpr bool is_plain =
    []<class... Rows>(const std::tuple<Rows...> &) { return (is_number_row<Rows> && ...); }(Of<Entry>::rows);

// Whether a document goes without it.
template <class R, class Field>
bool is_left_out(const R &row, const Field &field) {
    if constexpr (requires { field.has_value(); })
        return !field.has_value();
    else if constexpr (requires { row.is_sparse; })
        return row.is_sparse && field == Field{};
    else
        return false;
}

// The variant's alternative of this number.
template <class Variant, size_t... numbers>
Variant alternative(size_t number, std::index_sequence<numbers...>) {
    Variant made;
    ((number == numbers ? static_cast<void>(made.template emplace<numbers>()) : void()), ...);
    return made;
}
template <class Variant>
Variant alternative(size_t number) {
    return alternative<Variant>(number, std::make_index_sequence<std::variant_size_v<Variant>>());
}

// The struct inside a Nested, which may be an optional one.
template <class Type>
struct Inside {
    using type = Type;
};
template <class Type>
struct Inside<std::optional<Type>> {
    using type = Type;
};
template <class Type>
using inside_of = typename Inside<Type>::type;

// ---- that no member was forgotten ----

struct Anything {
    template <class Type>
    operator Type() const;
};
template <class Struct, class... Known>
consteval size_t members() {
    if constexpr (requires { Struct{Known{}..., Anything{}}; })
        return members<Struct, Known..., Anything>();
    else
        return sizeof...(Known);
}
template <class R>
inline constexpr size_t members_of = 1;
template <class... Rows>
inline constexpr size_t members_of<Beside<Rows...>> = sizeof...(Rows);
template <class Entry, class Variant>
inline constexpr size_t members_of<FieldsOfChosen<Entry, Variant>> = 0;
template <class Entry>
inline constexpr bool has_row_for_each_member = []<class... Rows>(const std::tuple<Rows...> &) {
    return (members_of<Rows> + ... + 0) == members<Entry>();
}(Of<Entry>::rows);

// ---- walks ----

// each(row) for the rows as they were written.
template <class Rows, class Each>
constexpr void each_row(const Rows &rows, Each each) {
    std::apply([&](const auto &...row) { (each(row), ...); }, rows);
}

// each(row) for each field: a Row, a Nested or a Several; what is flat or stands in a table beside is walked into.
template <class Rows, class Each>
constexpr void each_field(const Rows &rows, Each each) {
    each_row(rows, [&]<class R>(const R &row) {
        if constexpr (is_beside<R>)
            each_field(row.rows, each);
        else if constexpr (is_flat<R>)
            each_field(Of<typename R::type>::rows, each);
        else
            each(row);
    });
}

template <class Variant, class Each>
void each_of_chosen(Variant &variant, Each &each);

// each(row, entry ...) for each field of the entries, all of one struct; the row is of a member of just these.
template <class Rows, class Each, class... Entries>
constexpr void each_with_entry(const Rows &rows, Each &each, Entries &...entries) {
    each_row(rows, [&]<class R>(const R &row) {
        if constexpr (is_beside<R>)
            each_with_entry(row.rows, each, entries...);
        else if constexpr (is_flat<R>)
            each_with_entry(Of<typename R::type>::rows, each, (entries.*row.member)...);
        else if constexpr (is_fields_of_chosen<R>)
            (each_of_chosen(entries.*row.member, each), ...);
        else
            each(row, entries...);
    });
}

// Of one entry: two may hold different structs.
template <class Variant, class Each>
void each_of_chosen(Variant &variant, Each &each) {
    const auto walk = [&]<class Struct>(Struct &chosen) {
        static_assert(has_row_for_each_member<std::remove_const_t<Struct>>);
        each_with_entry(Of<std::remove_const_t<Struct>>::rows, each, chosen);
    };
    std::visit(walk, variant);
}

// each(row, value ...): the same with the values of the fields.
template <class Each, class Entry, class... Entries>
constexpr void each_in(Each each, Entry &entry, Entries &...more) {
    static_assert(has_row_for_each_member<std::remove_const_t<Entry>>);
    const auto with_values = [&](const auto &row, auto &...all) { each(row, (all.*row.member)...); };
    each_with_entry(Of<std::remove_const_t<Entry>>::rows, with_values, entry, more...);
}

}  // namespace thalweg::model::fields
