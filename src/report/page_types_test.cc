// report: the page's types of what was recorded (web/recorded.ts) are those that the rows of the fields make. After a change of the rows:
// THALWEG_UPDATE=1 build-sanitize/tests/report_test --gtest_filter='PageTypes*'
#include <cstdlib>

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

// The interfaces' names; those of the browser's own types are taken.
template <class Entry>
const char *const type_name = nullptr;
template <>
const char *const type_name<Site> = "Site";
template <>
const char *const type_name<Symbol> = "CodeSymbol";
template <>
const char *const type_name<EventTime> = "EventTime";
template <>
const char *const type_name<Event> = "EventInfo";
template <>
const char *const type_name<Edge> = "Edge";
template <>
const char *const type_name<Target> = "Target";
template <>
const char *const type_name<Sequence> = "Sequence";
template <>
const char *const type_name<Nesting> = "NestingInfo";
template <>
const char *const type_name<GuardCount> = "Guard";
template <>
const char *const type_name<Coverage> = "Coverage";
template <>
const char *const type_name<NotedSystemCall> = "SystemCall";
template <>
const char *const type_name<SystemCallEdge> = "SystemCallEdge";
template <>
const char *const type_name<Release> = "Release";

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
    return fmt::format("{} | null", type_name<fields::inside_of<Type>>);
}
template <class Entry, class Item>
std::string type_of(const fields::Several<Entry, Item> &) {
    return fmt::format("{}[]", type_name<Item>);
}

template <class... Entries>
std::string types_of() {
    std::string text = "// report: what was recorded, as the page has it; made of the rows in model/profile_fields.h "
                       "by page_types_test.cc.\n"
                       "import type { CountError } from './dom';\n\n"
                       "// Of docs/formats/report-data.md.\n" +
                       fmt::format("export const dataVersion = {};\n", data_version) +
                       "export interface Place {\n  file: string;\n  line: number;\n  column: number;\n}\n";
    const auto add = [&]<class Entry>(const Entry *) {
        text += fmt::format("export interface {} {{\n", type_name<Entry>);
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
    return text;
}

TEST(PageTypes, are_those_of_the_fields) {
    const std::string path = std::string(THALWEG_SOURCE_DIR) + "/src/report/web/recorded.ts";
    const std::string made = types_of<Site, Symbol, EventTime, Event, Edge, Target, Sequence, Nesting, GuardCount,
                                      Coverage, NotedSystemCall, SystemCallEdge, Release>();
    if (std::getenv("THALWEG_UPDATE") != nullptr) {
        ASSERT_TRUE(write_file(path, made));
    }
    const Result<std::string> stands = read_file(path);
    ASSERT_TRUE(stands) << stands.error().message;
    EXPECT_EQ(*stands, made) << "The first line of page_types_test.cc says how it is made anew.";
}

}  // namespace
}  // namespace thalweg::report
