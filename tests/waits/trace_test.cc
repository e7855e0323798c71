// tests: the asynchronous backtrace, as claims. Compiled with THALWEG_TAME_TRACE, as a program of its own.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <regex>
#include <string>

#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/fiber.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

std::string waits() {
    char *text = nullptr;
    size_t size = 0;
    std::FILE *file = open_memstream(&text, &size);
    write_waits(file);
    std::fclose(file);
    const std::unique_ptr<char, decltype(&std::free)> owner(text, std::free);
    return {text, size};
}

// Files without their folders, functions without what compilers write around their names.
std::string plain(const std::string &text) {
    return std::regex_replace(std::regex_replace(text, std::regex("[^ ]*/"), ""), std::regex(", in [^\n]*"), "");
}

constexpr unsigned first_line = __LINE__;
tamed<> inner(gather &all) { co_await all; }
tamed<> outer(gather &all) { co_await inner(all); }
std::string at(unsigned line) { return "trace_test.cc:" + std::to_string(first_line + line); }

TEST(Trace, TellsWhoWaitsForWhomAndWhereTheEventsWereMade) {
    gather all;
    const event<> one = mkevent(all), two = mkevent(all);
    const event<> other = mkevent(all);
    constexpr unsigned line = __LINE__ - first_line;
    outer(all);
    std::string expected = "thalweg: 2 functions wait\n";
    expected += "  " + at(1) + " waits for all of its events\n";
    expected += "      2 made at " + at(line - 2) + "\n";
    expected += "      1 made at " + at(line - 1) + "\n";
    expected += "    " + at(2) + " waits for a function\n";
    EXPECT_EQ(plain(waits()), expected);
    EXPECT_NE(waits().find("outer"), std::string::npos);
    one.trigger();
    two.trigger();
    other.trigger();
    EXPECT_EQ(waits(), "thalweg: 0 functions wait\n");
}

constexpr unsigned plain_line = __LINE__;
void waits_plainly(gather &all) { wait(all); }
tamed<> waits_for_a_fiber(gather &all) {
    co_await on_fiber([&] { waits_plainly(all); });
}

TEST(Trace, TellsWhereAPlainFunctionWaitsOnAFiber) {
    gather all;
    const event<> one = mkevent(all);
    constexpr unsigned line = __LINE__ - first_line - 1;
    waits_for_a_fiber(all);
    std::string expected = "thalweg: 2 functions wait\n";
    expected += "  " + at(plain_line - first_line + 1) + " waits for all of its events\n";
    expected += "      1 made at " + at(line) + "\n";
    expected += "    " + at(plain_line - first_line + 3) + " waits for a function\n";
    EXPECT_EQ(plain(waits()), expected);
    EXPECT_NE(waits().find("waits_plainly"), std::string::npos);
    one.trigger();
    EXPECT_EQ(waits(), "thalweg: 0 functions wait\n");
}

tamed<> pauses() { co_await pause_for(1s); }
tamed<> takes(lock &l) { const lock_hold hold = co_await l.scoped(); }
tamed<> takes_one(rendezvous<> &r) { co_await r; }

TEST(Trace, TellsWhatElseIsWaitedFor) {
    const thalweg::Loop loop;
    const virtual_time time;
    lock l;
    rendezvous<> r;
    const event<> come = mkevent(r);
    ASSERT_TRUE(l.try_acquire());
    pauses();
    takes(l);
    takes_one(r);
    const std::string found = waits();
    EXPECT_NE(found.find("waits for a time, in"), std::string::npos);
    EXPECT_NE(found.find("waits for a lock, in"), std::string::npos);
    EXPECT_NE(found.find("waits for any of its events, in"), std::string::npos);
    come.trigger();
    l.release();
    wait(pause_for(2s));
    EXPECT_EQ(waits(), "thalweg: 0 functions wait\n");
}

TEST(Trace, ForgetsFunctionsThatEndWhereTheyWait) {
    set_reporter(nullptr);
    {
        const thalweg::Loop loop;
        pauses();
        auto all = std::make_unique<gather>();
        const event<> come = mkevent(*all);
        outer(*all);
    }
    EXPECT_EQ(waits(), "thalweg: 0 functions wait\n");
    set_reporter(report_on_stderr);
}

TEST(Trace, IsWrittenOnASignal) {
    std::FILE *file = std::tmpfile();
    {
        thalweg::Loop loop;
        backtrace_on(SIGUSR2, file);
        pauses();
        std::raise(SIGUSR2);
        loop.run_once();
        std::raise(SIGUSR2);
        loop.run_once();
    }
    std::rewind(file);
    std::string text(10'000, 0);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    const std::regex one("thalweg: 1 functions wait\n[^\n]*:[0-9]+ waits for a time, in [^\n]*pauses[^\n]*\n");
    EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), one), std::sregex_iterator()), 2) << text;
}

}  // namespace
