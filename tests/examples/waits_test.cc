// tests: the examples of functions that wait do what they say, in a loop of each kind.
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <netdb.h>
#include <optional>
#include <sqlite3.h>
#include <string>
#include <sys/socket.h>
#include <vector>

#include <thalweg/tame/fiber.h>
#include <thalweg/tame/file.h>
#include <thalweg/tame/lookup.h>

#include "lookup/name_server_test.h"
#include "loops_test.h"

// An example is indented as where it stands.
#pragma GCC diagnostic ignored "-Wmisleading-indentation"

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;
using thalweg::examples::kind_of;

class WaitExamples : public thalweg::examples::Loops {};
INSTANTIATE_TEST_SUITE_P(Kinds, WaitExamples, testing::Values("io_uring", "epoll"), kind_of);

// ---- what the examples call ----

using address = int;
const std::vector<std::string> names = {"a", "bb", "ccc"};
const std::vector<address> right = {1, 2, 3};
constexpr int n = 3, window = 2;

void gethost_ev(const std::string &name, event<address> done) {
    timer(1ms, bind(std::move(done), static_cast<address>(name.size())));
}
template <class... Values>
void gethost(const std::string &name, const event<Values...> &done) {
    gethost_ev(name, done);
}
tamed<address> gethost(std::string name) {
    co_await pause_for(1ms);
    co_return static_cast<address>(name.size());
}
tamed<address> resolve(std::string name) { co_return co_await gethost(std::move(name)); }
int count_rows(const std::string &file) { return static_cast<int>(file.size()); }

// ---- events and what is waited for ----

TEST_P(WaitExamples, event) {
#include "tame_event_h_1.inc"
    EXPECT_EQ(i, 100);
    run([](rendezvous<> &occurred) -> tamed<> { co_await occurred; }(r));
}

tamed<> one_of_two() {
    const std::string name = "four";
    address address = 0;
#include "tame_rendezvous_h_1.inc"
    EXPECT_TRUE(found);
    EXPECT_EQ(address, 4);
    r.cancel();
}
TEST_P(WaitExamples, rendezvous) { run(one_of_two()); }

tamed<> all_at_once() {
    std::vector<address> addresses(n);
#include "tame_rendezvous_h_2.inc"
    EXPECT_EQ(addresses, right);
}
TEST_P(WaitExamples, gather) { run(all_at_once()); }

tamed<> dropped() {
#include "tame_lenient_h_1.inc"
    (void)mkevent(all);
    (void)mkevent(r, 7);
    (void)mkevent(all_without_a_word);
    co_await all;
    EXPECT_EQ(co_await r, 7);
    co_await all_without_a_word;
}
TEST_P(WaitExamples, lenient) {
    set_reporter(nullptr);
    run(dropped());
    set_reporter(report_on_stderr);
}

tamed<> inside_of_the_trigger() {
#include "tame_prompt_h_1.inc"
    mkevent(all).trigger();
    co_await all;
    mkevent(r, 7).trigger();
    EXPECT_EQ(co_await r, 7);
}
TEST_P(WaitExamples, prompt) { run(inside_of_the_trigger()); }

tamed<> in_the_order_of_their_delays() {
    rendezvous<int> r;
#include "tame_turn_timer_h_1.inc"
    EXPECT_EQ(co_await r, 1);
    EXPECT_EQ(co_await r, 2);
}
TEST_P(WaitExamples, turn_timer) { run(in_the_order_of_their_delays()); }

void read(const std::string &file, event<std::string> done) { timer(1ms, bind(std::move(done), file)); }
tamed<> relayed() {
    gather all, one, other;
    std::string text, file = "x";
    const auto count = [] { return size_t{12}; };
#include "tame_relays_h_1.inc"
    std::raise(SIGTERM);
    co_await one;
    co_await other;
    co_await all;
    EXPECT_TRUE(text == "12" || text == "x") << text;
}
TEST_P(WaitExamples, relays) { run(relayed()); }

tamed<> called_back() {
    sqlite3 *db = nullptr;
    sqlite3_open(":memory:", &db);
    gather all;
    {
#include "tame_callback_h_1.inc"
        EXPECT_EQ(
            sqlite3_exec(
                db, "with recursive c(i) as (select 1 union all select i+1 from c where i<100000) select max(i) from c",
                nullptr, nullptr, nullptr),
            SQLITE_INTERRUPT);
    }
    co_await all;
    sqlite3_close(db);
}
TEST_P(WaitExamples, callback) { run(called_back()); }

// ---- functions, threads, fibers ----

tamed<> resolved() {
    const std::string name = "four";
#include "tame_tamed_h_1.inc"
    EXPECT_EQ(a, 4);
}
TEST_P(WaitExamples, tamed) { run(resolved()); }

tamed<> in_another_thread() {
    const char *name = "127.0.0.1";
#include "tame_threads_h_1.inc"
    EXPECT_EQ(failed, 0);
    if (failed == 0)
        freeaddrinfo(found);
}
TEST_P(WaitExamples, blocking) { run(in_another_thread()); }

tamed<> forked() {
    gather all;
    int rows = 0;
    const std::string file = "12345";
#include "tame_threads_h_2.inc"
    co_await all;
    EXPECT_EQ(rows, 5);
}
TEST_P(WaitExamples, tfork) { run(forked()); }

