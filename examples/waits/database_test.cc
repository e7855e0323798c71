// examples: a database whose calls block, as claims.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "database.h"
#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/fiber.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;
using waits::Database;

class File : public testing::Test {
  protected:
    File() { close(mkstemp(name.data())); }
    ~File() override { std::remove(name.c_str()); }
    void run_until(const bool &done) {
        while (!done)
            loop.run_once();
    }
    std::string name = testing::TempDir() + "waits-XXXXXX";
    thalweg::Loop loop;
};
using WaitsDatabase = File;

tamed<> counts(Database &database, std::string &log, bool &done) {
    co_await database.run("CREATE TABLE t(x)");
    for (int i = 0; i < 10; ++i) {
        const std::vector<std::string> values(1, std::to_string(i));  // gcc 12 takes no list in what is awaited
        co_await database.run("INSERT INTO t VALUES(?1)", values);
    }
    const auto rows = co_await database.run("SELECT count(*), sum(x) FROM t");
    log = rows.at(0).at(0) + " " + rows.at(0).at(1);
    done = true;
}

TEST_F(WaitsDatabase, GivesItsRows) {
    Database database(name);
    std::string log;
    bool done = false;
    counts(database, log, done);
    run_until(done);
    EXPECT_EQ(log, "10 45");
}

tamed<> fails(Database &database, std::string &log, bool &done) {
    try {
        co_await database.run("SELECT x FROM nowhere");
    } catch (const std::runtime_error &error) {
        log = error.what();
    }
    done = true;
}

TEST_F(WaitsDatabase, ThrowsItsErrors) {
    Database database(name);
    std::string log;
    bool done = false;
    fails(database, log, done);
    run_until(done);
    EXPECT_EQ(log, "no such table: nowhere");
}

tamed<> holds_the_lock(Database &database, std::string &log) {
    co_await database.run("BEGIN EXCLUSIVE");
    log += "begun ";
    co_await pause_for(20ms);
    log += "ends ";
    co_await database.run("CREATE TABLE t(x)");
    co_await database.run("COMMIT");
}

tamed<> is_locked_out(Database &database, std::string &log, bool &done) {
    while (log.empty())
        co_await pause_for(1ms);
    log += "asks ";
    co_await database.run("INSERT INTO t VALUES(1)");
    log += "written";
    done = true;
}

// SQLite sleeps until the other connection's transaction is over; the loop that ends it does not.
TEST_F(WaitsDatabase, WaitsForALockWithoutHoldingUpTheLoop) {
    Database one(name), other(name);
    std::string log;
    bool done = false;
    holds_the_lock(one, log);
    is_locked_out(other, log, done);
    run_until(done);
    EXPECT_EQ(log, "begun asks ends written");
}

// ---- events as what SQLite calls back ----

class SqliteCallback : public testing::Test {
  protected:
    SqliteCallback() { sqlite3_open(":memory:", &connection); }
    ~SqliteCallback() override { sqlite3_close(connection); }
    int run(const char *statement) { return sqlite3_exec(connection, statement, nullptr, nullptr, nullptr); }
    sqlite3 *connection = nullptr;
};

TEST_F(SqliteCallback, TellsOfAChangedRow) {
    ASSERT_EQ(run("CREATE TABLE t(x)"), SQLITE_OK);
    rendezvous<> r;
    int what = 0;
    std::string base, table;
    sqlite3_int64 row = 0;
    const c_callback<void (*)(void *, int, const char *, const char *, sqlite3_int64)> hook{
        mkevent(r, what, base, table, row)};
    sqlite3_update_hook(connection, hook.function(), hook.context());
    EXPECT_EQ(run("INSERT INTO t(rowid, x) VALUES(7, 1), (8, 1)"), SQLITE_OK);
    EXPECT_TRUE(r.has_occurred());
    EXPECT_EQ(what, SQLITE_INSERT);
    EXPECT_EQ(table, "t");
    EXPECT_EQ(row, 7) << "the first";
    sqlite3_update_hook(connection, nullptr, nullptr);
}

TEST_F(SqliteCallback, GivesTheLibraryItsResult) {
    gather all;
    constexpr int ends = 1;
    const c_callback<int (*)(void *)> progress{mkevent(all), ends};
    sqlite3_progress_handler(connection, 1, progress.function(), progress.context());
    EXPECT_EQ(run("CREATE TABLE t(x)"), SQLITE_INTERRUPT);
    EXPECT_FALSE(all.is_pending());
}

TEST_F(SqliteCallback, OfOneCallIsTheLibrarysDestructor) {
    gather all;
    c_callback<void (*)(void *)> destroyed{mkevent(all)};
    void (*const function)(void *) = destroyed.one_call();
    const auto nothing = [](sqlite3_context *, int, sqlite3_value **) {};
    ASSERT_EQ(sqlite3_create_function_v2(connection, "f", 0, SQLITE_UTF8, destroyed.give_away(), nothing, nullptr,
                                         nullptr, function),
              SQLITE_OK);
    EXPECT_TRUE(all.is_pending());
    sqlite3_create_function_v2(connection, "f", 0, SQLITE_UTF8, nullptr, nullptr, nullptr, nullptr, nullptr);
    EXPECT_FALSE(all.is_pending());
}

// ---- statements on fibers, whose functions wait in the middle of SQLite ----

std::string answers_in_an_hour(const std::string &question) {
    wait(pause_for(1h));
    return question + "!";
}

TEST(WaitsInAStatement, LetsOtherStatementsGoOn) {
    const thalweg::Loop loop;
    const virtual_time time;
    Database one(":memory:"), two(":memory:");
    one.add_function("ask", answers_in_an_hour);
    two.add_function("ask", answers_in_an_hour);
    tamed<std::vector<Database::Row>> first = on_fiber([&] { return one.run_here("SELECT ask('a') || ask('b')", {}); });
    EXPECT_FALSE(first.has_returned());
    EXPECT_EQ(wait(on_fiber([&] { return two.run_here("SELECT ask('c')", {}); })).at(0).at(0), "c!");
    EXPECT_EQ(time.elapsed(), 1h);
    EXPECT_EQ(wait(std::move(first)).at(0).at(0), "a!b!");
    EXPECT_EQ(time.elapsed(), 2h);
}

TEST(WaitsInAStatement, EndsTheStatementWhereTheLoopIsGone) {
    Database database(":memory:");
    database.add_function("ask", answers_in_an_hour);
    std::string log;
    {
        const thalweg::Loop loop;
        on_fiber([&] {
            try {
                database.run_here("SELECT ask('a')", {});
            } catch (const std::runtime_error &error) {
                log = error.what();
            }
        });
        EXPECT_EQ(log, "");
    }
    EXPECT_EQ(log, "a function of the statement has ended early");
    EXPECT_EQ(database.run_here("SELECT 1", {}).at(0).at(0), "1") << "the connection is whole";
}

}  // namespace
