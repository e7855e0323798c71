// model: the tables of a profile's lists (docs/formats/profile.md).
#include "model/profile_rows.h"

#include <algorithm>

namespace thalweg::model::sqlite {

namespace {

using namespace fields;

// A table of one row.
constexpr ListRow<Coverage> coverage_table{"coverage", nullptr, 1};

// ---- the tables' texts ----

std::string quoted(std::string_view column) {
    const bool is_word_of_sql = column == "from" || column == "to" || column == "column";
    return is_word_of_sql ? fmt::format("\"{}\"", column) : std::string(column);
}

template <class Entry, class Type>
void add_column(const Row<Entry, Type> &row, std::string &columns) {
    if constexpr (std::is_same_v<Type, SourcePlace>)
        columns += row.has_column ? ", file TEXT, line INTEGER, \"column\" INTEGER" : ", file TEXT, line INTEGER";
    else
        columns += fmt::format(", {} {}", quoted(row.name), std::is_same_v<Type, std::string> ? "TEXT" : "INTEGER");
}

// Errors of all lists' counts stand in one table of their own.
enum class Which { all, without_errors };
bool is_asked(Which which, Role role) { return which == Which::all || role != Role::error; }

class Tables {
  public:
    template <class Entry>
    void add(const ListRow<Entry> &list) {
        std::string columns = "(id INTEGER PRIMARY KEY";
        add_own(Of<Entry>::rows, columns);
        add_text({list.name, columns + ")", list.since}, tables_);
        add_beside(Of<Entry>::rows);
    }
    std::vector<TableText> take() { return std::move(tables_); }

  private:
    template <class Rows>
    static void add_own(const Rows &rows, std::string &columns) {
        each_row(rows, [&]<class R>(const R &row) {
            if constexpr (is_flat<R>)
                add_own(Of<typename R::type>::rows, columns);
            else if constexpr (is_row<R>)
                if (is_asked(Which::without_errors, row.role))
                    add_column(row, columns);
        });
    }
    template <class Rows>
    void add_beside(const Rows &rows) {
        each_row(rows, [&]<class R>(const R &row) {
            if constexpr (is_flat<R>)
                add_beside(Of<typename R::type>::rows);
            else if constexpr (is_beside<R>)
                add_table(row.table, row.rows);
            else if constexpr (is_nested<R>)
                add_table(row.table, Of<inside_of<typename R::type>>::rows);
            else if constexpr (is_several<R>)
                add_items(row);
        });
    }
    template <class Rows>
    void add_table(const Table &table, const Rows &rows) {
        std::string columns = fmt::format("(id INTEGER PRIMARY KEY, {} INTEGER", table.entry);
        each_field(rows, [&](const auto &row) { add_column(row, columns); });
        add_text({table.name, columns + ")", table.since}, tables_);
    }
    template <class Entry, class Item>
    void add_items(const Several<Entry, Item> &row) {
        const auto &table = row.table;
        if constexpr (std::is_same_v<Item, uint32_t>) {
            add_text({table.name,
                      fmt::format("(id INTEGER PRIMARY KEY, {} INTEGER, {} INTEGER)", table.entry, row.item),
                      table.since},
                     tables_);
        } else if (row.items == Items::in_order) {
            std::string columns = fmt::format("({} INTEGER, position INTEGER", table.entry);
            each_field(Of<Item>::rows, [&](const auto &field) { add_column(field, columns); });
            add_text({table.name, fmt::format("{}, PRIMARY KEY ({}, position)) WITHOUT ROWID", columns, table.entry),
                      table.since},
                     tables_);
        } else {
            add_table(table, Of<Item>::rows);
        }
    }
    std::vector<TableText> tables_;
};

// ---- writing ----

template <class R, class Type>
void put(Statement &into, const R &row, const Type &value) {
    if constexpr (std::is_same_v<Type, std::string>)
        into.put(value);
    else if constexpr (std::is_same_v<Type, SourcePlace>) {
        into.put(value.file);
        into.put(uint64_t{value.line});
        if (row.has_column)
            into.put(uint64_t{value.column});
    } else if (row.may_be_none && static_cast<uint64_t>(value) == none)
        into.put(UINT64_MAX);  // -1 in the file: a number that no index has
    else
        into.put(static_cast<uint64_t>(value));
}

template <class Rows, class In>
void put_all(Statement &into, const Rows &rows, const In &in, Which which = Which::all) {
    each_row(rows, [&]<class R>(const R &row) {
        if constexpr (is_flat<R>)
            put_all(into, Of<typename R::type>::rows, in.*row.member, which);
        else if constexpr (is_row<R>)
            if (is_asked(which, row.role))
                put(into, row, in.*row.member);
    });
}

template <class Rows, class In>
bool is_as_made(const Rows &rows, const In &in) {
    bool same = true;
    each_row(rows, [&](const auto &row) { same = same && in.*row.member == In{}.*row.member; });
    return same;
}

// What stands beside a list. `inside` gives the struct of which the rows are, of an entry.
template <class Entry>
class BesideWriter {
  public:
    BesideWriter(const std::vector<Entry> &entries, Database &database) : entries_(entries), database_(database) {}

