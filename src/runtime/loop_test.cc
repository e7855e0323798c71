// runtime: loops, asynchronous and timed raises, external events, as claims.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include <thalweg/loop.h>

namespace {

using namespace std::chrono_literals;

TEST(Loop, RunsAPostedRaiseLaterAndOnlyOnce) {
    thalweg::Loop loop;
    std::string log;
    thalweg::Event<int> event{"posted"};
    event.bind([&](int value) { log += std::to_string(value); });
    event.post(1);
    event.post(2);
    EXPECT_EQ(log, "");
    EXPECT_EQ(loop.poll(), 2u);
    EXPECT_EQ(log, "12");
    EXPECT_EQ(loop.poll(), 0u);
}

TEST(Loop, RunsWhatATurnPostsInTheNextTurn) {
    thalweg::Loop loop;
    int raised = 0;
    thalweg::Event<> event{"again"};
    event.bind([&] {
        ++raised;
        event.post();
    });
    event.post();
    EXPECT_EQ(loop.poll(), 1u);
    EXPECT_EQ(raised, 1);
    EXPECT_EQ(loop.poll(), 1u);
    EXPECT_EQ(raised, 2);
}

TEST(Loop, CopiesArgumentsOfAPostedRaise) {
    thalweg::Loop loop;
    std::string seen;
    thalweg::Event<const std::string &> event{"copied"};
    event.bind([&](const std::string &text) { seen = text; });
    {
        std::string gone = "a text that does not fit into the string object itself";
        event.post(gone);
        gone = "changed";
    }
    loop.poll();
    EXPECT_EQ(seen, "a text that does not fit into the string object itself");
}

TEST(Loop, RunsTimedRaisesInTheOrderOfTheirTimes) {
    thalweg::Loop loop;
    std::string log;
    thalweg::Event<char> event{"timed"};
    event.bind([&](char value) {
        log += value;
        if (log.size() == 4)
            loop.stop();
    });
    // A busy machine may stop this thread between any two of these lines.
    const auto begin = std::chrono::steady_clock::now();
    event.post_after(40ms, 'd');
    EXPECT_EQ(loop.poll(), 0u);
    event.post_after(2ms, 'a');
    event.post_after(4ms, 'b');
    event.post_after(4ms, 'c');
    loop.run();
    EXPECT_EQ(log, "abcd");
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 40ms);
}

TEST(Loop, CancelsARaiseThatHasNotHappened) {
    thalweg::Loop loop;
    std::string log;
    thalweg::Event<char> event{"cancelled"};
    event.bind([&](char value) { log += value; });
    thalweg::Posted a = event.post('a');
    thalweg::Posted b = event.post_after(1ns, 'b');
    thalweg::Posted c = event.post_after(1h, 'c');
    event.post('d');
    EXPECT_TRUE(a.cancel());
    EXPECT_FALSE(a.cancel());
    EXPECT_TRUE(b.cancel());
    EXPECT_TRUE(c.cancel());
    loop.poll();
    EXPECT_EQ(log, "d");
}

TEST(Loop, DoesNotCancelWhatHasHappened) {
    thalweg::Loop loop;
    thalweg::Event<> event{"happened"};
    thalweg::Posted posted = event.post();
    loop.poll();
    thalweg::Posted next = event.post();  // may use the same place again
    EXPECT_FALSE(posted.cancel());
    EXPECT_TRUE(next.cancel());
}

TEST(Loop, CancelsAnyOfManyTimers) {
    thalweg::Loop loop;
    int raised = 0;
    thalweg::Event<> event{"many"};
    event.bind([&] { ++raised; });
    std::vector<thalweg::Posted> posted;
    for (int i = 0; i < 500; ++i)
        posted.push_back(event.post_after(std::chrono::microseconds((i * 7919) % 1000 + 1)));
    for (int i = 0; i < 500; i += 2)
        EXPECT_TRUE(posted[i].cancel());
    std::this_thread::sleep_for(5ms);
    loop.poll();
    EXPECT_EQ(raised, 250);
}

