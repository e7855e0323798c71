// model: a profile as one SQLite file (docs/formats/profile.md).
#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/file.h"
#include "model/limits.h"
#include "model/profile.h"
#include "model/sqlite.h"

namespace thalweg::model {

namespace {

// "THLW", so that file(1) and we ourselves know what this is.
constexpr uint32_t application_id = 0x54484c57;
// The oldest version of this program that understands what is written here.
constexpr uint32_t minimum_reader = 5;
// The oldest file that is still read.
constexpr uint32_t oldest_version = 1;

struct Table {
    const char *name;
    const char *columns;
    uint32_t since = 1;  // version of the first files that have it
};

// A reader takes a table only when its text in the file is just this, so a hostile file has no say in what runs.
constexpr Table tables[] = {
    {"meta", "(key TEXT PRIMARY KEY, value) WITHOUT ROWID"},
    {"sites", "(id INTEGER PRIMARY KEY, function TEXT, ordinal INTEGER, body_hash INTEGER, kind INTEGER, file TEXT, "
              "line INTEGER, \"column\" INTEGER)"},
    {"symbols", "(id INTEGER PRIMARY KEY, name TEXT, is_function INTEGER, has_body INTEGER, body_hash INTEGER, "
                "instructions INTEGER, file TEXT, line INTEGER, \"column\" INTEGER)"},
    {"events", "(id INTEGER PRIMARY KEY, name TEXT, kind INTEGER, raises INTEGER, binding_changes INTEGER)"},
    {"edges", "(id INTEGER PRIMARY KEY, \"from\" INTEGER, \"to\" INTEGER, mode INTEGER, weight INTEGER)"},
    {"sequences", "(id INTEGER PRIMARY KEY, site INTEGER, event INTEGER, truncated INTEGER, count INTEGER)"},
    {"targets", "(sequence INTEGER, position INTEGER, function INTEGER, context INTEGER, context_offset INTEGER, "
                "ordinal INTEGER, PRIMARY KEY (sequence, position)) WITHOUT ROWID"},
    {"nestings", "(id INTEGER PRIMARY KEY, parent_event INTEGER, parent_site INTEGER, position INTEGER, "
                 "handler INTEGER, child_event INTEGER, child_site INTEGER, mode INTEGER, count INTEGER)"},
    {"guards", "(id INTEGER PRIMARY KEY, decision INTEGER, event TEXT, hits INTEGER, failures INTEGER)"},
    {"coverage", "(id INTEGER PRIMARY KEY, dispatches INTEGER, recorded INTEGER, lost INTEGER, runs INTEGER, "
                 "processes INTEGER, threads INTEGER)"},
    {"functions",
     "(id INTEGER PRIMARY KEY, name TEXT, body_hash INTEGER, instructions INTEGER, file TEXT, line INTEGER, "
     "entries INTEGER)",
     2},
    {"calls", "(id INTEGER PRIMARY KEY, caller INTEGER, callee INTEGER)", 2},
    {"facts",
     "(id INTEGER PRIMARY KEY, function INTEGER, kind INTEGER, ordinal INTEGER, width INTEGER, steers INTEGER, "
     "file TEXT, line INTEGER, \"column\" INTEGER, notes INTEGER, varies INTEGER)",
     2},
    {"fact_values", "(id INTEGER PRIMARY KEY, fact INTEGER, symbol INTEGER, bits INTEGER, count INTEGER)", 2},
    {"fact_calls",
     "(id INTEGER PRIMARY KEY, fact INTEGER, caller INTEGER, ordinal INTEGER, file TEXT, line INTEGER, "
     "\"column\" INTEGER)",
     3},
    {"computations",
     "(id INTEGER PRIMARY KEY, function INTEGER, instructions INTEGER, input_bytes INTEGER, result_bytes INTEGER, "
     "notes INTEGER, same INTEGER)",
     4},
    {"site_callees", "(id INTEGER PRIMARY KEY, site INTEGER, callee TEXT)", 5},
    {"system_calls",
     "(id INTEGER PRIMARY KEY, site INTEGER, calls INTEGER, errors INTEGER, zeros INTEGER, shorts INTEGER, "
     "asked_bytes INTEGER, given_bytes INTEGER)",
     5},
    {"system_call_edges",
     "(id INTEGER PRIMARY KEY, \"from\" INTEGER, \"to\" INTEGER, weight INTEGER, same_descriptor INTEGER, "
     "same_buffer INTEGER, result_is_size INTEGER, adjacent INTEGER)",
     5},
    {"releases", "(id INTEGER PRIMARY KEY, \"from\" INTEGER, \"to\" INTEGER, count INTEGER)", 5},
    {"system_call_times", "(id INTEGER PRIMARY KEY, system_call INTEGER, timed INTEGER, inside_ns INTEGER)", 6},
    {"system_call_edge_times",
     "(id INTEGER PRIMARY KEY, edge INTEGER, timed INTEGER, between_ns INTEGER, least_ns INTEGER)", 6},
    {"count_errors", "(id INTEGER PRIMARY KEY, list INTEGER, row INTEGER, error INTEGER)", 7},
    {"event_times",
     "(id INTEGER PRIMARY KEY, event INTEGER, timed INTEGER, inside_ns INTEGER, inside_error_ns INTEGER, "
     "own_ns INTEGER, own_error_ns INTEGER)",
     8},
    {"counted_functions", "(id INTEGER PRIMARY KEY, name TEXT, hash INTEGER, counts TEXT)", 9},
    {"call_targets", "(id INTEGER PRIMARY KEY, function INTEGER, targets TEXT)", 10},
    {"memory_sizes", "(id INTEGER PRIMARY KEY, function INTEGER, sizes TEXT)", 11},
    {"libraries", "(id INTEGER PRIMARY KEY, name TEXT, profile BLOB)", 12},
};

std::string create(const Table &table) { return fmt::format("CREATE TABLE {} {}", table.name, table.columns); }

// ---- writing ----

std::string insert_into(const char *table, int columns) {
    std::string text = fmt::format("INSERT INTO {} VALUES (?", table);
    for (int i = 1; i < columns; ++i)
        text += ", ?";
    return text + ")";
}

uint64_t u64(auto value) { return static_cast<uint64_t>(value); }

// `none` is -1 in the file: a number that no index has.
uint64_t or_none(uint32_t index) { return index == none ? UINT64_MAX : index; }

void write_names(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement meta(database, insert_into("meta", 2));
    meta.insert(std::string("minimum_reader"), u64(minimum_reader));
    meta.insert(std::string("program"), profile.program);
    meta.insert(std::string("build_id"), profile.build_id);
    meta.insert(std::string("command"), profile.command);
    meta.insert(std::string("instructions"), profile.instructions);
    meta.insert(std::string("call_clock"), u64(profile.call_clock));
    uint64_t id = 0;
    sqlite::Statement sites(database, insert_into("sites", 8));
    for (const Site &site : profile.sites)
        sites.insert(id++, site.function, u64(site.ordinal), site.body_hash, u64(site.kind), site.place.file,
                     u64(site.place.line), u64(site.place.column));
    id = 0;
    sqlite::Statement symbols(database, insert_into("symbols", 9));
    for (const Symbol &symbol : profile.symbols)
        symbols.insert(id++, symbol.name, u64(symbol.is_function), u64(symbol.has_body), symbol.body_hash,
                       u64(symbol.instructions), symbol.place.file, u64(symbol.place.line), u64(symbol.place.column));
    id = 0;
    sqlite::Statement events(database, insert_into("events", 5));
    for (const Event &event : profile.events)
        events.insert(id++, event.name, u64(event.kind), event.raises, event.binding_changes);
}

void write_sequences(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement sequences(database, insert_into("sequences", 5));
    sqlite::Statement targets(database, insert_into("targets", 6));
    uint64_t id = 0;
    for (const Sequence &sequence : profile.sequences) {
        uint64_t position = 0;
        for (const Target &target : sequence.targets)
            targets.insert(id, position++, or_none(target.function), or_none(target.context), target.context_offset,
                           u64(target.ordinal));
        sequences.insert(id++, u64(sequence.site), u64(sequence.event), u64(sequence.truncated), sequence.count);
    }
}

void write_counts(const Profile &profile, sqlite::Database &database) {
    uint64_t id = 0;
    sqlite::Statement edges(database, insert_into("edges", 5));
    for (const Edge &edge : profile.edges)
        edges.insert(id++, u64(edge.from), u64(edge.to), u64(edge.mode), edge.weight);
    id = 0;
    sqlite::Statement nestings(database, insert_into("nestings", 9));
    for (const Nesting &nesting : profile.nestings)
        nestings.insert(id++, u64(nesting.parent_event), u64(nesting.parent_site), u64(nesting.position),
                        or_none(nesting.handler), u64(nesting.child_event), u64(nesting.child_site), u64(nesting.mode),
                        nesting.count);
    id = 0;
    sqlite::Statement guards(database, insert_into("guards", 5));
    for (const GuardCount &guard : profile.guards)
        guards.insert(id++, u64(guard.decision), guard.event, guard.hits, guard.failures);
    const Coverage &coverage = profile.coverage;
    sqlite::Statement(database, insert_into("coverage", 7))
        .insert(u64(0), coverage.dispatches, coverage.recorded, coverage.lost, coverage.runs, coverage.processes,
                coverage.threads);
}

void write_facts(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement functions(database, insert_into("functions", 7));
    sqlite::Statement calls(database, insert_into("calls", 3));
    uint64_t id = 0;
    uint64_t call = 0;
    for (const ProfiledFunction &function : profile.functions) {
        const FunctionBody &body = function.body;
        for (uint32_t callee : body.calls)
            calls.insert(call++, id, u64(callee));
        functions.insert(id++, body.name, body.body_hash, u64(body.instructions), body.place.file, u64(body.place.line),
                         function.entries);
    }
    sqlite::Statement facts(database, insert_into("facts", 11));
    sqlite::Statement values(database, insert_into("fact_values", 5));
    sqlite::Statement of_calls(database, insert_into("fact_calls", 7));
    uint64_t value_id = 0;
    call = 0;
    id = 0;
    for (const NotedFact &fact : profile.facts) {
        for (const NotedValue &value : fact.values)
            values.insert(value_id++, id, or_none(value.symbol), value.bits, value.count);
        if (fact.call)
            of_calls.insert(call++, id, u64(fact.call->caller), u64(fact.call->ordinal), fact.call->place.file,
                            u64(fact.call->place.line), u64(fact.call->place.column));
        facts.insert(id++, u64(fact.function), u64(fact.kind), u64(fact.ordinal), u64(fact.width), u64(fact.steers),
                     fact.place.file, u64(fact.place.line), u64(fact.place.column), fact.notes, u64(fact.varies));
    }
}

void write_system_calls(const Profile &profile, sqlite::Database &database) {
    uint64_t id = 0;
    sqlite::Statement callees(database, insert_into("site_callees", 3));
    for (size_t site = 0; site < profile.sites.size(); ++site)
        if (!profile.sites[site].callee.empty())
            callees.insert(id++, u64(site), profile.sites[site].callee);
    id = 0;
    sqlite::Statement calls(database, insert_into("system_calls", 8));
    for (const NotedSystemCall &call : profile.system_calls)
        calls.insert(id++, u64(call.site), call.calls, call.errors, call.zeros, call.shorts, call.asked_bytes,
                     call.given_bytes);
    id = 0;
    sqlite::Statement edges(database, insert_into("system_call_edges", 8));
    for (const SystemCallEdge &edge : profile.system_call_edges)
        edges.insert(id++, u64(edge.from), u64(edge.to), edge.weight, edge.same_descriptor, edge.same_buffer,
                     edge.result_is_size, edge.adjacent);
    id = 0;
    sqlite::Statement releases(database, insert_into("releases", 4));
    for (const Release &release : profile.releases)
        releases.insert(id++, u64(release.from), u64(release.to), release.count);
}

// What was not timed has no row.
void write_call_times(const Profile &profile, sqlite::Database &database) {
    uint64_t id = 0;
    sqlite::Statement calls(database, insert_into("system_call_times", 4));
    for (size_t i = 0; i < profile.system_calls.size(); ++i)
        if (const NotedSystemCall &call = profile.system_calls[i]; call.timed != 0)
            calls.insert(id++, u64(i), call.timed, call.inside_ns);
    id = 0;
    sqlite::Statement edges(database, insert_into("system_call_edge_times", 5));
    for (size_t i = 0; i < profile.system_call_edges.size(); ++i)
        if (const SystemCallEdge &edge = profile.system_call_edges[i]; edge.timed != 0)
            edges.insert(id++, u64(i), edge.timed, edge.between_ns, edge.least_ns);
}

void write_computations(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement computations(database, insert_into("computations", 7));
    uint64_t id = 0;
    for (const NotedComputation &one : profile.computations)
        computations.insert(id++, u64(one.of.function), u64(one.of.instructions), u64(one.of.input_bytes),
                            u64(one.of.result_bytes), one.notes, one.same);
}

// The lists whose counts may be estimates, each with its number in the file.
template <class Each>
void each_counted_list(auto &profile, Each each) {
    each(u64(0), profile.events);
    each(u64(1), profile.edges);
    each(u64(2), profile.sequences);
    each(u64(3), profile.nestings);
    each(u64(4), profile.functions);
}

// What is exact has no row.
void write_errors(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement errors(database, insert_into("count_errors", 4));
    uint64_t id = 0;
    each_counted_list(profile, [&](uint64_t list, const auto &entries) {
        for (size_t row = 0; row < entries.size(); ++row)
            if (entries[row].error != 0)
                errors.insert(id++, list, u64(row), entries[row].error);
    });
}

// What was not timed has no row.
void write_event_times(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement times(database, insert_into("event_times", 7));
    uint64_t id = 0;
    for (size_t i = 0; i < profile.events.size(); ++i)
        if (const EventTime &time = profile.events[i].time; time.timed != 0)
            times.insert(id++, u64(i), time.timed, time.inside_ns, time.inside_error_ns, time.own_ns,
                         time.own_error_ns);
}

std::string words(const std::vector<uint64_t> &numbers) { return fmt::format("{}", fmt::join(numbers, " ")); }

std::string line_of(const CallTarget &target) { return fmt::format("{} {}\n", target.count, target.function); }
std::string line_of(const MemorySize &size) { return fmt::format("{} {}\n", size.count, size.bytes); }

// A row for each site, a line for each of its values.
template <class T>
void write_values(const Profile &profile, std::vector<std::vector<T>> FunctionCounts::*sites_of, const char *table,
                  sqlite::Database &database) {
    sqlite::Statement rows(database, insert_into(table, 3));
    uint64_t id = 0;
    for (size_t i = 0; i < profile.counts.size(); ++i)
        for (const std::vector<T> &values : profile.counts[i].*sites_of) {
            std::string text;
            for (const T &value : values)
                text += line_of(value);
            rows.insert(id++, u64(i), text);
        }
}

void write_counted_functions(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement functions(database, insert_into("counted_functions", 4));
    uint64_t id = 0;
    for (const FunctionCounts &function : profile.counts)
        functions.insert(id++, function.name, function.hash, words(function.counts));
    write_values(profile, &FunctionCounts::value_sites, "call_targets", database);
    write_values(profile, &FunctionCounts::memory_sites, "memory_sizes", database);
}

// Each as a whole file.
void write_libraries(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement rows(database, insert_into("libraries", 3));
    uint64_t id = 0;
    for (const Profile &library : profile.libraries) {
        const Result<std::string> bytes = profile_bytes(library);
        if (!bytes)
            return database.problem(bytes.error().message);
        rows.insert(id++, library.library, sqlite::Blob{*bytes});
    }
}

// ---- reading ----

std::string meta_text(sqlite::Database &database, const char *key) {
    sqlite::Statement row(database, fmt::format("SELECT value FROM meta WHERE key = '{}'", key));
    if (row.next())
        return row.text(0);
    database.problem(fmt::format("meta has no {}", key));
    return {};
}

uint64_t meta_number(sqlite::Database &database, const char *key) {
    sqlite::Statement row(database, fmt::format("SELECT value FROM meta WHERE key = '{}'", key));
    if (row.next())
        return row.number<uint64_t>(0);
    database.problem(fmt::format("meta has no {}", key));
    return 0;
}

uint64_t pragma(sqlite::Database &database, const char *name) {
    sqlite::Statement row(database, fmt::format("PRAGMA {}", name));
    return row.next() ? row.bits(0) : 0;
}

std::string wrong_version(sqlite::Database &database) {
    uint64_t version = pragma(database, "user_version");
    if (version < oldest_version)
        return fmt::format("it has version {}, the oldest that this tool reads is {}: record again", version,
                           oldest_version);
    uint64_t needed = meta_number(database, "minimum_reader");
    if (version <= Profile::version || needed <= Profile::version)
        return {};
    return fmt::format("it has version {} and needs a tool that reads version {}, this one reads {}: use a newer tool",
                       version, needed, Profile::version);
}

void check_schema(sqlite::Database &database) {
    const uint64_t version = pragma(database, "user_version");
    for (const Table &table : tables) {
        if (table.since > version)
            continue;
        sqlite::Statement row(
            database, fmt::format("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '{}'", table.name));
        if (!row.next())
            return database.problem(fmt::format("it has no table {}", table.name));
        if (row.text(0) != create(table))
            return database.problem(fmt::format("its table {} is not ours", table.name));
        if (row.next())
            return database.problem(fmt::format("it has two tables {}", table.name));
    }
}

uint32_t index_or_none(sqlite::Statement &row, int column) {
    return row.bits(column) == UINT64_MAX ? none : row.number<uint32_t>(column);
}

bool flag(sqlite::Statement &row, int column) { return row.bits(column) != 0; }

// Values beyond the last are caught by validate().
template <class Enum>
Enum enumerated(sqlite::Statement &row, int column) {
    return static_cast<Enum>(row.number<uint8_t>(column));
}

SourcePlace place(sqlite::Statement &row, int column) {
    return {row.text(column), row.number<uint32_t>(column + 1), row.number<uint32_t>(column + 2)};
}

// Rows of `table` in the order of their ids, which must be 0, 1, 2, ...
template <class Each>
void each_row(sqlite::Database &database, const char *table, size_t limit, Each each) {
    sqlite::Statement row(database, fmt::format("SELECT * FROM {} ORDER BY id", table));
    for (uint64_t id = 0; row.next(); ++id) {
        if (id >= limit)
            return database.problem(fmt::format("{} has more than {} rows", table, limit));
        if (row.bits(0) != id)
            return database.problem(fmt::format("{} has a gap at {}", table, id));
        each(row);
    }
}

void read_names(sqlite::Database &database, Profile &profile) {
    profile.program = meta_text(database, "program");
    profile.build_id = meta_text(database, "build_id");
    profile.command = meta_text(database, "command");
    profile.instructions = meta_number(database, "instructions");
    each_row(database, "sites", max_sites, [&](sqlite::Statement &row) {
        profile.sites.push_back(
            {row.text(1), row.number<uint32_t>(2), row.bits(3), enumerated<SiteKind>(row, 4), place(row, 5)});
    });
    each_row(database, "symbols", max_symbols, [&](sqlite::Statement &row) {
        profile.symbols.push_back(
            {row.text(1), flag(row, 2), flag(row, 3), row.bits(4), row.number<uint32_t>(5), place(row, 6)});
    });
    each_row(database, "events", max_events, [&](sqlite::Statement &row) {
        profile.events.push_back(
            {row.text(1), enumerated<SiteKind>(row, 2), row.number<uint64_t>(3), row.number<uint64_t>(4)});
    });
}

void read_targets(sqlite::Database &database, Profile &profile) {
    sqlite::Statement row(database, "SELECT * FROM targets ORDER BY sequence, position");
    for (size_t count = 0; row.next(); ++count) {
        if (count >= max_targets)
            return database.problem(fmt::format("targets has more than {} rows", max_targets));
        uint64_t sequence = row.bits(0);
        if (sequence >= profile.sequences.size() || row.bits(1) != profile.sequences[sequence].targets.size())
            return database.problem(fmt::format("targets has a row for sequence {} that fits nowhere", sequence));
        profile.sequences[sequence].targets.push_back(
            {index_or_none(row, 2), index_or_none(row, 3), row.number<uint64_t>(4), row.number<uint32_t>(5)});
    }
}

void read_counts(sqlite::Database &database, Profile &profile) {
    each_row(database, "edges", max_edges, [&](sqlite::Statement &row) {
        profile.edges.push_back(
            {row.number<uint32_t>(1), row.number<uint32_t>(2), enumerated<RaiseMode>(row, 3), row.number<uint64_t>(4)});
    });
    each_row(database, "sequences", max_sequences, [&](sqlite::Statement &row) {
        profile.sequences.push_back(
            {row.number<uint32_t>(1), row.number<uint32_t>(2), {}, flag(row, 3), row.number<uint64_t>(4)});
    });
    read_targets(database, profile);
    each_row(database, "nestings", max_nestings, [&](sqlite::Statement &row) {
        profile.nestings.push_back({row.number<uint32_t>(1), row.number<uint32_t>(2), row.number<uint32_t>(3),
                                    index_or_none(row, 4), row.number<uint32_t>(5), row.number<uint32_t>(6),
                                    enumerated<RaiseMode>(row, 7), row.number<uint64_t>(8)});
    });
    each_row(database, "guards", max_guards, [&](sqlite::Statement &row) {
        profile.guards.push_back(
            {row.number<uint32_t>(1), row.text(2), row.number<uint64_t>(3), row.number<uint64_t>(4)});
    });
    each_row(database, "coverage", 1, [&](sqlite::Statement &row) {
        profile.coverage = {row.number<uint64_t>(1), row.number<uint64_t>(2), row.number<uint64_t>(3),
                            row.number<uint64_t>(4), row.number<uint64_t>(5), row.number<uint64_t>(6)};
    });
}

void read_facts(sqlite::Database &database, Profile &profile) {
    each_row(database, "functions", max_symbols, [&](sqlite::Statement &row) {
        profile.functions.push_back(
            {{row.text(1), row.bits(2), row.number<uint32_t>(3), {row.text(4), row.number<uint32_t>(5), 0}, {}},
             row.number<uint64_t>(6)});
    });
    each_row(database, "calls", max_targets, [&](sqlite::Statement &row) {
        const uint64_t caller = row.bits(1);
        if (caller >= profile.functions.size())
            return database.problem(fmt::format("calls has a row for function {}, which is not there", caller));
        profile.functions[caller].body.calls.push_back(row.number<uint32_t>(2));
    });
    each_row(database, "facts", max_facts, [&](sqlite::Statement &row) {
        profile.facts.push_back({row.number<uint32_t>(1),
                                 enumerated<FactKind>(row, 2),
                                 row.number<uint32_t>(3),
                                 row.number<uint32_t>(4),
                                 enumerated<Steers>(row, 5),
                                 place(row, 6),
                                 row.number<uint64_t>(9),
                                 flag(row, 10),
                                 {},
                                 {}});
    });
    each_row(database, "fact_values", max_targets, [&](sqlite::Statement &row) {
        const uint64_t fact = row.bits(1);
        if (fact >= profile.facts.size())
            return database.problem(fmt::format("fact_values has a row for fact {}, which is not there", fact));
        profile.facts[fact].values.push_back({index_or_none(row, 2), row.bits(3), row.number<uint64_t>(4)});
    });
}

void read_fact_calls(sqlite::Database &database, Profile &profile) {
    each_row(database, "fact_calls", max_facts, [&](sqlite::Statement &row) {
        const uint64_t fact = row.bits(1);
        if (fact >= profile.facts.size() || profile.facts[fact].call)
            return database.problem(fmt::format("fact_calls has a row for fact {}, which fits nowhere", fact));
        profile.facts[fact].call = CallPlace{row.number<uint32_t>(2), row.number<uint32_t>(3), place(row, 4)};
    });
}

void read_computations(sqlite::Database &database, Profile &profile) {
    each_row(database, "computations", max_symbols, [&](sqlite::Statement &row) {
        profile.computations.push_back(
            {{row.number<uint32_t>(1), row.number<uint32_t>(2), row.number<uint32_t>(3), row.number<uint32_t>(4)},
             row.number<uint64_t>(5),
             row.number<uint64_t>(6)});
    });
}

void read_system_calls(sqlite::Database &database, Profile &profile) {
    each_row(database, "site_callees", max_sites, [&](sqlite::Statement &row) {
        const uint64_t site = row.bits(1);
        if (site >= profile.sites.size())
            return database.problem(fmt::format("site_callees has a row for site {}, which is not there", site));
        profile.sites[site].callee = row.text(2);
    });
    each_row(database, "system_calls", max_sites, [&](sqlite::Statement &row) {
        profile.system_calls.push_back({row.number<uint32_t>(1), row.number<uint64_t>(2), row.number<uint64_t>(3),
                                        row.number<uint64_t>(4), row.number<uint64_t>(5), row.number<uint64_t>(6),
                                        row.number<uint64_t>(7)});
    });
    each_row(database, "system_call_edges", max_edges, [&](sqlite::Statement &row) {
        profile.system_call_edges.push_back({row.number<uint32_t>(1), row.number<uint32_t>(2), row.number<uint64_t>(3),
                                             row.number<uint64_t>(4), row.number<uint64_t>(5), row.number<uint64_t>(6),
                                             row.number<uint64_t>(7)});
    });
    each_row(database, "releases", max_edges, [&](sqlite::Statement &row) {
        profile.releases.push_back({row.number<uint32_t>(1), row.number<uint32_t>(2), row.number<uint64_t>(3)});
    });
}

void read_call_times(sqlite::Database &database, Profile &profile) {
    const uint64_t clock = meta_number(database, "call_clock");
    if (clock > u64(CallClock::several))
        return database.problem(fmt::format("meta.call_clock is {}, which is no clock", clock));
    profile.call_clock = static_cast<CallClock>(clock);
    each_row(database, "system_call_times", max_sites, [&](sqlite::Statement &row) {
        const uint64_t call = row.bits(1);
        if (call >= profile.system_calls.size())
            return database.problem(fmt::format("system_call_times has a row for {}, which is not there", call));
        profile.system_calls[call].timed = row.number<uint64_t>(2);
        profile.system_calls[call].inside_ns = row.number<uint64_t>(3);
    });
    each_row(database, "system_call_edge_times", max_edges, [&](sqlite::Statement &row) {
        const uint64_t edge = row.bits(1);
        if (edge >= profile.system_call_edges.size())
            return database.problem(fmt::format("system_call_edge_times has a row for {}, which is not there", edge));
        profile.system_call_edges[edge].timed = row.number<uint64_t>(2);
        profile.system_call_edges[edge].between_ns = row.number<uint64_t>(3);
        profile.system_call_edges[edge].least_ns = row.number<uint64_t>(4);
    });
}

void read_errors(sqlite::Database &database, Profile &profile) {
    each_row(database, "count_errors", max_targets, [&](sqlite::Statement &row) {
        bool fits = false;
        each_counted_list(profile, [&](uint64_t list, auto &entries) {
            if (row.bits(1) != list || row.bits(2) >= entries.size())
                return;
            entries[row.bits(2)].error = row.number<uint64_t>(3);
            fits = true;
        });
        if (!fits)
            database.problem(fmt::format("count_errors has a row for {} of list {}", row.bits(2), row.bits(1)));
    });
}

void read_event_times(sqlite::Database &database, Profile &profile) {
    each_row(database, "event_times", max_events, [&](sqlite::Statement &row) {
        const uint64_t event = row.bits(1);
        if (event >= profile.events.size())
            return database.problem(fmt::format("event_times has a row for event {}, which is not there", event));
        profile.events[event].time = {row.number<uint64_t>(2), row.number<uint64_t>(3), row.number<uint64_t>(4),
                                      row.number<uint64_t>(5), row.number<uint64_t>(6)};
    });
}

std::vector<uint64_t> numbers_in(const std::string &text, sqlite::Database &database) {
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
                                                             sqlite::Database &database) {
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

void read_counted_functions(sqlite::Database &database, Profile &profile) {
    each_row(database, "counted_functions", max_symbols, [&](sqlite::Statement &row) {
        profile.counts.push_back({row.text(1), row.bits(2), numbers_in(row.text(3), database)});
    });
}

// Of each row of the table: the function's counts, and the values.
template <class Take>
void read_values(sqlite::Database &database, Profile &profile, const char *table, Take take) {
    each_row(database, table, max_counters, [&](sqlite::Statement &row) {
        const uint64_t function = row.bits(1);
        if (function >= profile.counts.size())
            return database.problem(fmt::format("{} has a row for {}, which is not there", table, function));
        const std::string text = row.text(2);
        take(profile.counts[function], values_in(text, table, database));
    });
}

void read_call_targets(sqlite::Database &database, Profile &profile) {
    read_values(database, profile, "call_targets", [](FunctionCounts &function, const auto &values) {
        std::vector<CallTarget> &targets = function.value_sites.emplace_back();
        for (const auto &[times, name] : values)
            targets.push_back({std::string(name), times});
    });
}

void read_memory_sizes(sqlite::Database &database, Profile &profile) {
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

Result<Profile> from_bytes(std::string_view bytes, const std::string &library);

void read_libraries(sqlite::Database &database, Profile &profile) {
    each_row(database, "libraries", max_libraries, [&](sqlite::Statement &row) {
        Result<Profile> library = from_bytes(row.blob(2), row.text(1));
        if (!library)
            return database.problem(fmt::format("library {}: {}", row.text(1), library.error().message));
        profile.libraries.push_back(std::move(*library));
    });
}

// Older files do not say what is an estimate. All of a short run was noted: so many entries at least.
void doubt_counts(Profile &profile) {
    constexpr uint64_t noted_entries = 16384;
    uint64_t entries = 0;
    for (const ProfiledFunction &function : profile.functions)
        entries += std::min(function.entries, noted_entries);
    const bool are_dispatches_noted = profile.coverage.recorded == profile.coverage.dispatches;
    each_counted_list(profile, [&](uint64_t list, auto &counted) {
        const bool is_exact = list == 4 ? entries < noted_entries : are_dispatches_noted;
        for (auto &entry : counted)
            entry.error = is_exact ? 0 : unknown_error;
    });
}

// `library`: whose part of a larger profile it is; empty: it is a whole one.
Result<Profile> from_bytes(std::string_view bytes, const std::string &library) {
    if (bytes.starts_with("# What Thalweg will do"))
        return fail(ErrorCode::does_not_fit, "it is a plan, which `thalweg plan` made of a profile");
    sqlite::Database database(bytes);
    if (!database.failed() && pragma(database, "application_id") != application_id && !database.failed())
        return fail(ErrorCode::does_not_fit, "it is an SQLite file, but not a profile of Thalweg");
    if (std::string problem = wrong_version(database); !database.failed() && !problem.empty())
        return fail(ErrorCode::does_not_fit, "{}", problem);
    check_schema(database);
    Profile profile;
    profile.library = library;
    read_names(database, profile);
    read_counts(database, profile);
    if (pragma(database, "user_version") >= 2)
        read_facts(database, profile);
    if (pragma(database, "user_version") >= 3)
        read_fact_calls(database, profile);
    if (pragma(database, "user_version") >= 4)
        read_computations(database, profile);
    if (pragma(database, "user_version") >= 5)
        read_system_calls(database, profile);
    if (pragma(database, "user_version") >= 6)
        read_call_times(database, profile);
    if (pragma(database, "user_version") >= 7)
        read_errors(database, profile);
    else
        doubt_counts(profile);
    if (pragma(database, "user_version") >= 8)
        read_event_times(database, profile);
    if (pragma(database, "user_version") >= 9)
        read_counted_functions(database, profile);
    if (pragma(database, "user_version") >= 10)
        read_call_targets(database, profile);
    if (pragma(database, "user_version") >= 11)
        read_memory_sizes(database, profile);
    if (pragma(database, "user_version") >= 12 && library.empty())
        read_libraries(database, profile);
    if (database.failed())
        return fail(ErrorCode::does_not_fit, "{}", database.problem());
    if (Status valid = validate(profile); !valid)
        return valid.error();
    return profile;
}

}  // namespace

Result<std::string> profile_bytes(const Profile &profile) {
    if (Status valid = validate(profile); !valid)
        return valid.error();
    sqlite::Database database;
    database.run(fmt::format("PRAGMA application_id = {}", application_id));
    database.run(fmt::format("PRAGMA user_version = {}", Profile::version));
    database.run("BEGIN");
    for (const Table &table : tables)
        database.run(create(table));
    write_names(profile, database);
    write_sequences(profile, database);
    write_counts(profile, database);
    write_facts(profile, database);
    write_computations(profile, database);
    write_system_calls(profile, database);
    write_call_times(profile, database);
    write_errors(profile, database);
    write_event_times(profile, database);
    write_counted_functions(profile, database);
    write_libraries(profile, database);
    database.run("COMMIT");
    std::string bytes = database.bytes();
    if (!database.failed())
        return bytes;
    return fail(ErrorCode::bug, "the profile could not be put into SQLite's form: {}", database.problem());
}

Result<Profile> profile_from_bytes(std::string_view bytes) { return from_bytes(bytes, ""); }

Status write_profile(const Profile &profile, const std::string &path) {
    Result<std::string> bytes = profile_bytes(profile);
    if (!bytes)
        return bytes.error();
    return write_file(path, *bytes);
}

Result<Profile> read_profile(const std::string &path) {
    Result<std::string> bytes = read_file(path);
    if (!bytes)
        return bytes.error();
    Result<Profile> profile = profile_from_bytes(*bytes);
    if (profile)
        return profile;
    return fail(profile.error().code, "{} is not a usable profile: {}", path, profile.error().message);
}

}  // namespace thalweg::model
