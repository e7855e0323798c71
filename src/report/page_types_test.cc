// report: the page's types of what was recorded (web/recorded.ts) are those that the rows of the fields make. After a change of the rows:
// THALWEG_UPDATE=1 build-sanitize/tests/report_test --gtest_filter='PageTypes*'
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

#include "base/file.h"
#include "model/profile_fields.h"
#include "report/html.h"

namespace thalweg::report {
namespace {

using namespace model;
using fields::Role;

std::string camel(std::string_view name) {
    std::string text;
    for (size_t i = 0; i < name.size(); ++i)
        if (name[i] != '_')
            text += i > 0 && name[i - 1] == '_' ? static_cast<char>(name[i] - 'a' + 'A') : name[i];
    return text;
}

// The interfaces' names where those of the structures are the browser's, or the page's already.
struct OtherName {
    std::string_view structure, interface;
};
constexpr OtherName other_names[] = {{"Symbol", "CodeSymbol"},
                                     {"Event", "EventInfo"},
                                     {"Nesting", "NestingInfo"},
                                     {"GuardCount", "Guard"},
                                     {"NotedSystemCall", "SystemCall"}};
template <class Entry>
std::string_view type_name() {
    std::string_view name = __PRETTY_FUNCTION__;
    name = name.substr(name.rfind(':') + 1);
    name.remove_suffix(1);
    const auto other = std::ranges::find(other_names, name, &OtherName::structure);
    return other == std::end(other_names) ? name : other->interface;
}

template <class Entry, class Type>
std::string type_of(const fields::Row<Entry, Type> &row) {
    if constexpr (std::is_same_v<Type, SourcePlace>)
        return "Place | null";
    else if constexpr (std::is_same_v<Type, std::string>)
        return row.role == Role::key ? "string | null" : "string";
    else if constexpr (std::is_same_v<Type, bool>)
        return "boolean";
    else if constexpr (std::is_enum_v<Type>) {
        std::string words;
        for (const char *word : row.words)
            words += fmt::format("{}'{}'", words.empty() ? "" : " | ", word);
        return words;
    } else if (row.role == Role::error)
        return "CountError";
    else
        return row.may_be_none || row.role == Role::time || row.role == Role::least ? "number | null" : "number";
}
template <class Entry, class Type>
std::string type_of(const fields::Nested<Entry, Type> &) {
    return fmt::format("{} | null", type_name<fields::inside_of<Type>>());
}
template <class Entry, class Item>
std::string type_of(const fields::Several<Entry, Item> &) {
    return fmt::format("{}[]", type_name<Item>());
}

template <class Entry>
bool is_made_of_rows() {
    bool all = true;
    fields::each_field(fields::Of<Entry>::rows, [&]<class R>(const R &) { all &= fields::is_row<R>; });
    return all;
}

// Of these, and of each list's structure that is made of nothing but rows.
template <class... Entries>
std::string types_of() {
    std::string text = "// report: what was recorded, as the page has it; made of the rows in model/profile_fields.h "
                       "by page_types_test.cc.\n"
                       "import type { CountError } from './dom';\n\n"
                       "// Of docs/formats/report-data.md.\n" +
                       fmt::format("export const dataVersion = {};\n", data_version) +
                       "export interface Place {\n  file: string;\n  line: number;\n  column: number;\n}\n";
    const auto add = [&]<class Entry>(const Entry *) {
        text += fmt::format("export interface {} {{\n", type_name<Entry>());
        const auto member = [&]<class R>(const R &row) {
            if constexpr (fields::is_row<R>)
                if (row.role == Role::hash)
                    return;
            text += fmt::format("  {}: {};\n", camel(row.name), type_of(row));
        };
        fields::each_field(fields::Of<Entry>::rows, member);
        text += "}\n";
    };
    (add(static_cast<const Entries *>(nullptr)), ...);
    fields::each_list([&]<class List>(const List &) {
        using Entry = typename List::type;
        if constexpr (!(std::is_same_v<Entry, Entries> || ...))
            if (is_made_of_rows<Entry>())
                add(static_cast<const Entry *>(nullptr));
    });
    return text;
}

TEST(PageTypes, are_those_of_the_fields) {
    const std::string path = std::string(THALWEG_SOURCE_DIR) + "/src/report/web/recorded.ts";
    const std::string made =
        types_of<Site, Symbol, EventTime, Event, Edge, Target, Sequence, Nesting, GuardCount, Coverage>();
    if (std::getenv("THALWEG_UPDATE") != nullptr) {
        ASSERT_TRUE(write_file(path, made));
    }
    const Result<std::string> stands = read_file(path);
    ASSERT_TRUE(stands) << stands.error().message;
    EXPECT_EQ(*stands, made) << "The first line of page_types_test.cc says how it is made anew.";
}

}  // namespace
}  // namespace thalweg::report
