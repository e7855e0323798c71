// fiber: plain functions that wait on a stack of their own, as claims.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/fiber.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#endif

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

// What is told of mistakes while it lives.
class Told {
  public:
    Told() : before_(set_reporter([](const report &told) { reports.push_back(told.what); })) { reports.clear(); }
    ~Told() { set_reporter(before_); }
    static inline std::vector<mistake> reports;

  private:
    reporter before_;
};

// A plain function, and one that calls it.
int sleeps(std::chrono::nanoseconds time) {
    gather all;
    timer(time, mkevent(all));
    wait(all);
    return 1;
}
int sleeps_twice(std::chrono::nanoseconds time) { return sleeps(time) + sleeps(time); }

TEST(Fiber, ReturnsWhatItsFunctionReturns) {
    const thalweg::Loop loop;
    const virtual_time time;
    EXPECT_EQ(wait(on_fiber([] { return sleeps_twice(1s); })), 2);
    EXPECT_EQ(time.elapsed(), 2s);
    EXPECT_EQ(*wait(on_fiber([] { return std::make_unique<int>(4); })), 4);
    EXPECT_EQ(time.elapsed(), 2s) << "what does not wait takes no turn";
}

TEST(Fiber, ThatWaitsBlocksNobodyElse) {
    const thalweg::Loop loop;
    const virtual_time time;
    std::string log;
    on_fiber([&] {
        log += "fiber ";
        sleeps(2s);
        log += "on ";
    });
    log += "caller ";
    [](std::string &written) -> tamed<> {
        co_await pause_for(1s);
        written += "task ";
    }(log);
    wait(pause_for(3s));
    EXPECT_EQ(log, "fiber caller task on ");
}

TEST(Fiber, WaitsEndInAnyOrderAndPlainOnesFromTheInnermost) {
    const thalweg::Loop loop;
    const virtual_time time;
    std::string fibers, plain;
    const auto both = [](std::string &log, int name, std::chrono::seconds wait_time) {
        return [&log, name, wait_time] {
            sleeps(wait_time);
            log += std::to_string(name);
        };
    };
    on_fiber(both(fibers, 1, 1s));
    on_fiber(both(fibers, 2, 2s));
    thalweg::Event<> one("one"), two("two");
    one.bind(both(plain, 1, 1s));
    two.bind(both(plain, 2, 2s));
    one.post();
    two.post();
    wait(pause_for(3s));
    EXPECT_EQ(fibers, "12") << "the first one's stack does not lie under the second one's";
    EXPECT_EQ(plain, "21") << "the first one has to wait until the second one is over";
}

TEST(Fiber, ManyWaitEachForItsOwn) {
    const thalweg::Loop loop;
    const virtual_time time;
    constexpr int many = 500;
    std::vector<int> order;
    for (int i = 0; i < many; ++i)
        on_fiber([&order, i] {
            for (int turn = 1; turn <= 3; ++turn)
                sleeps(std::chrono::milliseconds(1 + i * 7919 % many));
            order.push_back(1 + i * 7919 % many);
        });
    wait(pause_for(1h));
    EXPECT_EQ(order.size(), size_t{many});
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Fiber, TakesValuesIdsAndFunctionsResults) {
    const thalweg::Loop loop;
    const virtual_time time;
    const auto soon = []() -> tamed<int> {
        co_await pause_for(1s);
        co_return 5;
    };
    const int sum = wait(on_fiber([&] {
        rendezvous<int> r;
        int value = 0;
        tfork([] { return 30; }, mkevent(r, 1, value));
        const int id = wait(r);
        return id + value + wait(soon()) + wait(blocking([] { return 200; }));
    }));
    EXPECT_EQ(sum, 236);
}

TEST(Fiber, BlocksTillAnotherThreadsLoopHasAnswered) {
    std::atomic<thalweg::Loop *> there = nullptr;
    std::thread other([&] {
        thalweg::Loop own;
        there = &own;
        own.run();
    });
    while (!there)
        std::this_thread::yield();
    const thalweg::Loop loop;
    bool others_went_on = false;
    on_fiber([&] { others_went_on = true; });
    const auto asks = [&] {
        return wait_in(*there.load(), []() -> tamed<int> {
            co_await pause_for(2ms);
            co_return 7;
        });
    };
    tamed<int> answer = on_fiber(asks);
    EXPECT_FALSE(answer.has_returned()) << "the thread has gone on";
    EXPECT_EQ(wait(std::move(answer)), 7);
    there.load()->post([own = there.load()] { own->stop(); });
    other.join();
}

