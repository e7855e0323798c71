// model: the table of a program's dispatch sites and symbols, as JSON (docs/formats/site-table.md).
#include "base/hash.h"
#include "model/json.h"
#include "model/limits.h"

namespace thalweg::model {

namespace {

constexpr std::string_view format = "thalweg-site-table";

Site read_site(const json::Value &value, const std::string &where, json::Problem &problem) {
    Site site;
    std::string kind = "list";
    json::Members members(value, where, problem);
    members.text("function", site.function, true);
    members.number("ordinal", site.ordinal);
    members.hash("body_hash", site.body_hash);
    members.text("kind", kind);
    members.place("place", site.place);
    members.text("callee", site.callee);
    members.finish();
    const auto *known = std::find(site_kind_words.begin(), site_kind_words.end(), kind);
    if (known == site_kind_words.end())
        problem.add(where + "kind is none of event, list, trigger, wait, call");
    else
        site.kind = static_cast<SiteKind>(known - site_kind_words.begin());
    return site;
}

Symbol read_symbol(const json::Value &value, const std::string &where, json::Problem &problem) {
    Symbol symbol;
    json::Members members(value, where, problem);
    members.text("name", symbol.name, true);
    members.flag("is_function", symbol.is_function);
    members.flag("has_body", symbol.has_body);
    members.hash("body_hash", symbol.body_hash);
    members.number("instructions", symbol.instructions);
    members.place("place", symbol.place);
    members.finish();
    return symbol;
}

FunctionBody read_body(const json::Value &value, const std::string &where, json::Problem &problem) {
    FunctionBody body;
    json::Members members(value, where, problem);
    members.text("name", body.name, true);
    members.hash("body_hash", body.body_hash);
    members.number("instructions", body.instructions);
    members.place("place", body.place);
    members.numbers("calls", max_calls, body.calls);
    members.finish();
    return body;
}

constexpr std::string_view kind_words[] = {"argument", "load", "memory"};
constexpr std::string_view steers_words[] = {"branch", "switch", "call"};

template <class Enum, size_t Count>
Enum one_of(const std::string_view (&words)[Count], const std::string &word, const std::string &where,
            json::Problem &problem) {
    for (size_t i = 0; i < Count; ++i)
        if (words[i] == word)
            return static_cast<Enum>(i);
    problem.add(fmt::format("{}\"{}\" is not known", where, word));
    return {};
}

CallPlace read_call(const json::Value &value, const std::string &where, json::Problem &problem) {
    CallPlace call;
    json::Members members(value, where, problem);
    members.number("caller", call.caller, true);
    members.number("ordinal", call.ordinal, true);
    members.place("place", call.place);
    members.finish();
    return call;
}

json::Ordered fact_place(const FactPlace &place) {
    json::Ordered all{{"function", place.function},
                      {"kind", kind_words[static_cast<size_t>(place.kind)]},
                      {"ordinal", place.ordinal},
                      {"width", place.width},
                      {"steers", steers_words[static_cast<size_t>(place.steers)]},
                      {"place", json::place(place.place)}};
    if (place.call)
        all["call"] = {{"caller", place.call->caller},
                       {"ordinal", place.call->ordinal},
                       {"place", json::place(place.call->place)}};
    return all;
}

FactPlace read_fact_place(const json::Value &value, const std::string &where, json::Problem &problem) {
    FactPlace place;
    std::string kind = "load";
    std::string steers = "branch";
    json::Members members(value, where, problem);
    members.number("function", place.function, true);
    members.text("kind", kind);
    members.number("ordinal", place.ordinal);
    members.number("width", place.width, true);
    members.text("steers", steers);
    members.place("place", place.place);
    if (const json::Value *call = members.find("call"))
        place.call = read_call(*call, where + "call ", problem);
    members.finish();
    place.kind = one_of<FactKind>(kind_words, kind, where + "kind ", problem);
    place.steers = one_of<Steers>(steers_words, steers, where + "steers ", problem);
    return place;
}

Computation read_computation(const json::Value &value, const std::string &where, json::Problem &problem) {
    Computation computation;
    json::Members members(value, where, problem);
    members.number("function", computation.function, true);
    members.number("instructions", computation.instructions, true);
    members.number("input_bytes", computation.input_bytes, true);
    members.number("result_bytes", computation.result_bytes, true);
    members.finish();
    return computation;
}

CountedFunction read_counted(const json::Value &value, const std::string &where, json::Problem &problem) {
    CountedFunction counted;
    json::Members members(value, where, problem);
    members.text("name", counted.name, true);
    members.hash("hash", counted.hash);
    members.number("counters", counted.counters, true);
    members.number("value_sites", counted.value_sites);
    members.number("memory_sites", counted.memory_sites);
    members.finish();
    return counted;
}

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

std::string write_site_table(const SiteTable &table) {
    json::Ordered document = json::document(format, SiteTable::version);
    document["program"] = table.program;
    document["instructions"] = table.instructions;
    json::Ordered &sites = document["sites"] = json::Ordered::array();
    for (const Site &site : table.sites)
        sites.push_back({{"function", site.function},
                         {"ordinal", site.ordinal},
                         {"body_hash", hash_text(site.body_hash)},
                         {"kind", word(site.kind)},
                         {"place", json::place(site.place)},
                         {"callee", site.callee}});
    document["inlined"] = table.inlined;
    json::Ordered &symbols = document["symbols"] = json::Ordered::array();
    for (const Symbol &symbol : table.symbols)
        symbols.push_back({{"name", symbol.name},
                           {"is_function", symbol.is_function},
                           {"has_body", symbol.has_body},
                           {"body_hash", hash_text(symbol.body_hash)},
                           {"instructions", symbol.instructions},
                           {"place", json::place(symbol.place)}});
    json::Ordered &functions = document["functions"] = json::Ordered::array();
    for (const FunctionBody &body : table.functions)
        functions.push_back({{"name", body.name},
                             {"body_hash", hash_text(body.body_hash)},
                             {"instructions", body.instructions},
                             {"place", json::place(body.place)},
                             {"calls", body.calls}});
    json::Ordered &places = document["fact_places"] = json::Ordered::array();
    for (const FactPlace &place : table.fact_places)
        places.push_back(fact_place(place));
    json::Ordered &computations = document["computations"] = json::Ordered::array();
    for (const Computation &one : table.computations)
        computations.push_back({{"function", one.function},
                                {"instructions", one.instructions},
                                {"input_bytes", one.input_bytes},
                                {"result_bytes", one.result_bytes}});
    json::Ordered &counted = document["counted"] = json::Ordered::array();
    for (const CountedFunction &one : table.counted)
        counted.push_back({{"name", one.name},
                           {"hash", hash_text(one.hash)},
                           {"counters", one.counters},
                           {"value_sites", one.value_sites},
                           {"memory_sites", one.memory_sites}});
    return json::print(document);
}

Result<SiteTable> read_site_table(const std::string &text) {
    Result<json::Value> document = json::parse(text, format, SiteTable::version);
    if (!document)
        return document.error();
    SiteTable table;
    json::Problem problem;
    json::Members members(*document, "", problem);
    members.text("program", table.program);
    members.number("instructions", table.instructions);
    members.list("sites", max_sites, [&](const json::Value &value, const std::string &where) {
        table.sites.push_back(read_site(value, where, problem));
    });
    members.texts("inlined", max_sites, table.inlined);
    members.list("symbols", max_symbols, [&](const json::Value &value, const std::string &where) {
        table.symbols.push_back(read_symbol(value, where, problem));
    });
    members.list("functions", max_symbols, [&](const json::Value &value, const std::string &where) {
        table.functions.push_back(read_body(value, where, problem));
    });
    members.list("fact_places", max_facts, [&](const json::Value &value, const std::string &where) {
        table.fact_places.push_back(read_fact_place(value, where, problem));
    });
    members.list("computations", max_symbols, [&](const json::Value &value, const std::string &where) {
        table.computations.push_back(read_computation(value, where, problem));
    });
    members.list("counted", max_symbols, [&](const json::Value &value, const std::string &where) {
        table.counted.push_back(read_counted(value, where, problem));
    });
    members.finish();
    if (problem.any())
        return json::does_not_fit(format, problem);
    if (Status valid = validate(table); !valid)
        return valid.error();
    return table;
}

}  // namespace thalweg::model
