// measure: what it costs to hand a byte to another thread or process and to get one back.
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <semaphore.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>

#include "measure/machine_row.h"

namespace thalweg::measure {

namespace {

// One end of a way for bytes there and back.
struct End {
    int in = -1;
    int out = -1;
};
struct Way {
    std::array<Descriptor, 4> held;
    End ours;
    End theirs;
};

constexpr char more = 'm';
constexpr char last = 'l';

// What the other side does: bytes back as they come, until the last one.
void echo(End end) {
    for (char byte = more; byte == more;)
        if (::read(end.in, &byte, 1) != 1 || ::write(end.out, &byte, 1) != 1)
            return;
}

int exchange(End end, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
        char byte = more;
        errno = 0;
        if (::write(end.out, &byte, 1) != 1 || ::read(end.in, &byte, 1) != 1)
            return errno != 0 ? errno : EPIPE;
    }
    return 0;
}

Result<Way> two_pipes() {
    int there[2], back[2];
    if (::pipe2(there, O_CLOEXEC) != 0)
        return failed("pipe");
    Way way;
    way.held = {Descriptor(there[0]), Descriptor(there[1])};
    if (::pipe2(back, O_CLOEXEC) != 0)
        return failed("pipe");
    way.held[2] = Descriptor(back[0]);
    way.held[3] = Descriptor(back[1]);
    way.ours = {back[0], there[1]};
    way.theirs = {there[0], back[1]};
    return way;
}

Result<Way> local_socket() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return failed("socketpair");
    Way way;
    way.held = {Descriptor(ends[0]), Descriptor(ends[1])};
    way.ours = {ends[0], ends[0]};
    way.theirs = {ends[1], ends[1]};
    return way;
}

