// benchmarks: waiting with Asio's coroutines (standalone Asio, or Boost's), each case in the shortest way that its interface has.
#include <cstdint>
#include <optional>
#include <vector>

#ifdef WAITS_BOOST
#include <boost/asio.hpp>
namespace asio = boost::asio;
#else
#include <asio.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#endif

#include "driver.h"

namespace {

using asio::awaitable;
using asio::use_awaitable;

[[gnu::noinline]] awaitable<uint64_t> at_once(uint64_t number) { co_return number + 1; }

awaitable<void> call_each(uint64_t count, uint64_t &sum) {
    for (uint64_t i = 0; i < count; ++i)
        sum += co_await at_once(i);
}

uint64_t null(uint64_t count) {
    asio::io_context loop(1);
    uint64_t sum = 0;
    asio::co_spawn(loop, call_each(count, sum), asio::detached);
    loop.run();
    return sum;
}

awaitable<void> pause_each(uint64_t count, uint64_t &sum) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (uint64_t i = 0; i < count; ++i) {
        timer.expires_after(std::chrono::nanoseconds(0));
        co_await timer.async_wait(use_awaitable);
        sum += i;
    }
}

uint64_t timer0(uint64_t count) {
    asio::io_context loop(1);
    uint64_t sum = 0;
    asio::co_spawn(loop, pause_each(count, sum), asio::detached);
    while (!loop.stopped())
        loop.poll();
    return sum;
}

void pause_again(asio::steady_timer &timer, uint64_t next, uint64_t count, uint64_t &sum) {
    if (next == count)
        return;
    timer.expires_after(std::chrono::nanoseconds(0));
    timer.async_wait([&timer, next, count, &sum](auto) {
        sum += next;
        pause_again(timer, next + 1, count, sum);
    });
}

uint64_t timer0_callback(uint64_t count) {
    asio::io_context loop(1);
    asio::steady_timer timer(loop);
    uint64_t sum = 0;
    pause_again(timer, 0, count, sum);
    while (!loop.stopped())
        loop.poll();
    return sum;
}

awaitable<uint64_t> returns(uint64_t number) { co_return number; }

template <class Executor>
awaitable<void> fork_each(Executor where, uint64_t count, uint64_t &sum) {
    for (uint64_t i = 0; i < count; ++i)
        sum += co_await asio::co_spawn(where, returns(i), use_awaitable);
}

uint64_t forked(uint64_t count) {
    asio::io_context loop(1);
    uint64_t sum = 0;
    asio::co_spawn(loop, fork_each(loop.get_executor(), count, sum), asio::detached);
    loop.run();
    return sum;
}

uint64_t elsewhere(uint64_t count) {
    asio::io_context loop;
    asio::thread_pool pool(1);
    uint64_t sum = 0;
    asio::co_spawn(loop, fork_each(pool.get_executor(), count, sum), asio::detached);
    loop.run();
    return sum;
}

// Asio has no event to be triggered from outside: whoever waits leaves its handler.
class Signal {
  public:
    awaitable<uint64_t> wait() {
        return asio::async_initiate<const asio::use_awaitable_t<>, void(uint64_t)>(
            [this](auto handler) { waiter_.emplace(std::move(handler)); }, use_awaitable);
    }
    void trigger(uint64_t number) {
        auto waiter = std::move(*waiter_);
        waiter_.reset();
        std::move(waiter)(number);
    }

  private:
    std::optional<asio::async_result<asio::use_awaitable_t<>, void(uint64_t)>::handler_type> waiter_;
};

[[gnu::noinline]] awaitable<uint64_t> child(Signal *&outside) {
    Signal signal;
    outside = &signal;
    co_return co_await signal.wait();
}

awaitable<void> join_each(uint64_t count, uint64_t &sum, Signal *&outside) {
    const auto executor = co_await asio::this_coro::executor;
    for (uint64_t i = 0; i < count; ++i)
        sum += co_await asio::co_spawn(executor, child(outside), use_awaitable);
}

uint64_t fork_join(uint64_t count) {
    asio::io_context loop(1);
    uint64_t sum = 0;
    Signal *outside = nullptr;
    asio::co_spawn(loop, join_each(count, sum, outside), asio::detached);
    loop.poll();
    for (uint64_t i = 0; i < count; ++i) {
        outside->trigger(i);
        loop.poll();
    }
    return sum;
}

// Boost's version 1.74 has no `||` yet.
#ifndef WAITS_BOOST
// The limit is Asio's own `||`: what comes first cancels the other.
awaitable<void> limit_each(uint64_t count, uint64_t &sum, Signal *&answer) {
    using namespace asio::experimental::awaitable_operators;
    Signal signal;
    asio::steady_timer limit(co_await asio::this_coro::executor);
    for (uint64_t i = 0; i < count; ++i) {
        answer = &signal;
        limit.expires_after(std::chrono::seconds(10));
        const auto first = co_await (signal.wait() || limit.async_wait(use_awaitable));
        sum += first.index() == 0 ? std::get<0>(first) : 0;
    }
}

uint64_t timeout(uint64_t count) {
    asio::io_context loop(1);
    uint64_t sum = 0;
    Signal *answer = nullptr;
    asio::co_spawn(loop, limit_each(count, sum, answer), asio::detached);
    loop.poll();
    for (uint64_t i = 0; i < count; ++i) {
        answer->trigger(i);
        loop.poll();
    }
    return sum;
}
#endif

std::vector<Signal> never;

awaitable<void> blocks(Signal &signal) { co_await signal.wait(); }

void block(uint64_t count) {
    static asio::io_context loop(1);
    never.resize(count);
    for (Signal &one : never)
        asio::co_spawn(loop, blocks(one), asio::detached);
    loop.poll();
}

constexpr waits::Case cases[] = {
    {"null", null},       {"timer0", timer0},       {"fork-join", fork_join}, {"timer0-callback", timer0_callback},
    {"thread", forked},   {"elsewhere", elsewhere},
#ifndef WAITS_BOOST
    {"timeout", timeout},
#endif
};

}  // namespace

// What is blocked stays so: there is nothing to be taken down in order.
int main(int argc, char **argv) {
    const int status = waits::drive(argc, argv, cases, block);
    std::fflush(stdout);
    std::_Exit(status);
}
