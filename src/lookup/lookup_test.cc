// lookup: addresses of host names, asked of a real name server, as claims.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "name_server_test.h"
#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/io.h>
#include <thalweg/tame/lookup.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;
using thalweg::lookup::BoundSocket;
using thalweg::lookup::NameServer;
using Clock = std::chrono::steady_clock;

constexpr int many = 500;
constexpr int bigs = 50, addresses_of_big = 60;  // more than fit into the 512 bytes of a datagram

std::string four(int i) { return "10.1." + std::to_string(i / 250) + "." + std::to_string(i % 250 + 1); }
std::string host(int i) { return "host" + std::to_string(i) + ".test"; }
std::string big(int i) { return "big" + std::to_string(i) + ".test"; }
std::string all_hosts() {
    std::string lines = "10.0.0.1 both.test\nfd00::1 both.test\n10.0.0.2 four.test\n";
    for (int i = 0; i < many; ++i)
        lines += four(i) + " " + host(i) + "\n";
    for (int i = 0; i < bigs; ++i)
        for (int j = 0; j < addresses_of_big; ++j)
            lines += "10.2." + std::to_string(i) + "." + std::to_string(j + 1) + " " + big(i) + "\n";
    return lines;
}

std::set<std::string> texts(const looked_up &found) {
    std::set<std::string> all;
    for (const address &one : found.addresses)
        all.insert(one.text());
    return all;
}
using Texts = std::set<std::string>;

// Nobody reads what comes to it.
class SilentServer : public BoundSocket {
  public:
    SilentServer() : BoundSocket(SOCK_DGRAM) {}
    // How many questions have come since it was asked last.
    size_t questions() const {
        size_t count = 0;
        for (std::array<char, 512> packet{}; recv(descriptor(), packet.data(), packet.size(), MSG_DONTWAIT) > 0;)
            ++count;
        return count;
    }
};

class Lookup : public testing::Test {
  protected:
    static void SetUpTestSuite() { server_ = new NameServer(all_hosts()); }
    static void TearDownTestSuite() {
        delete server_;
        server_ = nullptr;
    }
    Lookup() { loop_.emplace(); }

    // With a time limit far above what an answer takes on a busy machine, unless it is what the test is about.
    static resolver_options at(const std::string &server, std::chrono::milliseconds timeout = 30s, int tries = 1) {
        resolver_options options;
        options.servers = {server};
        options.timeout = timeout;
        options.tries = tries;
        options.search = false;
        return options;
    }
    template <class Done>
    void run_until(Done done) {
        const auto end = Clock::now() + 60s;
        while (!done()) {
            if (Clock::now() > end) {
                ADD_FAILURE() << "it does not end";
                std::abort();
            }
            loop_->run_once();
        }
    }
    looked_up run(tamed<looked_up> function) {
        run_until([&] { return function.has_returned(); });
        looked_up result;
        auto take = [&]() -> tamed<> { result = co_await function; };
        take();
        return result;
    }
    looked_up ask(resolver &names, const std::string &name, int family = AF_UNSPEC) {
        return run(names.lookup(name, family));
    }
    bool has_pending() { return thalweg_loop_has_pending(loop_->handle()) != 0; }

    static NameServer *server_;
    std::optional<thalweg::Loop> loop_;
};
NameServer *Lookup::server_ = nullptr;

TEST_F(Lookup, FindsTheAddressesOfAName) {
    resolver names(at(server_->name()));
    EXPECT_EQ(texts(ask(names, "both.test")), (Texts{"10.0.0.1", "fd00::1"}));
    EXPECT_EQ(texts(ask(names, "four.test.")), Texts{"10.0.0.2"});
    EXPECT_FALSE(has_pending());
}

TEST_F(Lookup, FindsThoseOfOneFamily) {
    resolver names(at(server_->name()));
    EXPECT_EQ(texts(ask(names, "both.test", AF_INET)), Texts{"10.0.0.1"});
    const looked_up six = ask(names, "both.test", AF_INET6);
    EXPECT_EQ(texts(six), Texts{"fd00::1"});
    EXPECT_EQ(six.addresses.at(0).family(), AF_INET6);
}

// Under io_uring its sockets are watched by an epoll that the ring watches.
TEST_F(Lookup, FindsThemInALoopThatHasStreams) {
    const listener sockets("127.0.0.1", 0);
    resolver names(at(server_->name()));
    EXPECT_EQ(texts(ask(names, "both.test")), (Texts{"10.0.0.1", "fd00::1"}));
    EXPECT_EQ(ask(names, big(0)).addresses.size(), static_cast<size_t>(addresses_of_big)) << "by TCP";
}