TEST(Loop, TakesADelayInAnyUnitThatNanosecondsAreMadeOf) {
    using thalweg::detail::Duration;
    using thalweg::detail::nanoseconds_of;
    EXPECT_EQ(nanoseconds_of(7ns), 7u);
    EXPECT_EQ(nanoseconds_of(3ms), 3'000'000u);
    EXPECT_EQ(nanoseconds_of(2h), 7'200'000'000'000u);
    EXPECT_EQ(nanoseconds_of(std::chrono::duration<short, std::ratio<3, 10>>(2)), 600'000'000u);
    EXPECT_EQ(nanoseconds_of(-1s), 0u);
    EXPECT_EQ(nanoseconds_of(std::chrono::hours::max()), uint64_t{INT64_MAX});
    // As std::chrono::nanoseconds themselves: nothing of which a part would be lost, and no bare number.
    static_assert(!Duration<std::chrono::duration<double>> && !Duration<std::chrono::duration<int, std::ratio<1, 3>>>);
    static_assert(!Duration<std::chrono::duration<int, std::pico>> && !Duration<int>);
}

TEST(Loop, DropsPendingRaisesOfADeletedEvent) {
    thalweg::Loop loop;
    int raised = 0;
    {
        thalweg::Event<> event{"deleted"};
        event.bind([&] { ++raised; });
        event.post();
        event.post_after(1ns);
        event.post_to(loop);
    }
    loop.poll();
    EXPECT_EQ(raised, 0);
}

TEST(Loop, DropsWhatIsPendingWhenItGoes) {
    thalweg::Event<std::string> event{"outlives"};
    {
        thalweg::Loop loop;
        event.post(std::string(100, 'x'));
        event.post_after(1h, std::string(100, 'x'));
        loop.post([text = std::string(100, 'x')] { FAIL() << text; });
    }
    thalweg::Loop loop;
    EXPECT_EQ(loop.poll(), 0u);
}

// Known to its owner by its address.
struct Put : thalweg_task {
    std::string log;
    Put() : thalweg_task{} {
        run = [](thalweg_task *task) { static_cast<Put *>(task)->log += "run"; };
        drop = [](thalweg_task *task) { static_cast<Put *>(task)->log += "dropped"; };
    }
};

TEST(Loop, RunsWhatWasPutOnceAndNotWhatWasTakenBack) {
    thalweg::Loop loop;
    Put now, later, not_now, not_later;
    EXPECT_TRUE(thalweg_task_put(&not_now, 0));
    EXPECT_TRUE(thalweg_task_put(&now, 0));
    EXPECT_TRUE(thalweg_task_put(&not_later, 1));
    EXPECT_TRUE(thalweg_task_put(&later, 1));
    thalweg_task_take_back(&not_now);
    thalweg_task_take_back(&not_later);
    while (later.log.empty())
        loop.run_once();
    loop.poll();
    EXPECT_EQ(now.log + " " + later.log, "run run");
    EXPECT_EQ(not_now.log + not_later.log, "");
}

TEST(Loop, DropsWhatWasPutWhenItGoes) {
    Put now, later;
    {
        const thalweg::Loop loop;
        thalweg_task_put(&now, 0);
        thalweg_task_put(&later, 1'000'000'000);
        EXPECT_EQ(thalweg_cancel(now.id), THALWEG_NOT_PENDING);
    }
    EXPECT_EQ(now.log + " " + later.log, "dropped dropped");
}

TEST(Loop, TakesRaisesAndFunctionsFromOtherThreads) {
    thalweg::Loop loop;
    constexpr int threads_count = 4, each = 500;
    int raised = 0, called = 0;
    thalweg::Event<int> event{"from threads"};
    event.bind([&](int value) { raised += value; });
    std::vector<std::thread> threads;
    for (int t = 0; t < threads_count; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < each; ++i) {
                event.post_to(loop, 1);
                loop.post([&] {
                    if (++called == threads_count * each)
                        loop.stop();
                });
            }
        });
    }
    loop.run();
    for (auto &thread : threads)
        thread.join();
    EXPECT_EQ(raised, threads_count * each);
    EXPECT_EQ(called, threads_count * each);
}