    template <class Rows, class Inside>
    void write(const Rows &rows, Inside inside) {
        each_row(rows, [&]<class R>(const R &row) {
            if constexpr (is_flat<R>)
                write(Of<typename R::type>::rows,
                      [&](const Entry &entry) -> const auto & { return inside(entry).*row.member; });
            else if constexpr (is_beside<R>)
                write_some(row.table, row.rows, [&](const Entry &entry) {
                    return is_as_made(row.rows, inside(entry)) ? nullptr : &inside(entry);
                });
            else if constexpr (is_nested<R>)
                write_some(row.table, Of<inside_of<typename R::type>>::rows,
                           [&](const Entry &entry) { return something(inside(entry).*row.member); });
            else if constexpr (is_several<R>)
                write_items(row, inside);
        });
    }

  private:
    // `some`: what there is to write of an entry; null: nothing.
    template <class Rows, class Some>
    void write_some(const Table &table, const Rows &rows, Some some) {
        Statement into = insert_into(database_, table.name);
        uint64_t id = 0;
        for (uint64_t i = 0; i < entries_.size(); ++i)
            if (const auto *of = some(entries_[i])) {
                into.put(id++);
                into.put(i);
                put_all(into, rows, *of);
                into.insert();
            }
    }
    template <class In, class Item, class Inside>
    void write_items(const Several<In, Item> &row, Inside inside) {
        Statement into = insert_into(database_, row.table.name);
        uint64_t id = 0;
        for (uint64_t i = 0; i < entries_.size(); ++i) {
            uint64_t position = 0;
            for (const Item &item : inside(entries_[i]).*row.member) {
                into.put(row.items == Items::in_order ? i : id++);
                into.put(row.items == Items::in_order ? position++ : i);
                if constexpr (std::is_same_v<Item, uint32_t>)
                    into.put(uint64_t{item});
                else
                    put_all(into, Of<Item>::rows, item);
                into.insert();
            }
        }
    }
    template <class Type>
    static const Type *something(const std::optional<Type> &value) {
        return value ? &*value : nullptr;
    }
    template <class Type>
    static const Type *something(const Type &value) {
        return value == Type{} ? nullptr : &value;
    }
    const std::vector<Entry> &entries_;
    Database &database_;
};

template <class Entry>
void write_list(const ListRow<Entry> &list, const std::vector<Entry> &entries, Database &database) {
    Statement into = insert_into(database, list.name);
    for (uint64_t id = 0; id < entries.size(); ++id) {
        into.put(id);
        put_all(into, Of<Entry>::rows, entries[id], Which::without_errors);
        into.insert();
    }
    BesideWriter(entries, database).write(Of<Entry>::rows, [](const Entry &entry) -> const Entry & { return entry; });
}

// ---- reading ----

template <class R, class Type>
void get(Statement &from, int &column, const R &row, Type &value) {
    const int at = column++;
    if constexpr (std::is_same_v<Type, std::string>)
        value = from.text(at);
    else if constexpr (std::is_same_v<Type, SourcePlace>) {
        value = {from.text(at), from.number<uint32_t>(column++), 0};
        if (row.has_column)
            value.column = from.number<uint32_t>(column++);
    } else if constexpr (std::is_same_v<Type, bool>)
        value = from.bits(at) != 0;
    else if constexpr (std::is_enum_v<Type>)
        value = static_cast<Type>(from.number<uint8_t>(at));  // those beyond the last are caught by validate()
    else if (row.role == Role::hash || (row.may_be_none && from.bits(at) == UINT64_MAX))
        value = static_cast<Type>(from.bits(at));
    else
        value = from.number<Type>(at);
}

template <class Rows, class In>
void get_all(Statement &from, int &column, const Rows &rows, In &in, Which which = Which::all) {
    each_row(rows, [&]<class R>(const R &row) {
        if constexpr (is_flat<R>)
            get_all(from, column, Of<typename R::type>::rows, in.*row.member, which);
        else if constexpr (is_row<R>)
            if (is_asked(which, row.role))
                get(from, column, row, in.*row.member);
    });
}

template <class Entry>
class BesideReader {
  public:
    BesideReader(std::vector<Entry> &entries, size_t most, uint64_t version, Database &database)
        : entries_(entries), most_(most), version_(version), database_(database) {}

