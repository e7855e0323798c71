// model: the table of a program's dispatch sites and symbols, as JSON (docs/formats/site-table.md).
#include "model/json_fields.h"
#include "model/profile_fields.h"

namespace thalweg::model {

namespace fields {

template <>
struct Of<FactPlace> {
    static constexpr const char *kind_words[] = {"argument", "load", "result", "memory"};
    static constexpr std::tuple rows{index("function", &FactPlace::function, List::functions).needed(),
                                     key("kind", &FactPlace::kind, kind_words),
                                     key("ordinal", &FactPlace::ordinal),
                                     key("width", &FactPlace::width).needed(),
                                     most("steers", &FactPlace::steers, steers_words),
                                     place("place", &FactPlace::place),
                                     object("call", &FactPlace::call)};
};

template <>
struct Of<CountedFunction> {
    static constexpr std::tuple rows{name("name", &CountedFunction::name), hash("hash", &CountedFunction::hash),
                                     value("counters", &CountedFunction::counters).needed(),
                                     value("value_sites", &CountedFunction::value_sites),
                                     value("memory_sites", &CountedFunction::memory_sites)};
};

template <>
struct Of<SiteTable> {
    static constexpr std::tuple rows{value("program", &SiteTable::program),
                                     value("instructions", &SiteTable::instructions),
                                     objects("sites", &SiteTable::sites, max_sites),
                                     values("inlined", &SiteTable::inlined, max_sites),
                                     objects("symbols", &SiteTable::symbols, max_symbols),
                                     objects("functions", &SiteTable::functions, max_symbols),
                                     objects("fact_places", &SiteTable::fact_places, max_facts),
                                     objects("computations", &SiteTable::computations, max_symbols),
                                     objects("counted", &SiteTable::counted, max_symbols)};
};

}  // namespace fields

namespace {

constexpr std::string_view format = "thalweg-site-table";

std::string wrong_counters(const SiteTable &table) {
    size_t counters = 0;
    for (const CountedFunction &function : table.counted)
        counters += size_t{function.counters} + function.value_sites + function.memory_sites;
    return counters <= max_counters ? std::string()
                                    : fmt::format("{} counters, at most {} fit", counters, max_counters);
}

std::string wrong_functions(const SiteTable &table) {
    for (size_t i = 0; i < table.functions.size(); ++i) {
        if (table.functions[i].name.empty())
            return fmt::format("functions[{}] has no name", i);
        if (table.functions[i].calls.size() > max_calls)
            return fmt::format("functions[{}] calls {} functions, at most {} fit", i, table.functions[i].calls.size(),
                               max_calls);
        for (uint32_t callee : table.functions[i].calls)
            if (callee >= table.functions.size())
                return fmt::format("functions[{}] calls function {}, but there are {}", i, callee,
                                   table.functions.size());
    }
    for (size_t i = 0; i < table.fact_places.size(); ++i) {
        const FactPlace &place = table.fact_places[i];
        if (place.function >= table.functions.size())
            return fmt::format("fact_places[{}] is in function {}, but there are {}", i, place.function,
                               table.functions.size());
        if (place.call && place.call->caller >= table.functions.size())
            return fmt::format("fact_places[{}] is of a call in function {}, but there are {}", i, place.call->caller,
                               table.functions.size());
        if (place.width < 1 || place.width > 8)
            return fmt::format("fact_places[{}] has a width of {} bytes, not 1 to 8", i, place.width);
    }
    for (size_t i = 0; i < table.computations.size(); ++i)
        if (table.computations[i].function >= table.functions.size())
            return fmt::format("computations[{}] is of function {}, but there are {}", i,
                               table.computations[i].function, table.functions.size());
    return {};
}

}  // namespace

Status validate(const SiteTable &table) {
    if (table.sites.size() > max_sites || table.symbols.size() > max_symbols || table.functions.size() > max_symbols ||
        table.fact_places.size() > max_facts || table.computations.size() > max_symbols)
        return fail(ErrorCode::does_not_fit,
                    "site table: {} sites, {} symbols and {} functions, at most {}, {} and {} fit", table.sites.size(),
                    table.symbols.size(), table.functions.size(), max_sites, max_symbols, max_symbols);
    for (size_t i = 0; i < table.sites.size(); ++i)
        if (table.sites[i].function.empty())
            return fail(ErrorCode::does_not_fit, "site table: sites[{}] names no function", i);
    if (table.inlined.size() > table.sites.size())
        return fail(ErrorCode::does_not_fit, "site table: inlined has {} entries, for {} sites", table.inlined.size(),
                    table.sites.size());
    for (size_t i = 0; i < table.symbols.size(); ++i)
        if (table.symbols[i].name.empty())
            return fail(ErrorCode::does_not_fit, "site table: symbols[{}] has no name", i);
    if (std::string problem = wrong_functions(table); !problem.empty())
        return fail(ErrorCode::does_not_fit, "site table: {}", problem);
    if (std::string problem = wrong_counters(table); !problem.empty())
        return fail(ErrorCode::does_not_fit, "site table: {}", problem);
    return Done{};
}

std::string write_site_table(const SiteTable &table) { return json::write_document(format, SiteTable::version, table); }

Result<SiteTable> read_site_table(const std::string &text) {
    return json::read_document<SiteTable>(text, format, SiteTable::version);
}

}  // namespace thalweg::model