tamed<> on_a_stack_of_its_own() {
    const std::string file = "12345";
    gather served;
    std::optional<event<>> peer = mkevent(served);
    const auto serve = [](std::optional<event<>> &one) {
        wait(pause_for(1ms));
        one->trigger();
    };
#include "tame_fiber_h_1.inc"
    co_await served;
    EXPECT_EQ(rows, 5);
}
TEST_P(WaitExamples, fiber) { run(on_a_stack_of_its_own()); }

namespace in_wait_h {
#include "tame_wait_h_1.inc"
}
TEST_P(WaitExamples, wait) {
    end_loop();
    thalweg::Loop loop;
    const virtual_time time;
    EXPECT_EQ(in_wait_h::mysleep(3), 3);
    EXPECT_EQ(time.elapsed(), 3s);
}

bool has_slept = false;
tamed<> sleeps(std::chrono::hours hours) {
    co_await pause_for(hours);
    has_slept = true;
}
TEST_P(WaitExamples, virtual_time) {
    end_loop();
    has_slept = false;
#include "tame_virtual_time_h_1.inc"
    EXPECT_TRUE(has_slept);
    EXPECT_EQ(time.elapsed(), 1h);
}

// ---- locks, files, names ----

tamed<> alone(lock &l) {
#include "tame_lock_h_1.inc"
    EXPECT_TRUE(hold);
}
tamed<> shared(lock &l) {
#include "tame_lock_h_2.inc"
    EXPECT_TRUE(hold);
}
tamed<> by_an_event(lock &l) {
    gather all;
#include "tame_lock_h_3.inc"
}
TEST_P(WaitExamples, lock) {
    lock l;
    for (auto *function : {alone, shared, by_an_event, alone})
        run(function(l));
}

tamed<> reads_a_file() {
#include "tame_file_h_1.inc"
    EXPECT_EQ(std::string(bytes.data(), got.size), "<p>");
}
TEST_P(WaitExamples, file) {
    const std::filesystem::path before = std::filesystem::current_path();
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("examples" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    std::filesystem::current_path(folder);
    std::ofstream("index.html") << "<p>";
    run(reads_a_file());
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
}

const thalweg::lookup::NameServer *server = nullptr;
namespace with_a_server {
struct resolver : thalweg::tame::resolver {
    resolver() : thalweg::tame::resolver(options()) {}
    static resolver_options options() {
        resolver_options wanted;
        wanted.servers = {server->name()};
        wanted.search = false;
        return wanted;
    }
};
tamed<> looks_up() {
#include "tame_lookup_h_1.inc"
    EXPECT_EQ(found.addresses.at(0).text(), "10.0.0.9");
}
tamed<> looks_up_all() {
    resolver names;
    const std::vector<std::string> hosts = {"example.org", "none.example.org"};
    std::vector<looked_up> found(2);
    gather all;
#include "tame_lookup_h_2.inc"
    co_await all;
    EXPECT_TRUE(found[0]);
    EXPECT_FALSE(found[1]);
}
}  // namespace with_a_server
TEST_P(WaitExamples, lookup) {
    const thalweg::lookup::NameServer own("10.0.0.9 example.org\n", thalweg::lookup::free_port(), "example.org");
    server = &own;
    run(with_a_server::looks_up());
    run(with_a_server::looks_up_all());
}

// ---- docs/WAITS.md and docs/TAME.md ----

tamed<> one_after_the_other() {
    const auto &name = names;
    std::vector<address> a(n);
#include "WAITS_md_1.inc"
    EXPECT_EQ(a, right);
}
tamed<> all_of_them() {
    const auto &name = names;
    std::vector<address> a(n);
#include "WAITS_md_2.inc"
    EXPECT_EQ(a, right);
}
tamed<> so_many_at_a_time() {
    const auto &name = names;
    std::vector<address> a(n);
#include "WAITS_md_3.inc"
    EXPECT_EQ(a, right);
}
tamed<> with_a_limit() {
    const std::string name = "four";
    address a = 0;
#include "WAITS_md_4.inc"
    EXPECT_TRUE(ok);
    EXPECT_EQ(a, 4);
}
namespace in_a_thread {
#include "WAITS_md_5.inc"
}
namespace in_a_plain_function {
#include "WAITS_md_6.inc"
}
#include "WAITS_md_7.inc"
TEST_P(WaitExamples, of_the_paper) {
    for (auto *function : {one_after_the_other, all_of_them, so_many_at_a_time, with_a_limit})
        run(function());
    run([]() -> tamed<> {
        const hostent *found = co_await in_a_thread::gethost("127.0.0.1");
        EXPECT_TRUE(found && found->h_length == 4);
    }());
    run(report("12345"));
    end_loop();
    thalweg::Loop loop;
    const virtual_time time;
    EXPECT_EQ(in_a_plain_function::mysleep(3), 3);
}

namespace from_tame {
using dnsname = int;
using ipaddr = int;
void gethost_ev(dnsname name, event<ipaddr> done) { timer(1ms, bind(std::move(done), name + 1)); }
event<ipaddr> add_timeout(event<bool, ipaddr> done) { return thalweg::tame::add_timeout(10s, std::move(done)); }
#include "TAME_md_1.inc"
}  // namespace from_tame
TEST_P(WaitExamples, coming_over_from_tame) {
    testing::internal::CaptureStdout();
    run([]() -> tamed<> {
        gather all;
        from_tame::lookup(7, mkevent(all));
        co_await all;
    }());
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "7 is at 8\n");
}

}  // namespace
