// model: LLVM's counters in a profile's file: a text for each function, and for each of its value sites (docs/formats/profile.md).
#include <algorithm>
#include <charconv>

#include "model/limits.h"
#include "model/profile_rows.h"

namespace thalweg::model::sqlite {

namespace {

// ---- writing ----

std::string words(const std::vector<uint64_t> &numbers) { return fmt::format("{}", fmt::join(numbers, " ")); }

std::string line_of(const CallTarget &target) { return fmt::format("{} {}\n", target.count, target.function); }
std::string line_of(const MemorySize &size) { return fmt::format("{} {}\n", size.count, size.bytes); }

// A row for each site, a line for each of its values.
template <class T>
void write_values(const Profile &profile, std::vector<std::vector<T>> FunctionCounts::*sites_of, const char *table,
                  Database &database) {
    Statement rows = insert_into(database, table);
    uint64_t id = 0;
    for (size_t i = 0; i < profile.counts.size(); ++i)
        for (const std::vector<T> &values : profile.counts[i].*sites_of) {
            std::string text;
            for (const T &value : values)
                text += line_of(value);
            rows.insert(id++, uint64_t{i}, text);
        }
}

// ---- reading ----

std::vector<uint64_t> numbers_in(const std::string &text, Database &database) {
    std::vector<uint64_t> numbers;
    const char *end = text.data() + text.size();
    for (const char *at = text.data(); at != end;) {
        uint64_t number = 0;
        const auto [next, problem] = std::from_chars(at, end, number);
        if (problem != std::errc() || (next != end && (*next != ' ' || next + 1 == end))) {
            database.problem("counted_functions has counts that are no numbers");
            break;
        }
        numbers.push_back(number);
        at = next == end ? end : next + 1;
    }
    return numbers;
}

// A line each: the count, a space, the value.
std::vector<std::pair<uint64_t, std::string_view>> values_in(std::string_view text, const char *table,
                                                             Database &database) {
    std::vector<std::pair<uint64_t, std::string_view>> values;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        uint64_t number = 0;
        const auto [next, problem] = std::from_chars(line.data(), line.data() + line.size(), number);
        if (problem != std::errc() || next == line.data() + line.size() || *next != ' ') {
            database.problem(fmt::format("{} has values without a count", table));
            break;
        }
        values.emplace_back(number, line.substr(static_cast<size_t>(next - line.data()) + 1));
    }
    return values;
}

void read_counted_functions(Database &database, Profile &profile) {
    each_row(database, "counted_functions", max_symbols, [&](Statement &row) {
        profile.counts.push_back({row.text(1), row.bits(2), numbers_in(row.text(3), database)});
    });
}

// Of each row of the table: the function's counts, and the values.
template <class Take>
void read_values(Database &database, Profile &profile, const char *table, Take take) {
    each_row_beside(database, table, max_counters, profile.counts.size(), [&](Statement &row, uint64_t function) {
        const std::string text = row.text(2);
        take(profile.counts[function], values_in(text, table, database));
    });
}

void read_call_targets(Database &database, Profile &profile) {
    read_values(database, profile, "call_targets", [](FunctionCounts &function, const auto &values) {
        std::vector<CallTarget> &targets = function.value_sites.emplace_back();
        for (const auto &[times, name] : values)
            targets.push_back({std::string(name), times});
    });
}

void read_memory_sizes(Database &database, Profile &profile) {
    read_values(database, profile, "memory_sizes", [&](FunctionCounts &function, const auto &values) {
        std::vector<MemorySize> &sizes = function.memory_sites.emplace_back();
        for (const auto &[times, text] : values) {
            uint64_t bytes = 0;
            const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), bytes);
            if (problem != std::errc() || end != text.data() + text.size())
                return database.problem("memory_sizes has a size that is no number");
            sizes.push_back({bytes, times});
        }
    });
}

}  // namespace

void write_counted_functions(const Profile &profile, Database &database) {
    Statement functions = insert_into(database, "counted_functions");
    uint64_t id = 0;
    for (const FunctionCounts &function : profile.counts)
        functions.insert(id++, function.name, function.hash, words(function.counts));
    write_values(profile, &FunctionCounts::value_sites, "call_targets", database);
    write_values(profile, &FunctionCounts::memory_sites, "memory_sizes", database);
}

void read_function_counts(Database &database, uint64_t version, Profile &profile) {
    if (version >= 9)
        read_counted_functions(database, profile);
    if (version >= 10)
        read_call_targets(database, profile);
    if (version >= 11)
        read_memory_sizes(database, profile);
}

}  // namespace thalweg::model::sqlite
