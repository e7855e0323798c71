// runtime: calls that block, made in other threads, as claims (paper tame-usenix07, section 4).
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <future>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/tame.h>

#include "tame_told.h"

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

// Says when it is gone.
struct Local {
    std::string &log;
    std::string word;
    ~Local() { log += word; }
};

// A call that lasts until the test lets it go on.
class Gate {
  public:
    ~Gate() {
        while (left_ != entered)
            std::this_thread::yield();
    }
    void wait() {
        ++entered;
        opened_.wait(false);
        ++left_;
    }
    void open() {
        opened_ = true;
        opened_.notify_all();
    }
    void wait_until_entered(int count = 1) const {
        while (entered < count)
            std::this_thread::yield();
    }
    std::atomic<int> entered{0};

  private:
    std::atomic<bool> opened_{false};
    std::atomic<int> left_{0};
};

size_t count_threads() { return detail::Workers::all().count(); }

tamed<> asks(std::thread::id &made_in, std::thread::id &went_on_in, int &result) {
    result = co_await blocking([&] {
        made_in = std::this_thread::get_id();
        return 7;
    });
    went_on_in = std::this_thread::get_id();
}

TEST(Blocking, IsMadeInAnotherThreadAndGoesOnInTheLoops) {
    thalweg::Loop loop;
    std::thread::id made_in, went_on_in;
    int result = 0;
    const tamed<> asking = asks(made_in, went_on_in, result);
    EXPECT_FALSE(asking.has_returned());
    while (!asking.has_returned())
        loop.run_once();
    EXPECT_EQ(result, 7);
    EXPECT_NE(made_in, std::this_thread::get_id());
    EXPECT_EQ(went_on_in, std::this_thread::get_id());
}

tamed<> catches(std::string &log) {
    try {
        co_await blocking([]() -> int { throw std::runtime_error("no"); });
        log += "not reached";
    } catch (const std::runtime_error &error) {
        log += error.what();
    }
    co_await blocking([] {});
    log += " and on";
}

TEST(Blocking, ThrowsToTheOneWhoWaits) {
    thalweg::Loop loop;
    std::string log;
    const tamed<> waiting = catches(log);
    while (!waiting.has_returned())
        loop.run_once();
    EXPECT_EQ(log, "no and on");
}

TEST(Blocking, LetsManyBeMadeAtOnceAndAMoveOnlyResultThrough) {
    thalweg::Loop loop;
    constexpr int many = 200;
    int sum = 0, returned = 0;
    for (int i = 0; i < many; ++i)
        [](int own, int &total, int &count) -> tamed<> {
            total += *co_await blocking([own] { return std::make_unique<int>(own); });
            ++count;
        }(i, sum, returned);
    while (returned < many)  // NOLINT(bugprone-infinite-loop): the functions count
        loop.run_once();
    EXPECT_EQ(sum, many * (many - 1) / 2);
}

tamed<> waits_at(Gate &gate, std::string &log) {
    const Local local{log, "inner "};
    co_await blocking([&] { gate.wait(); });
    log += "not reached";
}

tamed<> waits_for_that(Gate &gate, std::string &log) {
    const Local local{log, "outer "};
    co_await waits_at(gate, log);
    log += "not reached";
}

TEST(Blocking, EndsWithTheLoopButNotBeforeTheCall) {
    Gate gate;
    std::string log;
    std::thread opens;
    {
        const thalweg::Loop loop;
        waits_for_that(gate, log);
        gate.wait_until_entered();
        opens = std::thread([&] {
            std::this_thread::sleep_for(5ms);
            log += "over ";
            gate.open();
        });
    }
    EXPECT_EQ(log, "over inner outer ");
    opens.join();
}

TEST(Blocking, EndsWithTheLoopWhereTheCallIsOverAndNotToldOfYet) {
    std::string log;
    std::atomic<bool> over = false;
    {
        const thalweg::Loop loop;
        [](std::string &written, std::atomic<bool> &flag) -> tamed<> {
            const Local local{written, "gone"};
            co_await blocking([&] { flag = true; });
            written += "not reached ";
        }(log, over);
        while (!over)
            std::this_thread::yield();
        std::this_thread::sleep_for(2ms);
    }
    EXPECT_EQ(log, "gone");
}

// ---- tfork ----

