// examples: SQLite, whose calls block, for tamed functions.
#pragma once

#include <cstddef>
#include <memory>
#include <sqlite3.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/tame.h>

namespace waits {

// A connection. Each statement is made in another thread, one after the other; meanwhile the caller's thread goes on.
class Database {
  public:
    using Row = std::vector<std::string>;

    explicit Database(std::string file, int busy_ms = 10'000) {
        if (sqlite3_open(file.c_str(), &connection_) == SQLITE_OK) {
            sqlite3_busy_timeout(connection_, busy_ms);
            return;
        }
        const std::runtime_error error(file + ": " + sqlite3_errmsg(connection_));
        sqlite3_close(connection_);
        throw error;
    }
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;
    ~Database() { sqlite3_close(connection_); }

    // The rows that the statement gives; ?1, ?2, ... in it are the values.
    thalweg::tame::tamed<std::vector<Row>> run(std::string statement, std::vector<std::string> values = {}) {
        co_return co_await thalweg::tame::blocking([&] { return run_here(statement, values); });
    }

  private:
    std::vector<Row> run_here(const std::string &statement, const std::vector<std::string> &values) {
        sqlite3_stmt *made = nullptr;
        check(sqlite3_prepare_v2(connection_, statement.c_str(), -1, &made, nullptr));
        const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> owner(made, sqlite3_finalize);
        for (size_t i = 0; i < values.size(); ++i)
            check(sqlite3_bind_text(made, static_cast<int>(i) + 1, values[i].c_str(), -1, SQLITE_STATIC));
        std::vector<Row> rows;
        int step = 0;
        while ((step = sqlite3_step(made)) == SQLITE_ROW) {
            Row &row = rows.emplace_back();
            for (int i = 0; i < sqlite3_column_count(made); ++i) {
                const unsigned char *text = sqlite3_column_text(made, i);
                row.emplace_back(text ? reinterpret_cast<const char *>(text) : "");
            }
        }
        if (step != SQLITE_DONE)
            throw std::runtime_error(sqlite3_errmsg(connection_));
        return rows;
    }
    void check(int status) {
        if (status != SQLITE_OK)
            throw std::runtime_error(sqlite3_errmsg(connection_));
    }

    sqlite3 *connection_ = nullptr;
};

}  // namespace waits
