// model: a thin, exception-free face of SQLite on bytes in memory; private to this room.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include <sqlite3.h>

#include "base/result.h"

namespace thalweg::model::sqlite {

// Bytes that are no text.
struct Blob {
    std::string_view bytes;
};

// A database in memory. The first failure of anything done with it is kept; what follows does nothing.
class Database {
  public:
    Database();                                 // empty
    explicit Database(std::string_view bytes);  // of a file; read only, distrusted

    void run(const std::string &statement);
    void problem(std::string text) {
        if (problem_.empty())
            problem_ = std::move(text);
    }
    bool failed() const { return !problem_.empty(); }
    const std::string &problem() const { return problem_; }
    std::string bytes();
    sqlite3 *handle() { return handle_.get(); }
    void check(int code);

    // Of a file that was not tampered with, all rows and all text together are no more than its bytes; a tree of pages
    // that point to each other in hostile ways could deliver without end. False, and a problem, when that is so.
    bool spend(size_t bytes);

  private:
    struct Close {
        void operator()(sqlite3 *handle) const { sqlite3_close(handle); }
    };
    std::unique_ptr<sqlite3, Close> handle_;
    std::string problem_;
    size_t left_to_read_ = 0;
};

// One statement, executed once (next) or once a row (insert).
class Statement {
  public:
    Statement(Database &database, const std::string &text);
    Statement(const Statement &) = delete;
    Statement &operator=(const Statement &) = delete;
    ~Statement() { sqlite3_finalize(handle_); }

    template <class... Values>
    void insert(const Values &...values) {
        (put(values), ...);
        insert();
    }
    // The same, value by value.
    template <class Value>
    void put(const Value &value) {
        if (!database_.failed())
            bind(++put_, value);
    }
    void insert() {
        put_ = 0;
        if (database_.failed())
            return;
        database_.check(sqlite3_step(handle_));
        sqlite3_reset(handle_);
    }
    int columns() const { return sqlite3_column_count(handle_); }

    bool next();
    std::string text(int column);
    std::string blob(int column);
    bool is_null(int column) { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }
    uint64_t bits(int column);  // any 64 bits
    template <class Number>
    Number number(int column) {
        int64_t value = static_cast<int64_t>(bits(column));
        constexpr auto largest = static_cast<uint64_t>(std::numeric_limits<Number>::max());
        if (value >= 0 && static_cast<uint64_t>(value) <= largest)
            return static_cast<Number>(value);
        out_of_range(column, value);
        return Number{};
    }

  private:
    void bind(int at, const std::string &text);
    void bind(int at, Blob blob);
    void bind(int at, uint64_t value);
    void out_of_range(int column, int64_t value);
    Database &database_;
    sqlite3_stmt *handle_ = nullptr;
    int put_ = 0;
};

// Inserts whole rows.
Statement insert_into(Database &database, const char *table);

}  // namespace thalweg::model::sqlite