TEST(Tfork, TriggersWithTheResultInTheLoopsThread) {
    thalweg::Loop loop;
    rendezvous<> r;
    std::string result;
    tfork([] { return "text"; }, event<std::string>(mkevent(r, result)));
    EXPECT_FALSE(r.has_occurred());
    while (!r.has_occurred())
        loop.run_once();
    EXPECT_EQ(result, "text");
}

TEST(Tfork, GivesWhatIsThrownToAnEventThatTakesIt) {
    thalweg::Loop loop;
    gather all;
    std::exception_ptr thrown, none = std::make_exception_ptr(1), of_nothing;
    int result = 5, other = 0;
    tfork([]() -> int { throw std::runtime_error("no"); }, mkevent(all, thrown, result));
    tfork([] { return 3; }, mkevent(all, none, other));
    tfork([] { throw std::runtime_error("neither"); }, mkevent(all, of_nothing));
    while (all.is_pending())
        loop.run_once();
    EXPECT_THROW(std::rethrow_exception(thrown), std::runtime_error);
    EXPECT_EQ(result, 0);
    EXPECT_FALSE(none);
    EXPECT_EQ(other, 3);
    EXPECT_THROW(std::rethrow_exception(of_nothing), std::runtime_error);
}

TEST(Tfork, ThrowsOutOfTheTurnWhereTheEventDoesNotTakeIt) {
    const Told told;
    thalweg::Loop loop;
    gather all;
    tfork([] { throw std::runtime_error("no"); }, mkevent(all));
    EXPECT_THROW(loop.run_once(), std::runtime_error);
    EXPECT_FALSE(all.is_pending());
    ASSERT_EQ(Told::reports.size(), 1u);
    EXPECT_EQ(Told::reports[0].what, mistake::never_triggered);
}

TEST(Tfork, AResultThatNobodyWaitsForIsHarmless) {
    const Told told;
    thalweg::Loop loop;
    Gate gate;
    int result = 0;
    {
        rendezvous<> r;
        tfork(
            [&] {
                gate.wait();
                return 5;
            },
            mkevent(r, result));
        gate.wait_until_entered();
        r.cancel();
    }
    gate.open();
    std::this_thread::sleep_for(2ms);
    loop.poll();
    EXPECT_EQ(result, 0);
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Tfork, AResultThatIsOnItsWayWhenNobodyWaitsAnyMoreIsHarmless) {
    thalweg::Loop loop;
    std::atomic<bool> over = false;
    int result = 0;
    {
        rendezvous<> r;
        tfork(
            [&] {
                over = true;
                return 5;
            },
            mkevent(r, result));
        while (!over)
            std::this_thread::yield();
        std::this_thread::sleep_for(2ms);
        r.cancel();
    }
    loop.poll();
    EXPECT_EQ(result, 0);
}

TEST(Tfork, WhenTheLoopGoesTheEventIsToldOfAndTheCallIsNobodys) {
    const Told told;
    Gate gate;
    const auto kept = std::make_shared<int>(1);
    gather all;
    {
        const thalweg::Loop loop;
        tfork([&gate, kept] { gate.wait(); }, mkevent(all));
        gate.wait_until_entered();
    }
    ASSERT_EQ(Told::reports.size(), 1u);
    EXPECT_EQ(Told::reports[0].what, mistake::never_triggered);
    gate.open();
    while (kept.use_count() != 1)
        std::this_thread::yield();
}

TEST(Tfork, WithoutAnEventMakesNoCall) {
    const thalweg::Loop loop;
    bool made = false;
    tfork([&] { made = true; }, event<>());
    EXPECT_FALSE(made);
}

TEST(Tfork, ManyThreadsWithLoopsOfTheirOwnShareThePool) {
    std::vector<std::thread> threads;
    std::atomic<int> sum = 0;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            thalweg::Loop loop;
            gather all;
            std::vector<int> results(50);
            for (int j = 0; j < 50; ++j)
                tfork([j] { return j; }, mkevent(all, results[static_cast<size_t>(j)]));
            while (all.is_pending())
                loop.run_once();
            for (const int result : results)
                sum += result;
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(sum, 4 * 49 * 50 / 2);
}

// ---- the pool ----

// The process's limits while it lives. At first there are no threads.
class Limits {
  public:
    explicit Limits(size_t threads) {
        set_thread_limits({threads, 0ns});
        while (count_threads() > 0)
            std::this_thread::yield();
        set_thread_limits({threads, 10s});
    }
    ~Limits() { set_thread_limits({}); }
};

