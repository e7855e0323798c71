// report: an entry of a profile as JSON, a member for each row of its fields (model/profile_fields.h).
#pragma once

#include <nlohmann/json.hpp>

#include "model/profile_fields.h"

namespace thalweg::report {

using Json = nlohmann::ordered_json;

// Null: no debug information.
inline Json place_json(const model::SourcePlace &place) {
    if (place.file.empty())
        return nullptr;
    return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

// How far a count may be off: 0, it is exact; null, nobody knows.
inline Json error_json(uint64_t error) { return error == model::unknown_error ? Json() : Json(error); }

// Form says what differs between JSON for programs and the page's: has_hashes, name(row's name), index(list, place), text(row, value).
template <class Form>
class FieldsJson {
  public:
    explicit FieldsJson(const Form &form) : form_(form) {}

    template <class Entry>
    Json entry(const Entry &entry) const {
        Json json = Json::object();
        const auto add = [&]<class R>(const R &row, const auto &in) {
            if constexpr (model::fields::is_row<R> && !Form::has_hashes)
                if (row.role == model::fields::Role::hash)
                    return;
            json[form_.name(row.name)] = field(row, in.*row.member, in);
        };
        model::fields::each_with_entry(model::fields::Of<Entry>::rows, add, entry);
        return json;
    }
    template <class Entry>
    Json list(const std::vector<Entry> &entries) const {
        Json list = Json::array();
        for (const Entry &one : entries)
            list.push_back(entry(one));
        return list;
    }

  private:
    template <class Entry, class Type>
    Json field(const model::fields::Row<Entry, Type> &row, const Type &value, const Entry &entry) const {
        using model::fields::Role;
        if constexpr (std::is_same_v<Type, model::SourcePlace>)
            return place_json(value);
        else if constexpr (std::is_same_v<Type, std::string>)
            return row.role == Role::key && value.empty() ? Json() : Json(form_.text(row, value));
        else if constexpr (std::is_enum_v<Type>)
            return row.words[static_cast<size_t>(value)];
        else if constexpr (std::is_same_v<Type, uint32_t>) {
            if (row.role != Role::index)
                return value;
            return value == model::none ? Json() : form_.index(row.list, value);
        } else if constexpr (std::is_same_v<Type, uint64_t>) {
            if (row.role == Role::hash)
                return fmt::format("0x{:016x}", value);
            if (row.role == Role::error)
                return error_json(value);
            const bool is_known = (row.role != Role::time && row.role != Role::least) || entry.*row.whole != 0;
            return is_known ? Json(value) : Json();
        } else {
            return value;
        }
    }
    template <class Entry, class Type>
    Json field(const model::fields::Nested<Entry, Type> &, const Type &value, const Entry &) const {
        return value == Type{} ? Json() : entry(value);
    }
    template <class Entry, class Item>
    Json field(const model::fields::Several<Entry, Item> &, const std::vector<Item> &items, const Entry &) const {
        return list(items);
    }
    const Form &form_;
};

}  // namespace thalweg::report
