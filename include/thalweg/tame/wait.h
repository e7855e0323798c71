// thalweg: plain functions that wait: they block their thread, or their fiber (fiber.h), and all their callers with them (paper
// tame-usenix07, section 4).
//
//     int mysleep(int d) {
//         gather all;
//         timer(std::chrono::seconds(d), mkevent(all));
//         wait(all);
//         return d;
//     }
#pragma once

#include <future>
#include <source_location>
#include <stdexcept>
#include <sys/stat.h>
#include <type_traits>
#include <utility>

#include <thalweg/loop.h>
#include <thalweg/tame/own_stack.h>
#include <thalweg/tame/threads.h>

namespace THALWEG_TAME {

// What a plain function waits for will never come.
class wait_error : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

namespace detail {

// While it lives, those that wait for the running function to block go on: it does, with its thread.
class SetAside {
  public:
    SetAside() = default;
    SetAside(const SetAside &) = delete;
    SetAside &operator=(const SetAside &) = delete;
    ~SetAside() {
        ready.take_back(running_);
        own_stack = own_;
    }

  private:
    size_t running_ = ready.set_aside();
    OwnStack *own_ = std::exchange(own_stack, nullptr);  // what waits inside of this wait ends before it
};

// Other threads may send something to a loop, but for idle ones of ours. Unknown: they may.
inline bool has_other_threads() {
    struct stat tasks{};
    constexpr nlink_t beside_threads = 2;  // links of a folder: its own, and its parent's to it
    return stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink > beside_threads + 1 + Workers::all().idle();
}

// `on`: what is waited for, where its events can be told.
template <class IsOver>
void run_until(const IsOver &is_over, const Owner *on, std::source_location place) {
    thalweg_loop *loop = loop_here();
    const SetAside others;
    while (!is_over()) {
        if (!thalweg_loop_has_pending(loop) && !has_other_threads()) {
            if (current_reporter) {
                const Node *pending = on ? on->newest_pending() : nullptr;
                current_reporter({mistake::cannot_end, pending ? pending->place() : place, place, 0});
            }
            throw wait_error("a wait that can't end: the loop has nothing more to do");
        }
        thalweg_loop_run_once(loop, 1, nullptr);
    }
}

// Blocks the fiber that the running function is on. False: it is on none that could go aside.
template <class Awaiter>
bool block_fiber(Awaiter &awaiter, FiberWait::Noted note) {
    if (!own_stack || !own_stack->may_go_aside())
        return false;
    FiberWaitFor<Awaiter> wanted(awaiter, note);
    own_stack->wait(wanted);
    return true;
}
template <class On>
void block(On &on, const char *what, std::source_location place) {
    if (!on.await_ready() && !block_fiber(on, {place, what, &on, nullptr}))
        run_until([&] { return on.await_ready(); }, &on, place);
}
template <class Value>
void block_for(tamed<Value> &function, std::source_location place) {
    const auto is_over = [&] { return function.has_returned() || function.is_gone(); };
    if (is_over())
        return;
    auto awaiter = function.operator co_await();
    if (!block_fiber(awaiter, {place, "a function", nullptr, awaiter.function.address()}))
        run_until(is_over, nullptr, place);
}

template <class Awaited>
using Awaiter = decltype(awaiter_of(std::declval<Awaited>()));
template <class Awaited>
using Awaited_t = std::decay_t<decltype(std::declval<std::remove_reference_t<Awaiter<Awaited>> &>().await_resume())>;

template <class Awaited>
tamed<Awaited_t<Awaited>> await(Awaited awaited) {
    co_return co_await std::move(awaited);
}
template <class Awaited>
concept Awaitable = requires(std::remove_reference_t<Awaiter<Awaited>> &awaiter) { awaiter.await_resume(); };
template <class Value>
inline constexpr bool is_tamed = false;
template <class Value>
inline constexpr bool is_tamed<tamed<Value>> = true;

}  // namespace detail

// Until some event of the rendezvous has occurred, or all of the gather's, or the tamed function has returned; gives what co_await gives.
// On a fiber, the fiber is blocked. Else this thread's loop runs meanwhile; where what is waited for can't come any more, because the loop has
// nothing to wait for and no other thread could send something, it is told of (mistake::cannot_end), and wait_error is thrown. What the
// loop runs may wait too: the innermost ends first. So it is, too, inside of a raise that a fiber makes, and of a turn that it runs.
template <class... Ids>
auto wait(rendezvous<Ids...> &r, std::source_location place = std::source_location::current()) {
    detail::block(r, "any of its events", place);
    return r.await_resume();
}
inline void wait(gather &all, std::source_location place = std::source_location::current()) {
    detail::block(all, "all of its events", place);
}
template <class Value>
Value wait(tamed<Value> function, std::source_location place = std::source_location::current()) {
    detail::block_for(function, place);
    if (function.is_gone())
        throw wait_error("the function has ended where it waited, and returned nothing");
    return function.operator co_await().await_resume();
}
// What else can be awaited: wait(pause_for(10ms)).
template <class Awaited>
    requires(!detail::is_tamed<Awaited> && detail::Awaitable<Awaited>)
auto wait(Awaited awaited, std::source_location place = std::source_location::current()) {
    return wait(detail::await(std::move(awaited)), place);
}

namespace detail {

template <class Result, class Function>
tamed<> answer(std::promise<Result> answered, Function function) {
    try {
        if constexpr (std::is_void_v<Result>) {
            co_await function();
            answered.set_value();
        } else {
            answered.set_value(co_await function());
        }
    } catch (...) {
        answered.set_exception(std::current_exception());
    }
}

}  // namespace detail

// Any thread: the function is called in the loop's, and waited for there; this one, or its fiber, is blocked, with its own loop, until it has
// returned what it gives. Throws what it throws, and wait_error where the loop is gone before.
template <class Function>
auto wait_in(Loop &loop, Function function) {
    using Result = detail::Awaited_t<std::invoke_result_t<Function &>>;
    if (thalweg_loop_is_here(loop.handle()))
        return wait(function());
    std::promise<Result> answered;
    std::future<Result> answer = answered.get_future();
    loop.post([answered = std::move(answered), function = std::move(function)]() mutable {
        detail::answer(std::move(answered), std::move(function));
    });
    if (detail::own_stack)
        wait(blocking([&] { answer.wait(); }));
    try {
        return answer.get();
    } catch (const std::future_error &) {
        throw wait_error("the loop is gone, or the function has ended where it waited");
    }
}

}  // namespace THALWEG_TAME
