// benchmarks: a web server by hand for exactly one file: coroutines on epoll, nothing that could be left out
#include <cerrno>
#include <coroutine>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "listen.h"
#include "page.h"

namespace {

constexpr size_t READ_AT_ONCE = 16384;
constexpr int EVENTS_AT_ONCE = 512;

// A connection is registered once; its descriptor's events resume this coroutine for as long as it runs.
struct Register {
    int epoll, descriptor, operation;
    uint32_t events;

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> task) const {
        epoll_event event{.events = events | EPOLLET, .data = {.ptr = task.address()}};
        need(epoll_ctl(epoll, operation, descriptor, &event) == 0, "epoll_ctl");
    }
    void await_resume() const noexcept {}
};

struct Descriptor {
    int number;
    explicit Descriptor(int which) : number(which) {}
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor() { close(number); }
};

struct Server {
    int epoll;
    Page page;
    char buffer[READ_AT_ONCE];  // all connections': what is left of a request moves to its connection
};

Detached serve(Server &server, int accepted) {
    const Descriptor connection(accepted);
    std::string rest;
    co_await Register{server.epoll, connection.number, EPOLL_CTL_ADD, EPOLLIN};
    for (;;) {
        const ssize_t received = recv(connection.number, server.buffer, READ_AT_ONCE, 0);
        if (received < 0 && errno == EAGAIN) {
            co_await std::suspend_always{};
            continue;
        }
        if (received <= 0)
            co_return;
        std::string_view bytes(server.buffer, static_cast<size_t>(received));
        if (!rest.empty())
            bytes = rest.append(bytes);
        bool more = static_cast<size_t>(received) == READ_AT_ONCE;
        do {
            Request request = server.page.next(bytes);
            if (request.size < 0)
                co_return;
            if (request.size == 0)
                break;
            bytes.remove_prefix(static_cast<size_t>(request.size));
            while (!request.answer.empty()) {
                const ssize_t sent =
                    send(connection.number, request.answer.data(), request.answer.size(), MSG_NOSIGNAL);
                if (sent < 0 && errno != EAGAIN)
                    co_return;
                if (sent >= 0) {
                    request.answer.remove_prefix(static_cast<size_t>(sent));
                    continue;
                }
                rest = std::string(bytes);
                bytes = rest;
                more = true;  // what arrives meanwhile is told once, here
                co_await Register{server.epoll, connection.number, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT};
            }
            if (request.close)
                co_return;
        } while (!bytes.empty());
        if (!bytes.empty() || !rest.empty())
            rest = std::string(bytes);
        if (!more)
            co_await std::suspend_always{};
    }
}

void accept_all(Server &server, int listener) {
    for (;;) {
        const int accepted = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (accepted < 0)
            return;
        serve(server, accepted);
    }
}

}  // namespace

int main(int count, char **words) {
    need(count == 3, "usage: bare-epoll PORT FILE");
    static Server server{epoll_create1(EPOLL_CLOEXEC), Page(words[2]), {}};
    const int listener = listen_on(std::atoi(words[1]));
    epoll_event listening{.events = EPOLLIN, .data = {.ptr = nullptr}};
    need(epoll_ctl(server.epoll, EPOLL_CTL_ADD, listener, &listening) == 0, "epoll_ctl");
    epoll_event events[EVENTS_AT_ONCE];
    for (;;) {
        const int ready = epoll_wait(server.epoll, events, EVENTS_AT_ONCE, -1);
        for (int i = 0; i < ready; ++i)
            if (events[i].data.ptr == nullptr)
                accept_all(server, listener);
            else
                std::coroutine_handle<>::from_address(events[i].data.ptr).resume();
    }
}