TEST_F(Lookup, TellsOfANameThatIsNotThere) {
    resolver names(at(server_->name()));
    const looked_up found = ask(names, "nowhere.test");
    EXPECT_FALSE(found);
    EXPECT_EQ(found.error, lookup_error::not_found);
    EXPECT_EQ(found.error.message(), "Domain name not found");
    EXPECT_STREQ(found.error.category().name(), "c-ares");
}

TEST_F(Lookup, TellsOfANameWithoutAddressesOfThatFamily) {
    resolver names(at(server_->name()));
    EXPECT_EQ(ask(names, "four.test", AF_INET6).error, lookup_error::no_data);
    EXPECT_FALSE(ask(names, "four.test", AF_INET).error);
}

// dnsmasq refuses what it has no server for.
TEST_F(Lookup, TellsOfAServerThatRefuses) {
    resolver names(at(server_->name()));
    EXPECT_FALSE(ask(names, "elsewhere.example."));
    EXPECT_TRUE(ask(names, "four.test."));
}

TEST_F(Lookup, AsksNobodyForANumber) {
    const SilentServer silent;
    resolver names(at(silent.name()));
    EXPECT_EQ(texts(ask(names, "192.0.2.7")), Texts{"192.0.2.7"});
    EXPECT_EQ(texts(ask(names, "2001:db8::7")), Texts{"2001:db8::7"});
    EXPECT_EQ(silent.questions(), 0U);
}

TEST_F(Lookup, TellsOfWhatIsNoName) {
    resolver names(at(server_->name()));
    for (const std::string &name : {std::string(), std::string("four.test\0x", 11), std::string("four..test"),
                                    std::string(64, 'a') + ".test", std::string(300, 'a')})
        EXPECT_EQ(ask(names, name).error, lookup_error::bad_name) << name;
    EXPECT_EQ(ask(names, "four.test", AF_UNIX).addresses.size(), 0U);
}

// ---- servers that don't answer ----

TEST_F(Lookup, GivesUpASilentServerAfterItsTries) {
    const SilentServer silent;
    resolver names(at(silent.name(), 50ms, 3));
    const auto before = Clock::now();
    const looked_up found = ask(names, "four.test", AF_INET);
    EXPECT_EQ(found.error, lookup_error::timed_out);
    EXPECT_EQ(found.error, std::errc::timed_out);
    EXPECT_GE(Clock::now() - before, 50ms + 100ms + 200ms);
    EXPECT_EQ(silent.questions(), 3U);
    EXPECT_FALSE(has_pending());
}

TEST_F(Lookup, AsksTheNextServerWhereOneIsSilent) {
    const SilentServer silent;
    resolver_options options = at(silent.name(), 50ms, 10);
    options.servers.push_back(server_->name());
    resolver names(options);
    EXPECT_EQ(texts(ask(names, "four.test")), Texts{"10.0.0.2"});
    EXPECT_GE(silent.questions(), 1U);
}

TEST_F(Lookup, AsksAgainAServerThatWasStopped) {
    const NameServer own("10.0.0.3 late.test\n");
    resolver names(at(own.name(), 20ms, 10));
    own.stop();
    tamed<looked_up> asked = names.lookup("late.test", AF_INET);
    auto goes_on = [&]() -> tamed<> {
        co_await pause_for(100ms);
        EXPECT_FALSE(asked.has_returned());
        own.go_on();
    };
    goes_on();
    EXPECT_EQ(texts(run(std::move(asked))), Texts{"10.0.0.3"});
}

TEST_F(Lookup, TellsOfAServerThatDiesAndFindsTheNextOneAtItsPlace) {
    NameServer first("10.0.0.3 here.test\n");
    resolver names(at(first.name(), 30s, 2));
    EXPECT_EQ(texts(ask(names, "here.test")), Texts{"10.0.0.3"});
    first.stop();
    tamed<looked_up> asked = names.lookup("here.test");
    loop_->poll();
    first.die();
    loop_->poll();
    EXPECT_FALSE(asked.has_returned()) << "a datagram that was taken has no answer, and nobody tells";
    asked = names.lookup("here.test");
    EXPECT_EQ(run(std::move(asked)).error, lookup_error::no_connection);
    const NameServer second("10.0.0.4 here.test\n", first.port());
    EXPECT_EQ(texts(ask(names, "here.test")), Texts{"10.0.0.4"});
}

