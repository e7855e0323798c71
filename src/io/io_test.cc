// io: streams and listeners under io_uring and under epoll, as claims.
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <thalweg/loop.h>
#include <thalweg/tame.h>
#include <thalweg/tame/io.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

class Io : public testing::TestWithParam<const char *> {
  protected:
    Io() {
        setenv("THALWEG_IO", GetParam(), 1);
        loop_.emplace();
    }
    ~Io() override {
        loop_.reset();
        unsetenv("THALWEG_IO");
    }
    // Until it has returned; a minute is for a busy machine.
    template <class Value>
    Value run(tamed<Value> function) {
        const auto end = std::chrono::steady_clock::now() + 60s;
        while (!function.has_returned()) {
            if (std::chrono::steady_clock::now() > end) {
                ADD_FAILURE() << "it does not end";
                std::abort();
            }
            loop_->run_once();
        }
        std::optional<Value> result;
        auto take = [&]() -> tamed<> { result = co_await function; };
        take();
        return *result;
    }
    void run(tamed<> function) {
        run([](tamed<> &inner) -> tamed<int> {
            co_await inner;
            co_return 0;
        }(function));
    }
    thalweg::Loop &loop() { return *loop_; }

    std::optional<thalweg::Loop> loop_;
};

struct Pair {
    stream one, other;
    Pair() {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) != 0)
            throw std::system_error(errno, std::generic_category(), "socketpair");
        one = stream(ends[0]);
        other = stream(ends[1]);
    }
};

tamed<std::string> receive_all(stream &from) {
    std::string all;
    while (const received got = co_await from.receive())
        all += got.bytes;
    co_return all;
}

tamed<std::string> receive_size(stream &from, size_t size) {
    std::string all;
    while (all.size() < size) {
        const received got = co_await from.receive();
        if (!got)
            break;
        all += got.bytes;
    }
    co_return all;
}

tamed<> echo(stream peer) {
    while (const received got = co_await peer.receive()) {
        if (co_await peer.send(got.bytes))
            break;
    }
}

tamed<> send_and_close(stream to, std::string bytes) {
    const std::error_code error = co_await to.send(bytes);
    EXPECT_FALSE(error) << error.message();
}

std::string text_of(size_t size) {
    std::string text(size, ' ');
    for (size_t i = 0; i < size; ++i)
        text[i] = static_cast<char>('a' + (i * 7919 + i / 251) % 26);
    return text;
}

TEST_P(Io, BringsWhatTheOtherSideSends) {
    Pair pair;
    auto talk = [&]() -> tamed<std::string> {
        EXPECT_FALSE(co_await pair.one.send("header ", "body"));
        const received got = co_await pair.other.receive();
        co_return std::string(got.bytes);
    };
    EXPECT_EQ(run(talk()), "header body");
}

TEST_P(Io, TellsTheEnd) {
    Pair pair;
    send_and_close(std::move(pair.one), "last words");
    EXPECT_EQ(run(receive_all(pair.other)), "last words");
    EXPECT_EQ(run(receive_all(pair.other)), "") << "and again";
}

TEST_P(Io, ReceivesBeforeAnythingIsSent) {
    Pair pair;
    tamed<std::string> receives = receive_all(pair.other);
    for (const char *part : {"t", "r", "i", "ckle"}) {
        EXPECT_FALSE(run([&]() -> tamed<std::error_code> { co_return co_await pair.one.send(part); }()));
        loop().poll();
        EXPECT_FALSE(receives.has_returned());
    }
    pair.one = stream();
    EXPECT_EQ(run(std::move(receives)), "trickle");
}

// More than sockets and buffers hold, to one who takes its time.
TEST_P(Io, SendsAllOfALot) {
    Pair pair;
    const std::string text = text_of(5'000'000);
    send_and_close(std::move(pair.one), text);
    auto slowly = [&]() -> tamed<std::string> {
        std::string all;
        while (const received got = co_await pair.other.receive()) {
            all += got.bytes;
            if (all.size() % 7 == 0)
                co_await pause_for(0ns);
        }
        co_return all;
    };
    EXPECT_TRUE(run(slowly()) == text);
}

