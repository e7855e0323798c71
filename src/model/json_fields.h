// model: JSON documents, written and read by the rows of their fields (model/fields.h); private to this room and to `job`.
#pragma once

#include <array>

#include "base/hash.h"
#include "model/fields.h"
#include "model/json.h"

namespace thalweg::model::json {

using fields::Role;

template <class Type>
inline constexpr bool is_array = false;
template <size_t count>
inline constexpr bool is_array<std::array<uint64_t, count>> = true;

// ---- writing ----

template <class Type>
Ordered write_object(const Type &value);

template <class Entry, class Type>
Ordered write_value(const fields::Row<Entry, Type> &row, const Type &value) {
    if constexpr (std::is_same_v<Type, SourcePlace>)
        return place(value);
    else if constexpr (std::is_enum_v<Type>)
        return row.words[static_cast<size_t>(value)];
    else if constexpr (std::is_same_v<Type, uint64_t>)
        return row.role == Role::hash ? Ordered(hash_text(value)) : Ordered(value);
    else
        return value;
}
template <class Entry, class Type>
Ordered write_value(const fields::Nested<Entry, Type> &, const Type &value) {
    return write_object(value);
}
template <class Entry, class Type>
Ordered write_value(const fields::Nested<Entry, std::optional<Type>> &, const std::optional<Type> &value) {
    return write_object(*value);
}

template <class Item>
Ordered write_columns(const std::vector<Item> &items) {
    Ordered object = Ordered::object();
    const auto column = [&](const auto &row) {
        Ordered &list = object[row.name] = Ordered::array();
        for (const Item &item : items)
            list.push_back(item.*row.member);
    };
    fields::each_field(fields::Of<Item>::rows, column);
    return object;
}
template <class Entry, class Item>
Ordered write_value(const fields::Several<Entry, Item> &row, const std::vector<Item> &items) {
    if constexpr (std::is_same_v<Item, uint32_t>) {
        return items;
    } else {
        if constexpr (fields::is_plain<Item>)
            if (row.in_columns)
                return write_columns(items);
        Ordered list = Ordered::array();
        for (const Item &item : items)
            list.push_back(write_object(item));
        return list;
    }
}

template <class Type>
Ordered write_object(const Type &value) {
    Ordered object = Ordered::object();
    const auto write = [&]<class R, class Field>(const R &row, const Field &field) {
        if (!fields::is_left_out(row, field))
            object[row.name] = write_value(row, field);
    };
    fields::each_in(write, value);
    return object;
}

template <class Type>
std::string write_document(std::string_view format, uint32_t version, const Type &value) {
    Ordered whole = document(format, version);
    whole.update(write_object(value));
    return print(whole);
}

// ---- reading: what is absent stays as it is made, unless it is needed ----

class Reader {
  public:
    explicit Reader(Problem &problem) : problem_(problem) {}

    // `where`: the value's place in the document, with a point behind it.
    template <class Type>
    void object(const Value &value, const std::string &where, Type &out) {
        Members from(value, where, problem_);
        members(from, where, out);
    }
    template <class Type>
    void members(Members &from, const std::string &where, Type &out) {
        const auto read = [&](const auto &row, auto &into) { field(from, where, row, into); };
        fields::each_in(read, out);
        from.finish();
    }

  private:
    template <class Entry, class Type>
    void field(Members &from, const std::string &, const fields::Row<Entry, Type> &row, Type &out) {
        if constexpr (std::is_same_v<Type, std::string>)
            from.text(row.name, out, row.is_needed);
        else if constexpr (std::is_same_v<Type, bool>)
            from.flag(row.name, out);
        else if constexpr (std::is_same_v<Type, SourcePlace>)
            from.place(row.name, out);
        else if constexpr (std::is_same_v<Type, double>)
            from.real(row.name, out, row.is_needed);
        else if constexpr (std::is_same_v<Type, int64_t>)
            from.signed_number(row.name, out);
        else if constexpr (std::is_enum_v<Type>)
            out = static_cast<Type>(from.word(row.name, row.words, static_cast<size_t>(out)));
        else if constexpr (std::is_same_v<Type, std::vector<std::string>>)
            from.texts(row.name, row.most, out);
        else if constexpr (std::is_same_v<Type, std::vector<uint32_t>>)
            from.each_number(row.name, row.most, out);
        else if constexpr (is_array<Type>)
            from.each_number(row.name, out);
        else
            number(from, row, out);
    }
    template <class R>
    static void number(Members &from, const R &row, uint32_t &out) {
        from.number(row.name, out, row.is_needed);
    }
    template <class R>
    static void number(Members &from, const R &row, uint64_t &out) {
        if (row.role == Role::hash)
            from.hash(row.name, out);
        else
            from.number(row.name, out, row.is_needed);
    }
    template <class Entry, class Type>
    void field(Members &from, const std::string &where, const fields::Nested<Entry, Type> &row, Type &out) {
        if (const Value *value = from.find(row.name, row.is_needed))
            inside(*value, where + row.name + ".", out);
    }
    template <class Type>
    void inside(const Value &value, const std::string &where, std::optional<Type> &out) {
        object(value, where, out.emplace());
    }
    template <class Type>
    void inside(const Value &value, const std::string &where, Type &out) {
        object(value, where, out);
    }
    template <class Entry, class Item>
    void field(Members &from, const std::string &where, const fields::Several<Entry, Item> &row,
               std::vector<Item> &out) {
        if constexpr (std::is_same_v<Item, uint32_t>) {
            from.each_number(row.name, row.most, out);
        } else {
            if constexpr (fields::is_plain<Item>)
                if (row.in_columns)
                    return in_columns(from, where + row.name + ".", row, out);
            from.list(row.name, row.most,
                      [&](const Value &value, const std::string &place) { object(value, place, out.emplace_back()); });
        }
    }
    template <class Entry, class Item>
    void in_columns(Members &from, const std::string &where, const fields::Several<Entry, Item> &row,
                    std::vector<Item> &out) {
        const Value *value = from.find(row.name);
        if (value == nullptr)
            return;
        Members members(*value, where, problem_);
        bool is_first = true;
        const auto column = [&]<class Number>(const fields::Row<Item, Number> &field) {
            std::vector<Number> numbers;
            members.each_number(field.name, row.most, numbers);
            if (std::exchange(is_first, false))
                out.resize(numbers.size());
            if (numbers.size() != out.size())
                return problem_.add(fmt::format("{}{} has {} entries, and not {} as the others", where, field.name,
                                                numbers.size(), out.size()));
            for (size_t i = 0; i < numbers.size(); ++i)
                out[i].*field.member = numbers[i];
        };
        fields::each_field(fields::Of<Item>::rows, column);
        members.finish();
    }
    Problem &problem_;
};

// A valid one, or what does not fit.
template <class Type>
Result<Type> read_parsed(const Value &document, std::string_view format) {
    Type read;
    Problem problem;
    Members members(document, "", problem);
    Reader(problem).members(members, "", read);
    if (problem.any())
        return does_not_fit(format, problem);
    if constexpr (requires { validate(read); })
        if (Status valid = validate(read); !valid)
            return valid.error();
    return read;
}
template <class Type>
Result<Type> read_document(const std::string &text, std::string_view format, uint32_t version) {
    const Result<Value> document = parse(text, format, version);
    return document ? read_parsed<Type>(*document, format) : document.error();
}

}  // namespace thalweg::model::json