// ---- TCP ----

TEST_F(Lookup, AsksAgainByTcpWhereAnAnswerIsTooLongForUdp) {
    resolver names(at(server_->name()));
    EXPECT_EQ(ask(names, big(0)).addresses.size(), static_cast<size_t>(addresses_of_big));
    EXPECT_EQ(ask(names, big(0), AF_INET).addresses.size(), static_cast<size_t>(addresses_of_big));
}

// Different ones: c-ares 1.18 may give two questions for one name the same number (once in 65,536), and then one of them is lost.
TEST_F(Lookup, ManyAtOnceByTcp) {
    resolver names(at(server_->name()));
    std::vector<looked_up> found(bigs);
    auto asks = [&]() -> tamed<> {
        gather all;
        for (int i = 0; i < bigs; ++i)
            names.lookup(big(i), mkevent(all, found[i]), AF_INET);
        co_await all;
    };
    tamed<> asked = asks();
    run_until([&] { return asked.has_returned(); });
    for (int i = 0; i < bigs; ++i)
        EXPECT_EQ(found[i].addresses.size(), static_cast<size_t>(addresses_of_big)) << found[i].error.message();
}

// ---- many ----

// None of them is lost and asked for again: that would take the 30 s of the time limit, and there is one try.
TEST_F(Lookup, HundredsAtOnceAreAllAnswered) {
    resolver names(at(server_->name()));
    std::vector<looked_up> found(many);
    auto asks = [&]() -> tamed<> {
        gather all;
        for (int i = 0; i < many; ++i)
            names.lookup(host(i), mkevent(all, found[i]));
        co_await all;
    };
    server_->stop();  // so that all come before it answers one
    tamed<> asked = asks();
    loop_->poll();
    server_->go_on();
    run_until([&] { return asked.has_returned(); });
    for (int i = 0; i < many; ++i)
        EXPECT_EQ(texts(found[i]), Texts{four(i)}) << host(i) << ": " << found[i].error.message();
    EXPECT_FALSE(has_pending());
}

TEST_F(Lookup, NoMoreAtOnceThanItMay) {
    const SilentServer silent;
    resolver_options options = at(silent.name());
    options.at_once = 7;
    std::vector<looked_up> found(many);
    resolver names(options);
    gather all;
    for (int i = 0; i < many; ++i)
        names.lookup(host(i), mkevent(all, found[i]), AF_INET);
    loop_->poll();
    EXPECT_EQ(silent.questions(), 7U);
    all.cancel();
}

// ---- nobody waits ----

TEST_F(Lookup, OneThatNobodyWaitsForLeavesTheOthers) {
    resolver names(at(server_->name()));
    looked_up kept, dropped;
    gather waits, waits_no_more;
    names.lookup("four.test", mkevent(waits, kept));
    names.lookup("both.test", mkevent(waits_no_more, dropped));
    waits_no_more.cancel();
    run_until([&] { return !waits.is_pending(); });
    EXPECT_EQ(texts(kept), Texts{"10.0.0.2"});
    EXPECT_FALSE(dropped);
}

TEST_F(Lookup, WhereNobodyWaitsNothingIsUnderWay) {
    const SilentServer silent;
    resolver_options options = at(silent.name());
    options.at_once = 3;
    resolver names(options);
    looked_up found;
    gather all;
    for (int i = 0; i < 10; ++i)
        names.lookup(host(i), mkevent(all, found));
    loop_->poll();
    EXPECT_TRUE(has_pending());
    all.cancel();
    EXPECT_FALSE(has_pending());
    names.lookup(host(0), mkevent(all, found));
    EXPECT_TRUE(has_pending()) << "and it can be asked again";
    all.cancel();
}

TEST_F(Lookup, OnesThatWereGivenUpTakeNoOthersPlace) {
    const NameServer own("10.0.0.3 late.test\n");
    resolver_options options = at(own.name(), 30s);
    options.at_once = 2;
    resolver names(options);
    looked_up found, late;
    gather given_up, waits;
    own.stop();
    for (int i = 0; i < 2; ++i)
        names.lookup(host(i), mkevent(given_up, found));
    names.lookup("late.test", mkevent(waits, late));
    given_up.cancel();
    own.go_on();
    run_until([&] { return !waits.is_pending(); });
    EXPECT_EQ(texts(late), Texts{"10.0.0.3"});
}