    template <class Rows, class Inside>
    void read(const Rows &rows, Inside inside) {
        each_row(rows, [&]<class R>(const R &row) {
            if constexpr (is_flat<R>)
                read(Of<typename R::type>::rows, [&](Entry &entry) -> auto & { return inside(entry).*row.member; });
            else if constexpr (is_beside<R>)
                read_some(row.table, row.rows, [&](Entry &entry) { return &inside(entry); });
            else if constexpr (is_nested<R>)
                read_some(row.table, Of<inside_of<typename R::type>>::rows,
                          [&](Entry &entry) { return place_for(inside(entry).*row.member); });
            else if constexpr (is_several<R>)
                read_items(row, inside);
        });
    }

  private:
    static constexpr int first_column =
        2;  // behind the id and the entry's index, or the entry's index and the position

    template <class Rows, class Place>
    void read_some(const Table &table, const Rows &rows, Place place) {
        if (table.since > version_)
            return;
        each_row_beside(database_, table.name, most_, entries_.size(), [&](Statement &row, uint64_t entry) {
            auto *into = place(entries_[entry]);
            if (into == nullptr)
                return database_.problem(fmt::format("{} has a row for {}, which fits nowhere", table.name, entry));
            int column = first_column;
            get_all(row, column, rows, *into);
        });
    }
    template <class In, class Item, class Inside>
    void read_items(const Several<In, Item> &row, Inside inside) {
        if (row.table.since > version_)
            return;
        if (row.items == Items::in_order)
            return read_in_order(row, inside);
        each_row_beside(database_, row.table.name, row.most, entries_.size(), [&](Statement &from, uint64_t entry) {
            add_item(from, (inside(entries_[entry]).*row.member).emplace_back());
        });
    }
    template <class In, class Item, class Inside>
    void read_in_order(const Several<In, Item> &row, Inside inside) {
        const char *table = row.table.name;
        Statement from(database_, fmt::format("SELECT * FROM {} ORDER BY {}, position", table, row.table.entry));
        for (size_t count = 0; from.next(); ++count) {
            if (count >= row.most)
                return database_.problem(fmt::format("{} has more than {} rows", table, row.most));
            const uint64_t entry = from.bits(0);
            if (entry >= entries_.size() || from.bits(1) != (inside(entries_[entry]).*row.member).size())
                return database_.problem(
                    fmt::format("{} has a row for {} {} that fits nowhere", table, row.table.entry, entry));
            add_item(from, (inside(entries_[entry]).*row.member).emplace_back());
        }
    }
    template <class Item>
    static void add_item(Statement &from, Item &item) {
        int column = first_column;
        if constexpr (std::is_same_v<Item, uint32_t>)
            item = from.number<uint32_t>(column);
        else
            get_all(from, column, Of<Item>::rows, item);
    }
    template <class Type>
    static Type *place_for(std::optional<Type> &value) {
        return value ? nullptr : &value.emplace();
    }
    template <class Type>
    static Type *place_for(Type &value) {
        return &value;
    }
    std::vector<Entry> &entries_;
    size_t most_;
    uint64_t version_;
    Database &database_;
};

template <class Entry>
void read_list(const ListRow<Entry> &list, uint64_t version, std::vector<Entry> &entries, Database &database) {
    if (list.since > version)
        return;
    each_row(database, list.name, list.most, [&](Statement &row) {
        int column = 1;
        get_all(row, column, Of<Entry>::rows, entries.emplace_back(), Which::without_errors);
    });
    BesideReader(entries, list.most, version, database).read(Of<Entry>::rows, [](Entry &entry) -> Entry & {
        return entry;
    });
}

}  // namespace

void add_text(TableText text, std::vector<TableText> &tables) {
    const auto behind = std::ranges::upper_bound(tables, text.since, {}, &TableText::since);
    tables.insert(behind, std::move(text));
}

std::vector<TableText> profile_tables() {
    Tables tables;
    fields::each_row(profile_lists, [&](const auto &list) { tables.add(list); });
    tables.add(coverage_table);
    return tables.take();
}

void write_lists(const Profile &profile, Database &database) {
    each_list([&](const auto &list, const auto &entries) { write_list(list, entries, database); }, profile);
    write_list(coverage_table, {profile.coverage}, database);
}

void read_lists(Database &database, uint64_t version, Profile &profile) {
    each_list([&](const auto &list, auto &entries) { read_list(list, version, entries, database); }, profile);
    std::vector<Coverage> coverage;
    read_list(coverage_table, version, coverage, database);
    if (!coverage.empty())
        profile.coverage = coverage.front();
}

}  // namespace thalweg::model::sqlite
