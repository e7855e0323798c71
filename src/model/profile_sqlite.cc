// model: a profile as one SQLite file (docs/formats/profile.md).
#include <algorithm>

#include "base/file.h"
#include "model/profile_rows.h"

namespace thalweg::model {

namespace {

// "THLW", so that file(1) and we ourselves know what this is.
constexpr uint32_t application_id = 0x54484c57;
// The oldest version of this program that understands what is written here.
constexpr uint32_t minimum_reader = 5;
// The oldest file that is still read.
constexpr uint32_t oldest_version = 1;

// What is no list of structs.
struct PlainTable {
    const char *name;
    const char *columns;
    uint32_t since;
};
constexpr PlainTable other_tables[] = {
    {"count_errors", "(id INTEGER PRIMARY KEY, list INTEGER, row INTEGER, error INTEGER)", 7},
    {"counted_functions", "(id INTEGER PRIMARY KEY, name TEXT, hash INTEGER, counts TEXT)", 9},
    {"call_targets", "(id INTEGER PRIMARY KEY, function INTEGER, targets TEXT)", 10},
    {"memory_sizes", "(id INTEGER PRIMARY KEY, function INTEGER, sizes TEXT)", 11},
    {"libraries", "(id INTEGER PRIMARY KEY, name TEXT, profile BLOB)", 12},
};

std::vector<sqlite::TableText> all_tables() {
    std::vector<sqlite::TableText> tables{{"meta", "(key TEXT PRIMARY KEY, value) WITHOUT ROWID", 1}};
    for (sqlite::TableText &table : sqlite::profile_tables())
        add_text(std::move(table), tables);
    for (const PlainTable &table : other_tables)
        add_text({table.name, table.columns, table.since}, tables);
    return tables;
}

std::string create(const sqlite::TableText &table) {
    return fmt::format("CREATE TABLE {} {}", table.name, table.columns);
}

// ---- writing ----

void write_header(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement meta = insert_into(database, "meta");
    meta.insert(std::string("minimum_reader"), uint64_t{minimum_reader});
    meta.insert(std::string("program"), profile.program);
    meta.insert(std::string("build_id"), profile.build_id);
    meta.insert(std::string("command"), profile.command);
    meta.insert(std::string("instructions"), profile.instructions);
    meta.insert(std::string("call_clock"), static_cast<uint64_t>(profile.call_clock));
}

// What is exact has no row.
void write_errors(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement errors = insert_into(database, "count_errors");
    uint64_t id = 0;
    fields::each_estimated_list(profile, [&](uint64_t list, const auto &entries) {
        for (uint64_t row = 0; row < entries.size(); ++row)
            if (entries[row].error != 0)
                errors.insert(id++, list, row, entries[row].error);
    });
}

// Each as a whole file.
void write_libraries(const Profile &profile, sqlite::Database &database) {
    sqlite::Statement rows = insert_into(database, "libraries");
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
    for (const sqlite::TableText &table : all_tables()) {
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

void read_header(sqlite::Database &database, uint64_t version, Profile &profile) {
    profile.program = meta_text(database, "program");
    profile.build_id = meta_text(database, "build_id");
    profile.command = meta_text(database, "command");
    profile.instructions = meta_number(database, "instructions");
    if (version < 6)
        return;
    const uint64_t clock = meta_number(database, "call_clock");
    if (clock >= std::size(call_clock_words))
        return database.problem(fmt::format("meta.call_clock is {}, which is no clock", clock));
    profile.call_clock = static_cast<CallClock>(clock);
}

void read_errors(sqlite::Database &database, Profile &profile) {
    sqlite::each_row(database, "count_errors", max_targets, [&](sqlite::Statement &row) {
        bool fits = false;
        fields::each_estimated_list(profile, [&](uint64_t list, auto &entries) {
            if (row.bits(1) != list || row.bits(2) >= entries.size())
                return;
            entries[row.bits(2)].error = row.number<uint64_t>(3);
            fits = true;
        });
        if (!fits)
            database.problem(fmt::format("count_errors has a row for {} of list {}", row.bits(2), row.bits(1)));
    });
}

Result<Profile> from_bytes(std::string_view bytes, const std::string &library);

void read_libraries(sqlite::Database &database, Profile &profile) {
    sqlite::each_row(database, "libraries", max_libraries, [&](sqlite::Statement &row) {
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
    fields::each_estimated_list(profile, [&]<class Entry>(uint64_t, std::vector<Entry> &counted) {
        const bool is_exact = std::is_same_v<Entry, ProfiledFunction> ? entries < noted_entries : are_dispatches_noted;
        for (auto &entry : counted)
            entry.error = is_exact ? 0 : unknown_error;
    });
}

// `library`: whose part of a larger profile it is; empty: it is a whole one.
Result<Profile> from_bytes(std::string_view bytes, const std::string &library) {
    if (bytes.empty())
        return fail(ErrorCode::does_not_fit, "it is empty; record again");
    if (bytes.starts_with("# What Thalweg will do"))
        return fail(ErrorCode::does_not_fit, "it is a plan, which `thalweg plan` made of a profile");
    sqlite::Database database(bytes);
    if (!database.failed() && pragma(database, "application_id") != application_id && !database.failed())
        return fail(ErrorCode::does_not_fit, "it is an SQLite file, but not a profile of Thalweg");
    if (std::string problem = wrong_version(database); !database.failed() && !problem.empty())
        return fail(ErrorCode::does_not_fit, "{}", problem);
    check_schema(database);
    const uint64_t version = pragma(database, "user_version");
    Profile profile;
    profile.library = library;
    read_header(database, version, profile);
    sqlite::read_lists(database, version, profile);
    if (version >= 7)
        read_errors(database, profile);
    else
        doubt_counts(profile);
    sqlite::read_function_counts(database, version, profile);
    if (version >= 12 && library.empty())
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
    for (const sqlite::TableText &table : all_tables())
        database.run(create(table));
    write_header(profile, database);
    sqlite::write_lists(profile, database);
    write_errors(profile, database);
    sqlite::write_counted_functions(profile, database);
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