TEST_F(Lookup, HasATimeLimitAsAnyEvent) {
    const SilentServer silent;
    resolver names(at(silent.name()));
    bool in_time = true;
    looked_up found;
    gather all;
    names.lookup("four.test", add_timeout(20ms, event<bool, looked_up>(mkevent(all, in_time, found))));
    run_until([&] { return !all.is_pending(); });
    EXPECT_FALSE(in_time);
    EXPECT_FALSE(has_pending());
}

TEST_F(Lookup, WithoutAnEventAsksNothing) {
    resolver names(at(server_->name()));
    names.lookup("four.test", event<looked_up>());
    EXPECT_FALSE(has_pending());
}

// ---- what is triggered may do anything ----

TEST_F(Lookup, AnAnswersFunctionMayLookUpMore) {
    resolver names(at(server_->name()));
    std::string log;
    auto asks = [&](int depth, auto &again) -> tamed<> {
        const looked_up found = co_await names.lookup(host(depth), AF_INET);
        log += found.addresses.at(0).text() + " ";
        if (depth < 3)
            co_await again(depth + 1, again);
    };
    tamed<> asked = asks(0, asks);
    run_until([&] { return asked.has_returned(); });
    EXPECT_EQ(log, "10.1.0.1 10.1.0.2 10.1.0.3 10.1.0.4 ");
}

TEST_F(Lookup, AnAnswersFunctionMayWaitForAnother) {
    resolver names(at(server_->name()));
    std::string log;
    auto outer = [&]() -> tamed<> {
        const looked_up one = co_await names.lookup("four.test");
        const looked_up other = thalweg::tame::wait(names.lookup("both.test", AF_INET));
        log = one.addresses.at(0).text() + " " + other.addresses.at(0).text();
    };
    tamed<> asked = outer();
    run_until([&] { return asked.has_returned(); });
    EXPECT_EQ(log, "10.0.0.2 10.0.0.1");
}

TEST_F(Lookup, AnAnswersFunctionMayDropTheResolver) {
    auto names = std::make_unique<resolver>(at(server_->name()));
    std::vector<looked_up> found(10);
    gather all;
    auto drops = [&]() -> tamed<> {
        co_await names->lookup("four.test");
        names.reset();
    };
    tamed<> dropped = drops();
    for (int i = 0; i < 10; ++i)
        names->lookup(host(i), mkevent(all, found[i]));
    run_until([&] { return dropped.has_returned(); });
    EXPECT_FALSE(all.is_pending());
    EXPECT_FALSE(has_pending());
}

TEST_F(Lookup, WhoWaitsForADroppedResolverIsTold) {
    const SilentServer silent;
    auto names = std::make_unique<resolver>(at(silent.name()));
    tamed<looked_up> asked = names->lookup("four.test");
    names.reset();
    const looked_up found = run(std::move(asked));
    EXPECT_EQ(found.error, lookup_error::cancelled);
    EXPECT_EQ(found.error, std::errc::operation_canceled);
    EXPECT_FALSE(has_pending());
}

TEST_F(Lookup, WhoWaitsIsToldWhenTheLoopGoes) {
    const SilentServer silent;
    resolver names(at(silent.name()));
    looked_up found;
    auto asks = [&]() -> tamed<> { found = co_await names.lookup("four.test"); };
    asks();
    loop_.reset();
    EXPECT_EQ(found.error, lookup_error::cancelled);
    asks();
    EXPECT_EQ(found.error, lookup_error::cancelled) << "and whoever asks later";
}

// ---- mistakes, and what the system lacks ----

TEST_F(Lookup, RefusesOptionsThatCanNotBe) {
    for (const std::string &server : {"no address", "127.0.0.1:5353:1", "300.0.0.1"})
        EXPECT_THROW(resolver{at(server)}, std::system_error) << server;
    EXPECT_THROW(resolver(at("127.0.0.1", 0ms)), std::system_error);
    EXPECT_THROW(resolver(at("127.0.0.1", 1ms, 0)), std::system_error);
    resolver_options options;
    options.at_once = 0;
    EXPECT_THROW(resolver{options}, std::system_error);
    EXPECT_NO_THROW(resolver(at("[::1]:5353")));
}

TEST_F(Lookup, SurvivesAProcessWithoutDescriptors) {
    resolver names(at(server_->name()));
    rlimit before{}, none{};
    getrlimit(RLIMIT_NOFILE, &before);
    none = {0, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    const looked_up without = ask(names, "four.test");
    setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_EQ(without.error, lookup_error::no_connection);
    EXPECT_EQ(texts(ask(names, "four.test")), Texts{"10.0.0.2"});
}

}  // namespace
