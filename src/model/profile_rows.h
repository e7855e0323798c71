// model: the tables of a profile's lists, written and read by the rows of their fields; private to this room.
#pragma once

#include "model/profile_fields.h"
#include "model/sqlite.h"

namespace thalweg::model::sqlite {

// A table of the file: a reader takes it only when its text in the file is just this, so a hostile file has no say in what runs.
struct TableText {
    std::string name;
    std::string columns;
    uint32_t since;
};

// Puts it behind those that are as old.
void add_text(TableText text, std::vector<TableText> &tables);

// Of all lists, those of older files first.
std::vector<TableText> profile_tables();

void write_lists(const Profile &profile, Database &database);
// `version` of the file: what came later stays as it is.
void read_lists(Database &database, uint64_t version, Profile &profile);

// LLVM's counters (profile_counts.cc).
void write_counted_functions(const Profile &profile, Database &database);
void read_function_counts(Database &database, uint64_t version, Profile &profile);

// Rows of `table` in the order of their ids, which must be 0, 1, 2, ...: each(row)
template <class Each>
void each_row(Database &database, const char *table, size_t limit, Each each) {
    Statement row(database, fmt::format("SELECT * FROM {} ORDER BY id", table));
    for (uint64_t id = 0; row.next(); ++id) {
        if (id >= limit)
            return database.problem(fmt::format("{} has more than {} rows", table, limit));
        if (row.bits(0) != id)
            return database.problem(fmt::format("{} has a gap at {}", table, id));
        each(row);
    }
}

// The same, of a table beside a list of `size` entries: each(row, the entry's index).
template <class Each>
void each_row_beside(Database &database, const char *table, size_t limit, size_t size, Each each) {
    each_row(database, table, limit, [&](Statement &row) {
        if (row.bits(1) >= size)
            return database.problem(fmt::format("{} has a row for {}, which is not there", table, row.bits(1)));
        each(row, row.bits(1));
    });
}

}  // namespace thalweg::model::sqlite