TEST_P(Io, SendsALotInTwoPieces) {
    Pair pair;
    const std::string header = text_of(700'000), body = text_of(900'001);
    auto sends = [&]() -> tamed<> {
        stream to = std::move(pair.one);
        EXPECT_FALSE(co_await to.send(header, body));
        EXPECT_FALSE(co_await to.send("", "tail"));
        EXPECT_FALSE(co_await to.send(""));
    };
    sends();
    EXPECT_TRUE(run(receive_all(pair.other)) == header + body + "tail");
}

TEST_P(Io, EchoesOverTcp) {
    listener sockets("127.0.0.1", 0);
    auto serve = [&]() -> tamed<> {
        while (stream peer = co_await sockets.accept())
            echo(std::move(peer));
    };
    serve();
    auto client = [&](size_t size) -> tamed<std::string> {
        stream peer = co_await connect_to("127.0.0.1", sockets.port());
        const std::string text = text_of(size);
        auto sends = [](stream &to, const std::string &bytes) -> tamed<> { EXPECT_FALSE(co_await to.send(bytes)); };
        const tamed<> sending = sends(peer, text);
        co_return co_await receive_size(peer, size) == text ? "same" : "different";
    };
    std::vector<tamed<std::string>> clients;
    for (size_t size : {1, 100, 5000, 300'000, 2'000'000})
        clients.push_back(client(size));
    for (tamed<std::string> &one : clients)
        EXPECT_EQ(run(std::move(one)), "same");
    sockets.close();
    loop().poll();
}

TEST_P(Io, SendsAtOnceOverTcp) {
    listener sockets("127.0.0.1", 0);
    auto both = [&]() -> tamed<int> {
        tamed<stream> connects = connect_to("127.0.0.1", sockets.port());
        const stream server = co_await sockets.accept(), client = co_await connects;
        for (const stream *one : {&server, &client}) {
            int is_set = 0;
            socklen_t size = sizeof(is_set);
            getsockopt(one->descriptor(), IPPROTO_TCP, TCP_NODELAY, &is_set, &size);
            EXPECT_EQ(is_set, 1);
        }
        co_return 0;
    };
    run(both());
}

TEST_P(Io, TellsAResetAndAPipeThatIsBroken) {
    listener sockets("127.0.0.1", 0);
    auto both = [&]() -> tamed<int> {
        tamed<stream> connects = connect_to("127.0.0.1", sockets.port());
        stream server = co_await sockets.accept();
        stream client = co_await connects;
        const linger hard{1, 0};
        setsockopt(client.descriptor(), SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
        client = stream();
        const received got = co_await server.receive();
        EXPECT_EQ(got.error, std::errc::connection_reset);
        const std::error_code error = co_await server.send("x");
        EXPECT_EQ(error, std::errc::broken_pipe);
        co_return 0;
    };
    run(both());
}

TEST_P(Io, TellsWhoReceivesThatTheStreamIsDropped) {
    std::optional<Pair> pair(std::in_place);
    std::error_code error;
    auto waits = [&]() -> tamed<> { error = (co_await pair->one.receive()).error; };
    const tamed<> waiting = waits();
    loop().poll();
    pair.reset();
    EXPECT_TRUE(waiting.has_returned());
    EXPECT_EQ(error, std::errc::operation_canceled);
}

TEST_P(Io, TellsWhoSendsThatTheStreamIsDropped) {
    std::optional<Pair> pair(std::in_place);
    const std::string text = text_of(5'000'000);
    std::error_code error;
    auto waits = [&]() -> tamed<> { error = co_await pair->one.send(text); };
    const tamed<> waiting = waits();
    loop().poll();
    loop().poll();
    EXPECT_FALSE(waiting.has_returned());
    pair.reset();
    EXPECT_TRUE(waiting.has_returned());
    EXPECT_EQ(error, std::errc::operation_canceled);
}

TEST_P(Io, TellsAllThatWaitThatTheLoopGoes) {
    Pair pair, other;
    listener sockets("127.0.0.1", 0);
    const std::string text = text_of(5'000'000);
    int told = 0;
    auto receives = [&]() -> tamed<> {
        told += (co_await pair.one.receive()).error == std::errc::operation_canceled;
        told += (co_await pair.one.receive()).error == std::errc::operation_canceled;
    };
    auto sends = [&]() -> tamed<> { told += co_await other.one.send(text) == std::errc::operation_canceled; };
    auto accepts = [&]() -> tamed<> { told += !co_await sockets.accept(); };
    receives();
    sends();
    accepts();
    loop().poll();
    loop().poll();
    loop_.reset();
    EXPECT_EQ(told, 4);
}

TEST_P(Io, ClosesWhatWasDroppedInTheLastTurn) {
    std::optional<Pair> pair(std::in_place);
    std::optional<listener> sockets(std::in_place, "127.0.0.1", 0);
    const std::array<int, 3> open{pair->one.descriptor(), pair->other.descriptor(), sockets->descriptor()};
    pair.reset();
    sockets.reset();
    loop_.reset();
    for (const int fd : open)
        EXPECT_EQ(fcntl(fd, F_GETFD), -1) << fd;
}

// The function ends where it waits; what the kernel was asked for reads and writes nothing of it any more.
TEST_P(Io, ForgetsAFunctionThatEndsWhereItWaits) {
    Pair pair;
    set_reporter(nullptr);
    for (const bool does_send : {false, true}) {
        std::optional<rendezvous<>> r(std::in_place);
        const event<> never = mkevent(*r);
        std::optional<std::string> text(text_of(5'000'000));
        auto inner = [&]() -> tamed<> {
            if (does_send)
                co_await pair.one.send(*text);
            else
                co_await pair.one.receive();
        };
        auto waits = [&]() -> tamed<> {
            const tamed<> io = inner();
            co_await *r;
        };
        waits();
        loop().poll();
        r.reset();
        text.reset();
        loop().poll();
    }
    set_reporter(report_on_stderr);
}

TEST_P(Io, RefusesASecondFunctionThatReceives) {
    Pair pair;
    const tamed<std::string> first = receive_all(pair.one);
    auto second = [&]() -> tamed<int> {
        try {
            co_await pair.one.receive();
        } catch (const std::logic_error &) {
            co_return 1;
        }
        co_return 0;
    };
    EXPECT_EQ(run(second()), 1);
    send_and_close(std::move(pair.other), "for the first");
    while (!first.has_returned())
        loop().run_once();
}

TEST_P(Io, RefusesASecondFunctionThatSends) {
    Pair pair;
    const std::string text = text_of(5'000'000);
    auto sends = [&]() -> tamed<std::error_code> { co_return co_await pair.one.send(text); };
    const tamed<std::error_code> first = sends();
    loop().poll();
    auto second = [&]() -> tamed<int> {
        try {
            co_await pair.one.send("x", "y");
        } catch (const std::logic_error &) {
            co_return 1;
        }
        co_return 0;
    };
    EXPECT_EQ(run(second()), 1);
    EXPECT_TRUE(run(receive_size(pair.other, text.size())) == text);
    while (!first.has_returned())
        loop().run_once();
}

// What has come was told already, and its function's turn is still to come.
TEST_P(Io, TellsWhoWasAboutToGoOnThatTheStreamIsDropped) {
    std::optional<Pair> pair(std::in_place);
    std::optional<std::error_code> error;
    auto waits = [&]() -> tamed<> { error = (co_await pair->one.receive()).error; };
    const tamed<> waiting = waits();
    ASSERT_EQ(write(pair->other.descriptor(), "x", 1), 1);
    auto inner = [&]() -> tamed<> {
        thalweg_loop_run_once(loop().handle(), 0, nullptr);
        thalweg_loop_run_once(loop().handle(), 0, nullptr);
        EXPECT_FALSE(error) << "it may not go on before this function blocks";
        pair.reset();
        co_return;
    };
    inner();
    for (int i = 0; i < 10 && !error; ++i)
        loop().poll();
    ASSERT_TRUE(error);
    EXPECT_EQ(*error, std::errc::operation_canceled);
}

// ---- what a function has received is its own until it receives again ----

tamed<> sends_when_it_may(stream &to, std::string text) { co_await to.send(text); }

// Of each the same letter. It looks at what it has once others have received too.
TEST_P(Io, LeavesWhatAFunctionHasReceivedWhileOthersReceive) {
    std::vector<Pair> pairs(20);
    int right = 0, looked = 0;
    auto receives = [&](stream &from, char letter) -> tamed<> {
        for (int i = 0; i < 10; ++i) {
            const received got = co_await from.receive();
            for (int turn = 0; turn < 3; ++turn)
                co_await pause_for(1us * letter);
            right += got.bytes.find_first_not_of(letter) == std::string_view::npos;
            ++looked;
        }
    };
    std::vector<tamed<>> all;
    for (size_t i = 0; i < pairs.size(); ++i) {
        const char letter = static_cast<char>('a' + i);
        all.push_back(sends_when_it_may(pairs[i].one, std::string(1'000'000, letter)));
        all.push_back(receives(pairs[i].other, letter));
    }
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (looked != 200 && std::chrono::steady_clock::now() < end)
        loop().run_once();
    EXPECT_EQ(right, 200);
}

// What is sent waits where it was received, until the other side reads.
TEST_P(Io, EchoesToEachItsOwnWhoReadsLate) {
    constexpr size_t size = 2'000'000;
    std::vector<Pair> pairs(5);
    std::vector<tamed<>> sends;
    for (size_t i = 0; i < pairs.size(); ++i) {
        echo(std::move(pairs[i].other));
        sends.push_back(sends_when_it_may(pairs[i].one, std::string(size, static_cast<char>('a' + i))));
    }
    for (int i = 0; i < 100; ++i)
        loop().poll();
    std::vector<char> some(20'000);
    for (size_t i = 0; i < pairs.size(); ++i) {
        size_t left = size, wrong = 0;
        const auto end = std::chrono::steady_clock::now() + 60s;
        while (left != 0 && std::chrono::steady_clock::now() < end) {
            const ssize_t count = read(pairs[i].one.descriptor(), some.data(), some.size());
            for (ssize_t at = 0; at < count; ++at)
                wrong += some[static_cast<size_t>(at)] != static_cast<char>('a' + i);
            left -= count > 0 ? static_cast<size_t>(count) : 0;
            loop().poll();
        }
        EXPECT_EQ(left, 0u);
        EXPECT_EQ(wrong, 0u) << "bytes of another one's";
    }
}

// io_uring's buffers are pages. Under epoll who has a few bytes takes a few bytes, and when all are given back there is the whole buffer again.
class EpollIo : public Io {};
TEST_P(EpollIo, PutsWhatManyHaveReceivedIntoOneBuffer) {
    std::vector<Pair> pairs(100);
    std::vector<const char *> places;
    rendezvous<> all_have;
    std::vector<event<>> go_on;
    std::vector<tamed<>> functions;
    auto holds = [&](stream &from) -> tamed<> {
        places.push_back((co_await from.receive()).bytes.data());
        gather wait;
        go_on.push_back(mkevent(wait));
        co_await wait;
        co_await from.receive();
    };
    for (Pair &pair : pairs) {
        functions.push_back(holds(pair.other));
        ASSERT_EQ(write(pair.one.descriptor(), "0123456789", 10), 10);
    }
    while (places.size() != pairs.size())
        loop().run_once();
    for (size_t i = 1; i < places.size(); ++i)
        EXPECT_EQ(places[i], places[0] + 10 * i);
    for (const event<> &one : go_on)
        one.trigger();
    loop().poll();
    Pair last;
    const std::string much = text_of(100'000);
    const tamed<> sends = sends_when_it_may(last.one, much);
    auto receives = [&]() -> tamed<size_t> { co_return (co_await last.other.receive()).bytes.size(); };
    EXPECT_EQ(run(receives()), 65535u);
    pairs.clear();
}

// Peers send and are not listened to, until all of the loop's buffers are full: others must still be heard.
TEST_P(Io, HearsOneAmongManyThatAreNotListenedTo) {
    std::vector<Pair> deaf(100);
    const std::string text = text_of(100'000);
    std::vector<tamed<>> flood;
    auto once = [](stream &from) -> tamed<> { co_await from.receive(); };
    auto sends = [&](stream &to) -> tamed<> { co_await to.send(text); };
    for (Pair &pair : deaf) {
        flood.push_back(once(pair.other));
        flood.push_back(sends(pair.one));
    }
    for (int i = 0; i < 200; ++i)
        loop().poll();
    Pair pair;
    for (int i = 0; i < 20; ++i) {
        EXPECT_FALSE(run([&]() -> tamed<std::error_code> { co_return co_await pair.one.send("hear me"); }()));
        EXPECT_EQ(run(receive_size(pair.other, 7)), "hear me");
    }
    send_and_close(std::move(deaf[50].one), "");
    EXPECT_GT(run(receive_all(deaf[50].other)).size(), 10'000u) << "and what was kept is not lost";
}

TEST_P(Io, AcceptsAgainWhenDescriptorsHaveRunOut) {
    listener sockets("127.0.0.1", 0);
    std::vector<stream> taken;
    auto serve = [&]() -> tamed<> {
        while (stream peer = co_await sockets.accept())
            taken.push_back(std::move(peer));
    };
    std::vector<stream> clients;
    auto connects = [&]() -> tamed<int> {
        clients.push_back(co_await connect_to("127.0.0.1", sockets.port()));
        co_return 0;
    };
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    // Three more: two clients, and one of them at the server. io_uring takes the limit with the request.
    const std::array<int, 3> next{dup(0), dup(0), dup(0)};
    for (const int fd : next)
        close(fd);
    const rlimit low{static_cast<rlim_t>(next[2]) + 1, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &low);
    serve();
    run(connects());
    run(connects());
    for (int i = 0; i < 10; ++i)
        loop().poll();
    EXPECT_EQ(taken.size(), 1u);
    setrlimit(RLIMIT_NOFILE, &before);
    while (taken.size() < 2)
        loop().run_once();
    sockets.close();
    loop().poll();
}

// A program that keeps some descriptors for its files must still have them when many connect.
TEST_P(Io, TakesNoMoreThanAreAskedForWhereDescriptorsAreScarce) {
    listener sockets("127.0.0.1", 0);
    std::vector<tamed<stream>> clients;
    for (int i = 0; i < 20; ++i)
        clients.push_back(connect_to("127.0.0.1", sockets.port()));
    for (int i = 0; i < 50; ++i)
        loop().poll();
    rlimit before{};
    getrlimit(RLIMIT_NOFILE, &before);
    setrlimit(RLIMIT_NOFILE, std::array{rlimit{200, before.rlim_max}}.data());
    const auto next = [] {
        const int fd = dup(0);
        close(fd);
        return fd;
    };
    const int first = next();
    std::vector<stream> taken;
    gather all;
    std::optional<event<>> go_on;
    auto serve = [&]() -> tamed<> {
        while (stream peer = co_await sockets.accept()) {
            taken.push_back(std::move(peer));
            if (taken.size() != 3)
                continue;
            go_on = mkevent(all);
            co_await all;
        }
    };
    serve();
    while (taken.size() != 3)
        loop().run_once();
    for (int i = 0; i < 20; ++i)
        loop().poll();
    EXPECT_LE(next(), first + 4);
    go_on->trigger();
    while (taken.size() != clients.size())
        loop().run_once();
    setrlimit(RLIMIT_NOFILE, &before);
    sockets.close();
    loop().poll();
}

TEST_P(Io, AcceptsHundredsAtOnce) {
    listener sockets("127.0.0.1", 0);
    std::vector<tamed<stream>> clients;
    for (int i = 0; i < 300; ++i)
        clients.push_back(connect_to("127.0.0.1", sockets.port()));
    for (int i = 0; i < 50; ++i)
        loop().poll();
    size_t taken = 0;
    auto serve = [&]() -> tamed<> {
        while (stream peer = co_await sockets.accept())
            ++taken;
    };
    serve();
    while (taken < clients.size())
        loop().run_once();
    sockets.close();
    loop().poll();
}

TEST_P(Io, RefusesConnectionsThatNobodyTakes) {
    uint16_t port = 0;
    {
        const listener sockets("127.0.0.1", 0);
        port = sockets.port();
    }
    loop().poll();
    auto connects = [&]() -> tamed<int> {
        try {
            co_await connect_to("127.0.0.1", port);
        } catch (const std::system_error &error) {
            EXPECT_EQ(error.code(), std::errc::connection_refused);
            co_return 1;
        }
        co_return 0;
    };
    EXPECT_EQ(run(connects()), 1);
}

TEST_P(Io, RefusesWhatIsNoAddress) {
    EXPECT_THROW(listener("localhost", 0), std::system_error);
    EXPECT_THROW(listener("127.0.0.1.5", 0), std::system_error);
    const listener taken("127.0.0.1", 0);
    EXPECT_THROW(listener("127.0.0.1", taken.port()), std::system_error);
    const Pair connected;
    EXPECT_THROW(listener(connected.one.descriptor()), std::system_error);
    EXPECT_THROW(listener(-1), std::system_error);
}

TEST_P(Io, TakesTimersAndSignalsWithStreams) {
    Pair pair;
    std::string log;
    auto times = [&]() -> tamed<> {
        co_await pause_for(5ms);
        log += "timer ";
        raise(SIGUSR1);
    };
    auto signals = [&]() -> tamed<> {
        rendezvous<> r;
        wait_on_signal(SIGUSR1, mkevent(r));
        co_await r;
        log += "signal ";
        co_await pair.one.send("bytes");
    };
    times();
    signals();
    log += run(receive_size(pair.other, 5));
    EXPECT_EQ(log, "timer signal bytes");
}

// ---- whether something is to come ----

bool has_pending(thalweg::Loop &loop) { return thalweg_loop_has_pending(loop.handle()) != 0; }

tamed<> sends_all(stream &to, std::string_view bytes) { co_await to.send(bytes); }
tamed<> connects_both(listener &sockets, stream &server, stream &client) {
    tamed<stream> connects = connect_to("127.0.0.1", sockets.port());
    server = co_await sockets.accept();
    client = co_await connects;
}

TEST_P(Io, BringsNothingWhereNobodyWaits) {
    listener sockets("127.0.0.1", 0);
    EXPECT_FALSE(has_pending(loop())) << "it was never waited for";
    stream server, client;
    run(connects_both(sockets, server, client));
    run(sends_all(client, "a"));
    EXPECT_EQ(run(receive_size(server, 1)), "a");
    loop().poll();
    if (GetParam() == std::string("io_uring"))
        EXPECT_FALSE(has_pending(loop())) << "both are open, and the kernel has requests of theirs";
    server = {};
    client = {};
    loop().poll();
    EXPECT_FALSE(has_pending(loop()));
}

TEST_P(Io, IsToBringSomethingToWhoWaits) {
    listener sockets("127.0.0.1", 0);
    tamed<> accepts = [](listener &from) -> tamed<> { co_await from.accept(); }(sockets);
    loop().poll();
    EXPECT_TRUE(has_pending(loop()));
    sockets.close();
    run(std::move(accepts));
    Pair pair;
    tamed<std::string> receives = receive_size(pair.one, 1);
    EXPECT_TRUE(has_pending(loop()));
    run(sends_all(pair.other, "b"));
    EXPECT_EQ(run(std::move(receives)), "b");
    const std::string lot = text_of(1 << 22);
    tamed<> sends = sends_all(pair.other, lot);
    for (int turn = 0; turn < 3; ++turn) {
        EXPECT_TRUE(has_pending(loop())) << turn;
        loop().poll();
    }
    EXPECT_FALSE(sends.has_returned());
    EXPECT_EQ(run(receive_size(pair.one, lot.size())), lot);
    run(std::move(sends));
    loop().poll();
    if (GetParam() == std::string("io_uring"))
        EXPECT_FALSE(has_pending(loop()));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Io, testing::Values("io_uring", "epoll"),
                         [](const auto &kind) { return std::string(kind.param); });

INSTANTIATE_TEST_SUITE_P(Kinds, EpollIo, testing::Values("epoll"),
                         [](const auto &kind) { return std::string(kind.param); });

TEST(IoChoice, IsIoUringUnlessTheEnvironmentAsksForAnother) {
    unsetenv("THALWEG_IO");
    EXPECT_EQ(chosen_io().kind, io_kind::io_uring) << chosen_io().reason;
    setenv("THALWEG_IO", "epoll", 1);
    EXPECT_EQ(chosen_io().kind, io_kind::epoll);
    setenv("THALWEG_IO", "kqueue", 1);
    EXPECT_THROW(chosen_io(), std::system_error);
    unsetenv("THALWEG_IO");
}

}  // namespace