// ---- exceptions ----

TEST(Fiber, WhatItsFunctionThrowsReachesTheOneWhoWaits) {
    const thalweg::Loop loop;
    const virtual_time time;
    const auto fails = [] {
        sleeps(1s);
        throw std::runtime_error("no");
    };
    EXPECT_THROW(wait(on_fiber(fails)), std::runtime_error);
    std::string caught;
    wait([](const auto &function, std::string &what) -> tamed<> {
        try {
            co_await on_fiber(function);
        } catch (const std::runtime_error &error) {
            what = error.what();
        }
    }(fails, caught));
    EXPECT_EQ(caught, "no");
}

TEST(Fiber, WhatIsThrownToAWaitIsCaughtOnTheFiber) {
    const thalweg::Loop loop;
    const virtual_time time;
    const auto fails = []() -> tamed<> {
        co_await pause_for(1s);
        throw std::runtime_error("soon");
    };
    const auto catches = [&]() -> std::string {
        try {
            wait(fails());
        } catch (const std::runtime_error &error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(wait(on_fiber(catches)), "soon");
}

TEST(Fiber, ThatWaitsWhileItHandlesAnExceptionHasItsOwn) {
    const thalweg::Loop loop;
    const virtual_time time;
    std::string log;
    for (const int name : {1, 2, 3})
        on_fiber([&log, name] {
            try {
                throw name;
            } catch (int) {
                sleeps(std::chrono::seconds(name == 1 ? 2 : name == 2 ? 3 : 1));
                EXPECT_EQ(std::uncaught_exceptions(), 0);
                try {
                    throw;
                } catch (int own) {
                    EXPECT_EQ(own, name);
                }
                log += std::to_string(name);
            }
        });
    EXPECT_EQ(std::current_exception(), nullptr) << "those that they handle are not this stack's";
    wait(pause_for(4s));
    EXPECT_EQ(log, "312");
}

TEST(FiberDeathTest, LetGoWithAnExceptionEndsTheProgram) {
    EXPECT_DEATH(on_fiber([] { throw std::runtime_error("nobody hears it"); }), "");
}

// ---- fibers that are dropped ----

struct Ends {
    std::string &log;
    const char *word;
    ~Ends() { log += word; }
};

TEST(Fiber, WhoseLoopIsGoneEndsWhereItWaits) {
    std::string log;
    const Told told;
    {
        const thalweg::Loop loop;
        const auto plain = [&] {
            const Ends inner{log, "inner "};
            wait(pause_for(1h));
            log += "never ";
        };
        [](std::string &written, auto function) -> tamed<> {
            const Ends waiter{written, "waiter"};
            co_await on_fiber([&] {
                const Ends outer{written, "outer "};
                function();
            });
        }(log, plain);
        EXPECT_EQ(log, "");
    }
    EXPECT_EQ(log, "inner outer waiter");
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Fiber, WhoseRendezvousIsGoneEndsWhereItWaits) {
    const thalweg::Loop loop;
    const Told told;
    std::string log;
    auto all = std::make_unique<gather>();
    const event<> kept = mkevent(*all);
    on_fiber([&] {
        const Ends own{log, "ended"};
        wait(*all);
        log += "never ";
    });
    all.reset();
    EXPECT_EQ(log, "ended");
    EXPECT_EQ(Told::reports, (std::vector{mistake::abandoned, mistake::waited_for}));
}

void waits_twice(std::string &log) {
    for (int i = 0; i < 2; ++i) {
        try {
            wait(pause_for(1h));
        } catch (const fiber_dropped &) {
            log += "dropped ";
        }
    }
    log += "returned";
}

TEST(Fiber, ThatIsDroppedMayTellALibraryInCAndWaitsNoMore) {
    std::string log;
    {
        const thalweg::Loop loop;
        on_fiber([&] { waits_twice(log); });
    }
    EXPECT_EQ(log, "dropped dropped returned");
}

TEST(Fiber, ThatIsDroppedEndsTheTamedFunctionsOnItsStack) {
    std::string log;
    {
        thalweg::Loop loop;
        const auto calls_plain = [](std::string &written) -> tamed<> {
            const Ends own{written, "tamed "};
            sleeps_twice(0s);
            wait(pause_for(1h));
            co_return;
        };
        on_fiber([&] {
            calls_plain(log);  // let go: the drop ends it all the same
            log += "on";
        });
        while (loop.poll() != 0) {
        }
    }
    EXPECT_EQ(log, "tamed on");
}

// ---- fibers beside, and within, other things that wait ----

TEST(Fiber, MayWaitForAFiberThatItMakes) {
    const thalweg::Loop loop;
    const virtual_time time;
    const std::function<int(int)> nests = [&](int depth) {
        sleeps(1s);
        return depth == 0 ? 0 : 1 + wait(on_fiber([&] { return nests(depth - 1); }));
    };
    EXPECT_EQ(wait(on_fiber([&] { return nests(20); })), 20);
    EXPECT_EQ(time.elapsed(), 21s);
}

tamed<> writes_after(gather &all, std::string &log, const char *word) {
    co_await all;
    log += word;
}

TEST(Fiber, ThatATamedFunctionOnItsStackWaitsInLetsTheOthersGoOn) {
    const thalweg::Loop loop;
    const virtual_time time;
    std::string log;
    gather one, two;
    const event<> before = mkevent(one), after = mkevent(two);
    writes_after(one, log, "before ");
    writes_after(two, log, "after ");
    on_fiber([&] {
        [](const event<> &triggered, std::string &written) -> tamed<> {
            triggered.trigger();
            written += "waits ";
            sleeps(1s);
            written += "on ";
            co_await pause_for(1s);
            written += "end";
        }(before, log);
        log += "let go ";
        after.trigger();
        log += "and then ";
    });
    EXPECT_EQ(log, "waits before ");
    wait(pause_for(5s));
    EXPECT_EQ(log, "waits before on let go and then after end") << "a function that runs is not interrupted";
}

TEST(Fiber, InsideOfAPlainWaitGoesOn) {
    const thalweg::Loop loop;
    const virtual_time time;
    std::string log;
    on_fiber([&] {
        sleeps(1s);
        log += "fiber ";
        sleeps(3s);
        log += "again ";
    });
    const auto plain = [&] {
        wait(pause_for(2s));
        log += "plain ";
    };
    plain();
    wait(pause_for(3s));
    EXPECT_EQ(log, "fiber plain again ");
}

// A raise keeps its state on the raiser's stack, and finds it there as the event's last one.
TEST(Fiber, InAHandlerOfItsOwnRaiseBlocksTheThread) {
    const thalweg::Loop loop;
    const virtual_time time;
    std::string log;
    thalweg::Event<int> event("waits");
    event.bind([&](int name) {
        sleeps(std::chrono::seconds(name));
        log += std::to_string(name);
    });
    event.bind([&](int name) { log += std::to_string(name); });
    const auto raises = [&](int name) { return [&event, name] { event.raise(name); }; };
    tamed<> one = on_fiber(raises(1));
    EXPECT_TRUE(one.has_returned()) << "it has blocked this thread";
    EXPECT_EQ(time.elapsed(), 1s);
    on_fiber(raises(2));
    EXPECT_EQ(log, "1122");
    event.raise(3);
    EXPECT_EQ(log, "112233");
}

TEST(Fiber, ThatWaitsForALockHasItsTurn) {
    const Told told;
    const thalweg::Loop loop;
    const virtual_time time;
    lock l;
    std::string log;
    const auto works = [&](char name, bool shared) {
        return [&, name, shared] {
            const lock_hold hold = shared ? wait(l.scoped_shared()) : wait(l.scoped());
            log += name;
            sleeps(1s);
            log += name;
        };
    };
    on_fiber(works('a', false));
    on_fiber(works('b', true));
    on_fiber(works('c', true));
    [](lock &on, std::string &written) -> tamed<> {
        const lock_hold hold = co_await on.scoped();
        written += 'd';
    }(l, log);
    wait(pause_for(1h));
    EXPECT_EQ(log, "aabcbcd");
    EXPECT_FALSE(l.is_held());
    EXPECT_TRUE(Told::reports.empty());
}

TEST(Fiber, SharesItsThreadsVariables) {
    const thalweg::Loop loop;
    const virtual_time time;
    static thread_local int own = 0;
    on_fiber([] {
        own = 1;
        sleeps(1s);
        EXPECT_EQ(own, 2) << "whoever ran meanwhile has set it";
    });
    own = 2;
    wait(pause_for(2s));
}

TEST(Fiber, ThreadsHaveTheirOwn) {
    constexpr int threads = 4, fibers = 20;
    std::atomic<int> done = 0;
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i)
        all.emplace_back([&] {
            const thalweg::Loop loop;
            const std::thread::id here = std::this_thread::get_id();
            for (int each = 0; each < fibers; ++each)
                on_fiber([&] {
                    for (int turn = 0; turn < 5; ++turn)
                        sleeps(10us);
                    done += std::this_thread::get_id() == here;
                });
            run_while_pending();
        });
    for (std::thread &each : all)
        each.join();
    EXPECT_EQ(done, threads * fibers);
}

// ---- callbacks of libraries in C ----

TEST(Fiber, MayWaitInAComparisonOfQsort) {
    const thalweg::Loop loop;
    const virtual_time time;
    static int asked;
    asked = 0;
    std::array<int, 32> one{}, two{};
    for (size_t i = 0; i < one.size(); ++i)
        one[i] = two[i] = static_cast<int>(i * 37 % one.size());
    const auto sorts = [](std::array<int, 32> &numbers) {
        return [&numbers] {
            std::qsort(numbers.data(), numbers.size(), sizeof(int), [](const void *left, const void *right) {
                wait(pause_for(1s));
                ++asked;
                return *static_cast<const int *>(left) - *static_cast<const int *>(right);
            });
        };
    };
    tamed<> first = on_fiber(sorts(one)), second = on_fiber(sorts(two));
    EXPECT_FALSE(first.has_returned());
    wait(std::move(first));
    wait(std::move(second));
    EXPECT_TRUE(std::is_sorted(one.begin(), one.end()));
    EXPECT_TRUE(std::is_sorted(two.begin(), two.end()));
    EXPECT_EQ(time.elapsed(), std::chrono::seconds(asked / 2)) << "each waits while the other one does";
}

// ---- stacks ----

// As deep as that, less than a page after the other.
[[gnu::noinline]] size_t dig(size_t bytes, const volatile char *above = nullptr) {
    constexpr size_t piece = 1024;
    std::array<volatile char, piece> used{};
    used[0] = above ? *above : 1;
    const size_t below = bytes <= piece ? 0 : dig(bytes - piece, used.data());
    return below + static_cast<size_t>(used[0]);
}

TEST(Fiber, HasAsMuchStackAsItIsGiven) {
    const thalweg::Loop loop;
    EXPECT_GT(wait(on_fiber([] { return dig(size_t{32} * 1024); })), 0u);
    EXPECT_GT(wait(on_fiber([] { return dig(size_t{2} * 1024 * 1024); }, {.bytes = size_t{16} * 1024 * 1024})), 0u);
    EXPECT_GT(wait(on_fiber([] { return dig(1024); }, {.bytes = 1})), 0u) << "the least that a thread has";
}

#ifndef HAS_ADDRESS_SANITIZER
TEST(Fiber, TakesTheStackOfOneThatHasEnded) {
    const thalweg::Loop loop;
    const auto tells = [] { return __builtin_frame_address(0); };
    const void *first = wait(on_fiber(tells));
    EXPECT_EQ(wait(on_fiber(tells)), first);
    tamed<void *> waits = on_fiber([&] {
        wait(pause_for(0s));
        return tells();
    });
    EXPECT_NE(wait(on_fiber(tells)), first) << "not of one that waits";
    EXPECT_EQ(wait(std::move(waits)), first);
    EXPECT_NE(wait(on_fiber(tells, {.bytes = size_t{64} * 1024})), first) << "nor one of another size";
}
#endif

void sleeps_not() {}

TEST(Fiber, WithoutMemoryForItsStackThrows) {
    const thalweg::Loop loop;
    const auto made = [] { wait(on_fiber(sleeps_not, {.bytes = size_t{1} << 60})); };
    EXPECT_THROW(made(), std::bad_alloc);
}

// Where a fiber's stack begins, told to the handler of the signal.
std::atomic<uintptr_t> top = 0;
constexpr int hit_the_guard = 42;

void ends_the_process(int, siginfo_t *info, void *) {
    const auto at = reinterpret_cast<uintptr_t>(info->si_addr);
    const uintptr_t page = 4096, lowest = top.load() / page * page + page - fiber_stack().bytes;
    _exit(at >= lowest - page && at < lowest ? hit_the_guard : 1);
}

TEST(FiberDeathTest, ThatNeedsMoreStackHitsThePageBelowIt) {
    const auto digs_too_deep = [] {
        static std::array<char, 65536> handlers_stack;
        stack_t other{};
        other.ss_sp = handlers_stack.data();
        other.ss_size = handlers_stack.size();
        sigaltstack(&other, nullptr);
        struct sigaction action{};
        action.sa_sigaction = ends_the_process;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigaction(SIGSEGV, &action, nullptr);
        on_fiber([] {
            top = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
            dig(size_t{1024} * 1024);
        });
    };
    EXPECT_EXIT(digs_too_deep(), testing::ExitedWithCode(hit_the_guard), "");
}

}  // namespace
