// examples: SQLite, whose calls block, for tamed functions.
#pragma once

#include <cstddef>
#include <functional>
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

    // `name(text)` in SQL: a plain function. It may wait, in a statement that runs on a fiber; what it throws ends the statement.
    using Function = std::function<std::string(const std::string &)>;
    void add_function(const std::string &name, Function function) {
        check(sqlite3_create_function_v2(
            connection_, name.c_str(), 1, SQLITE_UTF8, std::make_unique<Function>(std::move(function)).release(), call,
            nullptr, nullptr, [](void *own) { const std::unique_ptr<Function> gone(static_cast<Function *>(own)); }));
    }

    // In the caller's thread, or its fiber. One statement at a time: SQLite is in the middle of it while a function of it waits.
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

  private:
    // SQLite's own functions must not be left by an exception.
    static void call(sqlite3_context *context, int, sqlite3_value **values) noexcept {
        const auto *text = reinterpret_cast<const char *>(sqlite3_value_text(values[0]));
        try {
            const std::string given = (*static_cast<Function *>(sqlite3_user_data(context)))(text ? text : "");
            sqlite3_result_text(context, given.c_str(), -1, SQLITE_TRANSIENT);
        } catch (...) {
            sqlite3_result_error(context, "a function of the statement has ended early", -1);
        }
    }
    void check(int status) {
        if (status != SQLITE_OK)
            throw std::runtime_error(sqlite3_errmsg(connection_));
    }

    sqlite3 *connection_ = nullptr;
};

}  // namespace waits