TEST(Loop, SharesOneRegistryWithOtherThreads) {
    constexpr int threads_count = 4, each = 200;
    std::vector<std::thread> threads;
    std::atomic<int> raised{0};
    for (int t = 0; t < threads_count; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < each; ++i) {
                const std::string name = "thread " + std::to_string(t) + " event " + std::to_string(i);
                thalweg::Event<> event{name.c_str()};
                event.bind([&] { ++raised; });
                EXPECT_EQ(thalweg_raise_named(name.c_str(), nullptr, 0), THALWEG_OK);
            }
        });
    }
    for (auto &thread : threads)
        thread.join();
    EXPECT_EQ(raised, threads_count * each);
}

TEST(Loop, ConnectsTwoLoops) {
    thalweg::Loop here;
    thalweg::Event<int> answer{"answer"};
    int got = 0;
    answer.bind([&](int value) {
        got = value;
        here.stop();
    });
    std::thread other([&] {
        thalweg::Loop there;
        thalweg::Event<int> question{"question"};
        question.bind([&](int value) {
            answer.post_to(here, value * 2);
            there.stop();
        });
        question.post(21);
        there.run();
    });
    here.run();
    other.join();
    EXPECT_EQ(got, 42);
}

TEST(Loop, IsMadeForAThreadThatHasNone) {
    std::thread([] {
        thalweg::Event<> event{"no loop"};
        int raised = 0;
        event.bind([&] { ++raised; });
        event.post();
        thalweg::Loop loop = thalweg::Loop::here();
        loop.poll();
        EXPECT_EQ(raised, 1);
    }).join();
}

TEST(Loop, RefusesAPostWhereTheSystemHasNoDescriptorsForALoop) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    std::thread([&] {
        thalweg::Event<> event{"no descriptors"};
        const rlimit none{0, before.rlim_max};
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
        const bool posted(event.post());
        const thalweg_status status = thalweg_post(event.handle(), nullptr, 0, nullptr);
        const bool has_loop(thalweg::Loop{});
        ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
        EXPECT_FALSE(posted);
        EXPECT_FALSE(has_loop);
        EXPECT_EQ(status, THALWEG_SYSTEM_ERROR);
        EXPECT_TRUE(event.post());
    }).join();
}

TEST(Loop, StopsFromAnotherThread) {
    thalweg::Loop loop;
    std::thread stopper([&] {
        std::this_thread::sleep_for(5ms);
        loop.stop();
    });
    loop.run();
    stopper.join();
}

TEST(Loop, IsNotKeptFromTurningByAStopThatNobodyRan) {
    thalweg::Loop loop;
    int raised = 0;
    thalweg::Event<> event{"turns"};
    event.bind([&] { ++raised; });
    loop.stop();
    event.post();
    event.post();
    EXPECT_EQ(loop.poll(), 2u);
    loop.run();
    EXPECT_EQ(raised, 2);
}

