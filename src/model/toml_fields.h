// model: tables of TOML, written and read by the rows of their fields (model/fields.h); private to this room.
#pragma once

#include "model/fields.h"
#include "model/limits.h"
#include "model/toml_keys.h"

namespace thalweg::model::toml_fields {

using fields::Role;

std::string toml_string(std::string_view text);
// A decimal number that reads back as the same bits and is a float for every TOML reader.
std::string decimal(double value);

// TOML's numbers have a sign: any 64 bits that are too many for one stand there as a text, as hashes do.
inline bool is_text(Role role, uint64_t value) {
    return role == Role::hash || (role == Role::key && value > max_count);
}

// ---- writing ----

template <class Type>
std::string in_one_line(const Type &value);

template <class Entry, class Type>
std::string written(const fields::Row<Entry, Type> &row, const Type &value) {
    if constexpr (std::is_same_v<Type, std::string>)
        return toml_string(value);
    else if constexpr (std::is_same_v<Type, double>)
        return decimal(value);
    else if constexpr (std::is_enum_v<Type>)
        return fmt::format("\"{}\"", row.words[static_cast<size_t>(value)]);
    else if constexpr (std::is_same_v<Type, uint64_t>)
        return is_text(row.role, value) ? fmt::format("\"{}\"", hash_text(value)) : fmt::format("{}", value);
    else if constexpr (requires { value.size(); })
        return fmt::format("[{}]", fmt::join(value, ", "));
    else
        return fmt::format("{}", value);
}
template <class Entry, class Variant>
std::string written(const fields::Chosen<Entry, Variant> &row, const Variant &value) {
    return fmt::format("\"{}\"", row.words[value.index()]);
}
template <class Entry, class Type>
std::string written(const fields::Nested<Entry, Type> &, const Type &value) {
    return in_one_line(value);
}
template <class Entry, class Type>
std::string written(const fields::Nested<Entry, std::optional<Type>> &, const std::optional<Type> &value) {
    return in_one_line(*value);
}
template <class Entry, class Item>
std::string written(const fields::Several<Entry, Item> &, const std::vector<Item> &items) {
    std::string list;
    for (const Item &item : items)
        list += (list.empty() ? "" : ", ") + in_one_line(item);
    return "[" + list + "]";
}

// each(key, what stands behind the equals sign, row, value) for each field that stands in the file.
template <class Type, class Each>
void each_written(const Type &value, Each each) {
    const auto write = [&]<class R, class Field>(const R &row, const Field &field) {
        if constexpr (std::is_same_v<Field, SourcePlace>) {
            each("file", toml_string(field.file), row, field);
            each("line", fmt::format("{}", field.line), row, field);
            each("column", fmt::format("{}", field.column), row, field);
        } else if (!fields::is_left_out(row, field)) {
            each(row.name, written(row, field), row, field);
        }
    };
    fields::each_in(write, value);
}

template <class Type>
std::string in_one_line(const Type &value) {
    std::string out;
    each_written(value, [&](const char *key, const std::string &text, const auto &, const auto &) {
        out += fmt::format("{} {} = {}", out.empty() ? "{" : ",", key, text);
    });
    return out + " }";
}

// A line for each field, and for each table of a list.
template <class Type>
std::string in_lines(const Type &value) {
    std::string out;
    each_written(value, [&]<class R>(const char *key, const std::string &text, const R &, const auto &field) {
        if constexpr (fields::is_several<R>) {
            out += fmt::format("{} = [\n", key);
            for (const auto &item : field)
                out += fmt::format("    {},\n", in_one_line(item));
            out += "]\n";
        } else {
            out += fmt::format("{} = {}\n", key, text);
        }
    });
    return out;
}

// ---- reading: what is absent stays as it is made, unless it is needed ----

class Reader {
  public:
    explicit Reader(json::Problem &problem) : problem_(problem) {}

    template <class Type>
    void table(const toml::table &from, Type &out) {
        Keys keys(from, problem_);
        fields::each_in([&](const auto &row, auto &into) { field(keys, row, into); }, out);
        keys.finish();
    }

  private:
    template <class Entry, class Type>
    void field(Keys &keys, const fields::Row<Entry, Type> &row, Type &out) {
        if constexpr (std::is_same_v<Type, std::string>)
            keys.text(row.name, out, row.is_needed);
        else if constexpr (std::is_same_v<Type, bool>)
            keys.flag(row.name, out);
        else if constexpr (std::is_same_v<Type, SourcePlace>)
            keys.place(out);
        else if constexpr (std::is_same_v<Type, double>)
            keys.decimal(row.name, out);
        else if constexpr (std::is_enum_v<Type>)
            out = static_cast<Type>(keys.one_of(row.name, row.words, row.is_needed, static_cast<size_t>(out)));
        else if constexpr (requires { out.size(); })
            keys.numbers(row.name, row.most, out);
        else
            number(keys, row, out);
    }
    template <class R, class Number>
    static void number(Keys &keys, const R &row, Number &out) {
        if constexpr (std::is_same_v<Number, uint64_t>)
            if (row.role == Role::hash || (row.role == Role::key && keys.is_text(row.name)))
                return keys.hash(row.name, out);
        keys.number(row.name, out, row.is_needed);
    }
    template <class Entry, class Variant>
    void field(Keys &keys, const fields::Chosen<Entry, Variant> &row, Variant &out) {
        out = fields::alternative<Variant>(keys.one_of(row.name, row.words, true, 0));
    }
    template <class Entry, class Type>
    void field(Keys &keys, const fields::Nested<Entry, Type> &row, Type &out) {
        keys.table(row.name, row.is_needed, [&](const toml::table &inside) {
            if constexpr (requires { out.emplace(); })
                table(inside, out.emplace());
            else
                table(inside, out);
        });
    }
    template <class Entry, class Item>
    void field(Keys &keys, const fields::Several<Entry, Item> &row, std::vector<Item> &out) {
        keys.tables(row.name, row.most, [&](const toml::table &item) { table(item, out.emplace_back()); });
    }
    json::Problem &problem_;
};

}  // namespace thalweg::model::toml_fields