TEST(Workers, AreNoMoreThanTheirLimitAndTheOthersWaitForTheirTurn) {
    thalweg::Loop loop;
    const Limits limits(2);
    Gate gate;
    gather all;
    for (int i = 0; i < 5; ++i)
        tfork([&] { gate.wait(); }, mkevent(all));
    gate.wait_until_entered(2);
    std::this_thread::sleep_for(5ms);
    EXPECT_EQ(gate.entered, 2);
    EXPECT_EQ(count_threads(), 2u);
    gate.open();
    while (all.is_pending())
        loop.run_once();
    EXPECT_EQ(gate.entered, 5);
}

TEST(Workers, ACallThatHasNotBegunAndNobodyWaitsForIsNotMade) {
    thalweg::Loop loop;
    const Limits limits(1);
    Gate gate;
    gather all;
    bool made = false;
    tfork([&] { gate.wait(); }, mkevent(all));
    gate.wait_until_entered();
    {
        rendezvous<> r;
        tfork([&] { made = true; }, mkevent(r));
        r.cancel();
    }
    tfork([&] { gate.wait(); }, mkevent(all));
    gate.open();
    while (all.is_pending())
        loop.run_once();
    EXPECT_FALSE(made);
    EXPECT_EQ(gate.entered, 2);
}

TEST(Workers, AreUsedAgainAndEndWhenTheyAreIdle) {
    thalweg::Loop loop;
    const Limits limits(8);
    for (int i = 0; i < 20; ++i) {
        gather all;
        tfork([] {}, mkevent(all));
        while (all.is_pending())
            loop.run_once();
        std::this_thread::sleep_for(100us);  // so that it is idle
    }
    EXPECT_LE(count_threads(), 2u);
    set_thread_limits({8, 0ns});
    while (count_threads() > 0)
        std::this_thread::yield();
}

TEST(Workers, TakeNoSignalsOfTheProcess) {
    thalweg::Loop loop;
    gather all;
    bool is_blocked = false;
    tfork(
        [] {
            sigset_t set;
            pthread_sigmask(SIG_BLOCK, nullptr, &set);
            return sigismember(&set, SIGUSR2) == 1 && sigismember(&set, SIGSEGV) == 0;
        },
        mkevent(all, is_blocked));
    while (all.is_pending())
        loop.run_once();
    EXPECT_TRUE(is_blocked);
    sigset_t own;
    pthread_sigmask(SIG_BLOCK, nullptr, &own);
    EXPECT_EQ(sigismember(&own, SIGUSR2), 0);
}

// ---- with the others ----

tamed<> races(Gate &gate, bool &in_time) {
    gather all;
    tfork([&] { gate.wait(); }, add_timeout(1ms, event<bool>(mkevent(all, in_time))));
    co_await all;
}

TEST(Tfork, TakesATimeLimit) {
    const Told told;
    thalweg::Loop loop;
    Gate gate;
    bool in_time = true;
    const tamed<> racing = races(gate, in_time);
    while (!racing.has_returned())
        loop.run_once();
    EXPECT_FALSE(in_time);
    gate.open();
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Tfork, IsNotOvertakenByVirtualTime) {
    thalweg::Loop loop;
    const virtual_time time;
    bool in_time = false;
    gather all;
    tfork([] { std::this_thread::sleep_for(2ms); }, add_timeout(1h, event<bool>(mkevent(all, in_time))));
    while (all.is_pending())
        loop.run_once();
    EXPECT_TRUE(in_time);
    EXPECT_EQ(time.elapsed(), 0ns);
}

// ---- a real one: the C library's resolver ----

tamed<std::string> address_of(const char *name) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_family = AF_INET;
    const int failed = co_await blocking([&] { return getaddrinfo(name, nullptr, &hints, &found); });
    if (failed != 0)
        co_return gai_strerror(failed);
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
    char text[NI_MAXHOST];
    getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof(text), nullptr, 0, NI_NUMERICHOST);
    co_return text;
}

tamed<> looks_up(const char *name, std::string &address) { address = co_await address_of(name); }

TEST(Blocking, LooksUpNamesWithTheCLibrary) {
    thalweg::Loop loop;
    std::string local, none;
    const tamed<> one = looks_up("localhost", local), other = looks_up("no such name", none);
    while (!one.has_returned() || !other.has_returned())
        loop.run_once();
    EXPECT_EQ(local, "127.0.0.1");
    EXPECT_EQ(none, gai_strerror(EAI_NONAME));
}

}  // namespace