TEST(Loop, RaisesForADescriptorWhileItIsReady) {
    thalweg::Loop loop;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    thalweg::Event<int, unsigned> readable{"readable"};
    std::string seen;
    readable.bind([&](int fd, unsigned ready) {
        char byte = 0;
        EXPECT_EQ(ready & THALWEG_READABLE, unsigned{THALWEG_READABLE});
        if (read(fd, &byte, 1) == 1)
            seen += byte;
    });
    thalweg_watch_id watch = 0;
    ASSERT_EQ(loop.watch_fd(ends[0], THALWEG_READABLE, readable, &watch), THALWEG_OK);
    EXPECT_EQ(loop.poll(), 0u);
    ASSERT_EQ(write(ends[1], "ab", 2), 2);
    loop.run_once();
    loop.run_once();
    EXPECT_EQ(seen, "ab");
    EXPECT_EQ(loop.poll(), 0u);
    ASSERT_EQ(write(ends[1], "c", 1), 1);
    EXPECT_EQ(loop.unwatch(watch), THALWEG_OK);
    EXPECT_EQ(loop.unwatch(watch), THALWEG_NOT_PENDING);
    EXPECT_EQ(loop.poll(), 0u);
    close(ends[0]);
    close(ends[1]);
}

TEST(Loop, EndsTheWatchesOfADeletedEvent) {
    thalweg::Loop loop;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    {
        thalweg::Event<int, unsigned> readable{"readable"};
        ASSERT_EQ(loop.watch_fd(ends[0], THALWEG_READABLE, readable), THALWEG_OK);
    }
    ASSERT_EQ(write(ends[1], "a", 1), 1);
    EXPECT_EQ(loop.poll(), 0u);
    EXPECT_EQ(loop.poll(), 0u);
    close(ends[0]);
    close(ends[1]);
}

TEST(Loop, RaisesForASignal) {
    thalweg::Loop loop;
    thalweg::Event<int> signalled{"signalled"};
    int seen = 0;
    signalled.bind([&](int signal) { seen = signal; });
    thalweg_watch_id watch = 0;
    ASSERT_EQ(loop.watch_signal(SIGUSR1, signalled, &watch), THALWEG_OK);
    ASSERT_EQ(raise(SIGUSR1), 0);
    loop.run_once();
    EXPECT_EQ(seen, SIGUSR1);
    EXPECT_EQ(loop.unwatch(watch), THALWEG_OK);
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&blocked, SIGUSR1), 0);
}

TEST(Loop, RaisesForEachPeriodOfATimer) {
    thalweg::Loop loop;
    thalweg::Event<uint64_t> ticked{"ticked"};
    uint64_t periods = 0;
    ticked.bind([&](uint64_t passed) {
        periods += passed;
        if (periods >= 3)
            loop.stop();
    });
    ASSERT_EQ(loop.watch_timer(1ms, ticked), THALWEG_OK);
    loop.run();
    EXPECT_GE(periods, 3u);
}

TEST(Loop, RefusesToWatchForAnEventWithOtherArguments) {
    thalweg::Loop loop;
    thalweg::Event<double> wrong{"wrong"};
    EXPECT_EQ(loop.watch_fd(0, THALWEG_READABLE, wrong), THALWEG_WRONG_COUNT);
    EXPECT_EQ(loop.watch_signal(SIGUSR1, wrong), THALWEG_WRONG_TYPE);
    EXPECT_EQ(loop.watch_timer(1ms, wrong), THALWEG_WRONG_TYPE);
    thalweg::Event<int, unsigned> right{"right"};
    EXPECT_EQ(loop.watch_fd(-1, THALWEG_READABLE, right), THALWEG_SYSTEM_ERROR);
    thalweg::Event<int> one{"one"};
    EXPECT_EQ(loop.watch_signal(-5, one), THALWEG_SYSTEM_ERROR);
    EXPECT_EQ(loop.watch_timer(0ms, one), THALWEG_OUT_OF_RANGE);
}

