// benchmarks: a listening socket on the loopback, and the coroutine of a connection that nobody waits for
#pragma once

#include <arpa/inet.h>
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <netinet/in.h>
#include <sys/socket.h>

inline void need(bool well, const char *what) {
    if (well)
        return;
    std::perror(what);
    std::exit(1);
}

inline int listen_on(int port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int on = 1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    need(bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0, "bind");
    need(listen(listener, 4096) == 0, "listen");
    return listener;
}

// It starts at once, and its frame goes when it ends.
struct Detached {
    struct promise_type {
        Detached get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};
