// runtime: waits for descriptors and signals, as claims.
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

#include <thalweg/loop.h>
#include <thalweg/tame.h>

namespace {

using namespace std::chrono_literals;
using namespace thalweg::tame;

// Two sockets that are connected to each other.
class Pair {
  public:
    Pair() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_.data()), 0); }
    ~Pair() {
        for (int i = 0; i < 2; ++i)
            close_end(i);
    }
    void close_end(int i) {
        if (ends_[i] >= 0)
            close(ends_[i]);
        ends_[i] = -1;
    }
    int operator[](int i) const { return ends_[i]; }
    void write_to(int i, const std::string &text) const {
        EXPECT_EQ(write(ends_[i], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    std::string read_from(int i) const {
        std::array<char, 64> bytes{};
        const ssize_t size = read(ends_[i], bytes.data(), bytes.size());
        return size > 0 ? std::string(bytes.data(), size) : "";
    }

  private:
    std::array<int, 2> ends_{-1, -1};
};

tamed<> wait_for(int fd, interest wanted, std::string &log, const char *words) {
    rendezvous<> r;
    wait_on_fd(fd, wanted, mkevent(r));
    co_await r;
    log += words;
}

TEST(WaitOnDescriptor, TriggersWhenThereIsSomethingToRead) {
    thalweg::Loop loop;
    const Pair pair;
    std::string log;
    wait_for(pair[0], interest::readable, log, "read ");
    loop.poll();
    EXPECT_EQ(log, "");
    pair.write_to(1, "x");
    loop.poll();
    EXPECT_EQ(log, "read ");
    loop.poll();
    EXPECT_EQ(log, "read ") << "once for each wait";
}

TEST(WaitOnDescriptor, TriggersForWhatIsThereAlready) {
    thalweg::Loop loop;
    const Pair pair;
    pair.write_to(1, "x");
    std::string log;
    wait_for(pair[0], interest::readable, log, "1");
    loop.poll();
    wait_for(pair[0], interest::readable, log, "2");  // nobody has read
    loop.poll();
    EXPECT_EQ(log, "12");
}

TEST(WaitOnDescriptor, TellsReadersAndWritersOfOneDescriptorApart) {
    thalweg::Loop loop;
    const Pair pair;
    std::string log;
    wait_for(pair[0], interest::readable, log, "read ");
    wait_for(pair[0], interest::writable, log, "write ");
    loop.poll();
    EXPECT_EQ(log, "write ");
    pair.write_to(1, "x");
    loop.poll();
    EXPECT_EQ(log, "write read ");
}

TEST(WaitOnDescriptor, TriggersAllThatWaitInTheirOrder) {
    thalweg::Loop loop;
    const Pair pair;
    std::string log;
    for (const char *words : {"1", "2", "3"})
        wait_for(pair[0], interest::readable, log, words);
    pair.write_to(1, "x");
    loop.poll();
    EXPECT_EQ(log, "123");
}

TEST(WaitOnDescriptor, TriggersWhenTheOtherSideIsGone) {
    thalweg::Loop loop;
    Pair pair;
    std::string log;
    wait_for(pair[0], interest::readable, log, "gone");
    pair.close_end(1);
    loop.poll();
    EXPECT_EQ(log, "gone");
}

TEST(WaitOnDescriptor, DoesNotTriggerWhatWasCancelled) {
    thalweg::Loop loop;
    const Pair pair;
    std::string log;
    {
        rendezvous<> r;
        wait_on_fd(pair[0], interest::readable, mkevent(r));
        r.cancel();
    }
    pair.write_to(1, "x");
    loop.poll();
    wait_for(pair[0], interest::readable, log, "again");
    loop.poll();
    EXPECT_EQ(log, "again");
}

// One of two whose wait ends in the same turn cancels the other.
TEST(WaitOnDescriptor, DoesNotTriggerWhatIsCancelledInTheSameTurn) {
    thalweg::Loop loop;
    const Pair one, other;
    rendezvous<int> r;
    wait_on_fd(one[0], interest::readable, mkevent(r, 1));
    wait_on_fd(other[0], interest::readable, mkevent(r, 2));
    wait_on_fd(one[0], interest::readable, mkevent(r, 3));
    int ended = 0;
    auto first = [&]() -> tamed<> {
        co_await r;
        r.cancel();
        ++ended;
    };
    first();
    one.write_to(1, "x");
    other.write_to(1, "x");
    loop.poll();
    loop.poll();
    EXPECT_EQ(ended, 1);
}

TEST(WaitOnDescriptor, FollowsANumberThatIsAnotherDescriptorNow) {
    thalweg::Loop loop;
    std::string log;
    int number = -1;
    {
        const Pair pair;
        number = pair[0];
        wait_for(number, interest::writable, log, "first ");
        loop.poll();
    }
    const Pair pair;
    ASSERT_EQ(pair[0], number);
    wait_for(number, interest::readable, log, "second ");
    pair.write_to(1, "x");
    loop.poll();
    EXPECT_EQ(log, "first second ");
}

TEST(WaitOnDescriptor, TriggersForAFileInTheNextTurn) {
    thalweg::Loop loop;
    std::string log;
    const int file = open("/proc/self/exe", O_RDONLY);
    wait_for(file, interest::readable, log, "file");
    EXPECT_EQ(log, "");
    loop.poll();
    EXPECT_EQ(log, "file");
    close(file);
}

TEST(WaitOnDescriptor, RefusesWhatIsNoDescriptor) {
    thalweg::Loop loop;
    set_reporter(nullptr);
    for (const int none : {-1, 12345}) {
        rendezvous<> r;
        EXPECT_THROW(wait_on_fd(none, interest::readable, mkevent(r)), std::system_error);
        r.cancel();
    }
    set_reporter(report_on_stderr);
}

TEST(WaitOnDescriptor, TellsOfAWaitThatItsLoopLeaves) {
    const Pair pair;
    rendezvous<> r;
    static int told;
    told = 0;
    set_reporter([](const report &what) { told += what.what == mistake::never_triggered; });
    {
        thalweg::Loop loop;
        wait_on_fd(pair[0], interest::readable, mkevent(r));
    }
    set_reporter(report_on_stderr);
    EXPECT_EQ(told, 1);
    EXPECT_FALSE(r.is_pending());
}

TEST(WaitOnDescriptor, TakesATimeLimit) {
    thalweg::Loop loop;
    const Pair pair;
    bool in_time = true;
    rendezvous<> r;
    wait_on_fd(pair[0], interest::readable, add_timeout(1ms, event<bool>(mkevent(r, in_time))));
    bool ended = false;
    auto wait = [&]() -> tamed<> {
        co_await r;
        ended = true;
    };
    wait();
    while (!ended)
        loop.run_once();
    EXPECT_FALSE(in_time);
    pair.write_to(1, "x");
    loop.poll();
}

tamed<> wait_for_signal(int signal, std::string &log) {
    rendezvous<> r;
    wait_on_signal(signal, mkevent(r));
    co_await r;
    log += std::to_string(signal) + " ";
}

TEST(WaitOnSignal, TriggersOncePerWaitAndKeepsWhatComesBetween) {
    thalweg::Loop loop;
    std::string log;
    wait_for_signal(SIGUSR1, log);
    wait_for_signal(SIGUSR2, log);
    raise(SIGUSR1);
    loop.poll();
    const std::string user1 = std::to_string(SIGUSR1) + " ", user2 = std::to_string(SIGUSR2) + " ";
    EXPECT_EQ(log, user1);
    raise(SIGUSR1);  // nobody waits: it stays pending
    raise(SIGUSR2);
    loop.poll();
    EXPECT_EQ(log, user1 + user2);
    wait_for_signal(SIGUSR1, log);
    loop.poll();
    EXPECT_EQ(log, user1 + user2 + user1);
}

TEST(WaitOnSignal, UnblocksWhatItBlockedWhenTheLoopGoes) {
    std::string log;
    {
        thalweg::Loop loop;
        wait_for_signal(SIGUSR1, log);
        raise(SIGUSR1);
        loop.poll();
    }
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&blocked, SIGUSR1), 0);
}

TEST(WaitOnSignal, DoesNotTriggerWhatWasCancelled) {
    thalweg::Loop loop;
    rendezvous<> r;
    std::string log;
    wait_on_signal(SIGUSR1, mkevent(r));
    r.cancel();
    raise(SIGUSR1);
    EXPECT_EQ(loop.poll(), 0u);
    wait_for_signal(SIGUSR1, log);  // it was nobody's, and is still there
    loop.poll();
    EXPECT_EQ(log, std::to_string(SIGUSR1) + " ");
}

TEST(WaitOnSignal, RefusesWhatIsNoSignal) {
    thalweg::Loop loop;
    set_reporter(nullptr);
    for (const int none : {0, -1, 1000, SIGKILL, SIGSTOP}) {
        rendezvous<> r;
        EXPECT_THROW(wait_on_signal(none, mkevent(r)), std::system_error);
        r.cancel();
    }
    set_reporter(report_on_stderr);
}

}  // namespace