// Bound to a port of the loopback that the kernel chose, which stands in `address` then.
Result<Descriptor> loopback(int type, sockaddr_in &address) {
    Descriptor socket(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
    if (socket.number() < 0)
        return failed("socket");
    address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    sockaddr *any = reinterpret_cast<sockaddr *>(&address);
    if (::bind(socket.number(), any, size) != 0 || ::getsockname(socket.number(), any, &size) != 0)
        return failed("bind to 127.0.0.1");
    return socket;
}

Way way_of(Descriptor ours, Descriptor theirs) {
    Way way;
    way.ours = {ours.number(), ours.number()};
    way.theirs = {theirs.number(), theirs.number()};
    way.held = {std::move(ours), std::move(theirs)};
    return way;
}

Result<Way> tcp() {
    sockaddr_in address;
    Result<Descriptor> listener = loopback(SOCK_STREAM, address);
    if (!listener)
        return listener.error();
    Descriptor ours(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::listen(listener->number(), 1) != 0 ||
        ::connect(ours.number(), reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
        return failed("connect to 127.0.0.1");
    Descriptor theirs(::accept4(listener->number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (theirs.number() < 0)
        return failed("accept");
    const int yes = 1;
    ::setsockopt(ours.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::setsockopt(theirs.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return way_of(std::move(ours), std::move(theirs));
}

Result<Way> udp() {
    sockaddr_in our_address, their_address;
    Result<Descriptor> ours = loopback(SOCK_DGRAM, our_address);
    if (!ours)
        return ours.error();
    Result<Descriptor> theirs = loopback(SOCK_DGRAM, their_address);
    if (!theirs)
        return theirs.error();
    if (::connect(ours->number(), reinterpret_cast<sockaddr *>(&their_address), sizeof their_address) != 0 ||
        ::connect(theirs->number(), reinterpret_cast<sockaddr *>(&our_address), sizeof our_address) != 0)
        return failed("connect to 127.0.0.1");
    return way_of(std::move(*ours), std::move(*theirs));
}

// The other side as a thread, or as a process. Both end with the last byte.
class Partner {
  public:
    Partner(Way way, bool as_process) : way_(std::move(way)) {
        if (!as_process) {
            thread_ = std::thread([this] { echo(way_.theirs); });
            return;
        }
        child_ = ::fork();
        if (child_ != 0)
            return;
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // its ways end with its parent's, which it has open too
        echo(way_.theirs);
        ::_exit(0);
    }
    Partner(const Partner &) = delete;
    Partner &operator=(const Partner &) = delete;
    ~Partner() {
        if (there())
            static_cast<void>(::write(way_.ours.out, &last, 1) == 1);
        if (thread_.joinable())
            thread_.join();
        if (child_ > 0)
            ::waitpid(child_, nullptr, 0);
    }
    bool there() const { return child_ >= 0; }
    int exchange(uint64_t count) const { return measure::exchange(way_.ours, count); }

  private:
    Way way_;
    std::thread thread_;
    pid_t child_ = 0;
};

template <Result<Way> (*make)(), bool as_process>
Result<Work> with_partner(const std::string &, uint32_t) {
    Result<Way> way = make();
    if (!way)
        return way.error();
    auto partner = std::make_shared<Partner>(std::move(*way), as_process);
    if (!partner->there())
        return failed("fork");
    return Work([partner](uint64_t count) { return partner->exchange(count); });
}

// The same pipe, but nobody else: what the calls alone cost.
Result<Work> own_pipe(const std::string &, uint32_t) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return failed("pipe");
    auto held = std::make_shared<std::array<Descriptor, 2>>();
    *held = {Descriptor(ends[0]), Descriptor(ends[1])};
    return Work([held](uint64_t count) { return exchange({(*held)[0].number(), (*held)[1].number()}, count); });
}

// A thread that is woken, and wakes who woke it, without any descriptor.
class Woken {
  public:
    Woken() {
        ::sem_init(&there_, 0, 0);
        ::sem_init(&back_, 0, 0);
        thread_ = std::thread([this] {
            for (bool going_on = true; going_on;) {
                wait(&there_);
                going_on = !ended_;
                ::sem_post(&back_);
            }
        });
    }
    Woken(const Woken &) = delete;
    Woken &operator=(const Woken &) = delete;
    ~Woken() {
        ended_ = true;
        ::sem_post(&there_);
        thread_.join();
        ::sem_destroy(&there_);
        ::sem_destroy(&back_);
    }
    int exchange(uint64_t count) {
        for (uint64_t i = 0; i < count; ++i) {
            ::sem_post(&there_);
            wait(&back_);
        }
        return 0;
    }

  private:
    static void wait(sem_t *semaphore) {
        while (::sem_wait(semaphore) != 0) {  // a signal came in between
        }
    }
    sem_t there_{};
    sem_t back_{};
    bool ended_ = false;  // written before there_ is posted, read after
    std::thread thread_;
};

Result<Work> woken_thread(const std::string &, uint32_t) {
    auto woken = std::make_shared<Woken>();
    return Work([woken](uint64_t count) { return woken->exchange(count); });
}

}  // namespace

std::span<const MachineRow> exchange_rows() {
    constexpr model::TimeKind wall = model::TimeKind::wall;
    static constexpr MachineRow rows[] = {
        {.name = "pipe", .what = "a byte into a pipe and out again, nobody else", .prepare = own_pipe},
        {.name = "thread-semaphore",
         .what = "a thread woken, and back: two switches",
         .prepare = woken_thread,
         .time = wall},
        {.name = "thread-pipe",
         .what = "a byte to a thread and back by pipes",
         .prepare = with_partner<two_pipes, false>,
         .time = wall},
        {.name = "process-pipe",
         .what = "a byte to a process and back by pipes",
         .prepare = with_partner<two_pipes, true>,
         .time = wall},
        {.name = "process-socket",
         .what = "the same by a local socket",
         .prepare = with_partner<local_socket, true>,
         .time = wall,
         .against = "process-pipe"},
        {.name = "process-tcp",
         .what = "the same by TCP over the loopback",
         .prepare = with_partner<tcp, true>,
         .time = wall,
         .against = "process-pipe"},
        {.name = "process-udp",
         .what = "the same by UDP over the loopback",
         .prepare = with_partner<udp, true>,
         .time = wall,
         .against = "process-pipe"},
    };
    return rows;
}

}  // namespace thalweg::measure