TEST(Loop, PostsThroughTheCInterfaceWithCheckedAndCopiedArguments) {
    thalweg::Loop loop;
    std::string seen;
    thalweg::Event<const char *> typed{"c-post"};
    typed.bind([&](const char *text) { seen += text; });
    {
        std::string gone = "text";
        const thalweg_value text = thalweg_text(gone.c_str());
        const thalweg_value number = thalweg_integer(1);
        EXPECT_EQ(thalweg_post(typed.handle(), &text, 1, nullptr), THALWEG_OK);
        EXPECT_EQ(thalweg_post_after(typed.handle(), 1, &text, 1, nullptr), THALWEG_OK);
        EXPECT_EQ(thalweg_post_to(loop.handle(), thalweg_event_id(typed.handle()), &text, 1), THALWEG_OK);
        EXPECT_EQ(thalweg_post(typed.handle(), &number, 1, nullptr), THALWEG_WRONG_TYPE);
        EXPECT_EQ(thalweg_post(typed.handle(), nullptr, 0, nullptr), THALWEG_WRONG_COUNT);
        EXPECT_EQ(thalweg_post(nullptr, nullptr, 0, nullptr), THALWEG_NULL_POINTER);
        EXPECT_EQ(thalweg_post(typed.handle(), nullptr, 1, nullptr), THALWEG_NULL_POINTER);
        EXPECT_EQ(thalweg_post_to(nullptr, 1, nullptr, 0), THALWEG_NULL_POINTER);
        EXPECT_EQ(thalweg_post_to(loop.handle(), 0, nullptr, 0), THALWEG_UNKNOWN_EVENT);
        gone = "gone";
    }
    std::this_thread::sleep_for(1ms);
    loop.poll();
    EXPECT_EQ(seen, "texttexttext");
    thalweg_raise_id id = 0;
    const thalweg_value text = thalweg_text("x");
    ASSERT_EQ(thalweg_post_after(typed.handle(), 1'000'000'000, &text, 1, &id), THALWEG_OK);
    EXPECT_EQ(thalweg_cancel(id), THALWEG_OK);
    EXPECT_EQ(thalweg_cancel(id), THALWEG_NOT_PENDING);
    EXPECT_EQ(thalweg_cancel(0), THALWEG_NOT_PENDING);
    EXPECT_EQ(thalweg_loop_run(nullptr), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_loop_stop(nullptr), THALWEG_NULL_POINTER);
    EXPECT_EQ(thalweg_loop_destroy(nullptr), THALWEG_NULL_POINTER);
}

TEST(Loop, LetsAnExceptionOfAHandlerPassAndGoesOn) {
    thalweg::Loop loop;
    std::string log;
    thalweg::Event<int> event{"throws"};
    event.bind([&](int value) {
        log += std::to_string(value);
        if (value == 1)
            throw std::runtime_error("from a handler");
    });
    event.post(1);
    event.post(2);
    const thalweg_value one = thalweg_integer(1);
    thalweg_post(event.handle(), &one, 1, nullptr);
    EXPECT_THROW(loop.run_once(), std::runtime_error);
    EXPECT_EQ(log, "1");
    EXPECT_THROW(loop.run_once(), std::runtime_error);
    EXPECT_EQ(log, "121");
    EXPECT_EQ(loop.poll(), 0u);
}

std::string &modes() {
    static std::string text;
    return text;
}

TEST(Loop, TellsTheRecorderHowItRaises) {
    static const thalweg_hooks hooks{[](thalweg_core *) { modes() += "b"; }, [](thalweg_core *) { modes() += "d"; },
                                     [](thalweg_raise_mode mode) { modes() += std::to_string(mode); }};
    thalweg::Loop loop;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    thalweg_recorder_hooks = &hooks;
    {
        thalweg::Event<> event{"modes"};
        thalweg::Event<int, unsigned> external{"external"};
        thalweg::Binding binding = event.bind([] { modes() += "x"; });
        binding.block();
        binding.unblock();
        event.raise();
        event.post();
        loop.poll();
        event.post_after(1ns);
        loop.run_once();
        ASSERT_EQ(loop.watch_fd(ends[1], THALWEG_WRITABLE, external), THALWEG_OK);
        loop.poll();
        binding.unbind();
    }
    thalweg_recorder_hooks = nullptr;
    EXPECT_EQ(modes(), "bbbx1x02x030bdd");
    close(ends[0]);
    close(ends[1]);
}

}  // namespace
