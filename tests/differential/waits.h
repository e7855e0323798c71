// tests: what every generated program of coroutines shares: the script's dice, the trace, places for events, coroutines of another kind.
//
// A script is a line "SEED WILDNESS ROUNDS". All that a program decides comes from its script's dice, so that a program that goes
// another way than the original soon does something else altogether.
#pragma once

#include <chrono>
#include <coroutine>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <thalweg/event.h>
#include <thalweg/tame.h>

using namespace thalweg::tame;

unsigned draw(unsigned below);
// Something out of the ordinary is to happen here.
bool wild();
void trace(const char *what, long a, long b, long c = 0);
// The script is not over, and not too much has run.
bool goes_on();
bool may_raise();
struct Depth {
    Depth();
    ~Depth();
};

inline std::chrono::microseconds us(unsigned time) { return std::chrono::microseconds(time); }
inline int mix(int one, int other) { return static_cast<int>((31L * one + other) % 10007); }

// Where events wait for whoever triggers them.
constexpr int places = 8, few_places = 3;
struct Places {
    event<int> ints[places];
    event<> plains[places];
    event<int, long> pairs[few_places];
    event<std::string> texts[few_places];
    std::deque<event<int>> queues[few_places];
    std::unique_ptr<rendezvous<int>> shared[few_places];
    bool is_waited_for[few_places] = {};
    lock *locks[few_places] = {};  // those of a script are never destroyed: who holds one may wait forever
};
extern Places at;

template <class... Values, class... Given>
void fire(event<Values...> &place, Given... given) {
    event<Values...>(std::move(place)).trigger(given...);
}
// By a copy, which stays in its place, and now and then once more.
template <class... Values, class... Given>
void fire_copy(event<Values...> &place, Given... given) {
    const event<Values...> copy = place;
    copy.trigger(given...);
    if (wild())
        copy.trigger(given...);
}
inline void fire_first(std::deque<event<int>> &queue, int value) {
    if (queue.empty())
        return;
    const event<int> first = std::move(queue.front());
    queue.pop_front();
    first.trigger(value);
}
// One function at a time waits for a shared rendezvous.
class Waiting {
  public:
    explicit Waiting(int number) : number_(number) { at.is_waited_for[number_] = true; }
    Waiting(const Waiting &) = delete;
    Waiting &operator=(const Waiting &) = delete;
    ~Waiting() { at.is_waited_for[number_] = false; }

  private:
    int number_;
};

// ---- coroutines that are not ours: a generator, a lazy task that is awaited by symmetric transfer, one that nobody awaits ----

class Generator {
  public:
    struct promise_type {
        int value = 0;
        Generator get_return_object() { return Generator(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int next) noexcept {
            value = next;
            return {};
        }
        void return_void() noexcept {}
        void unhandled_exception() { throw; }
    };
    explicit Generator(std::coroutine_handle<promise_type> made) : made_(made) {}
    Generator(Generator &&other) noexcept : made_(std::exchange(other.made_, nullptr)) {}
    Generator &operator=(Generator &&) = delete;
    ~Generator() {
        if (made_)
            made_.destroy();
    }
    bool next() {
        made_.resume();
        return !made_.done();
    }
    int value() const { return made_.promise().value; }

  private:
    std::coroutine_handle<promise_type> made_;
};

class Lazy {
  public:
    struct promise_type {
        std::coroutine_handle<> waiter = std::noop_coroutine();
        int value = 0;
        std::exception_ptr thrown;
        Lazy get_return_object() { return Lazy(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        struct AtEnd {
            bool await_ready() noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> own) noexcept {
                return own.promise().waiter;
            }
            void await_resume() noexcept {}
        };
        AtEnd final_suspend() noexcept { return {}; }
        void return_value(int result) noexcept { value = result; }
        void unhandled_exception() noexcept { thrown = std::current_exception(); }
    };
    explicit Lazy(std::coroutine_handle<promise_type> made) : made_(made) {}
    Lazy(Lazy &&other) noexcept : made_(std::exchange(other.made_, nullptr)) {}
    Lazy &operator=(Lazy &&) = delete;
    ~Lazy() {
        if (made_)
            made_.destroy();
    }
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
        made_.promise().waiter = waiter;
        return made_;
    }
    int await_resume() {
        if (made_.promise().thrown)
            std::rethrow_exception(made_.promise().thrown);
        return made_.promise().value;
    }

  private:
    std::coroutine_handle<promise_type> made_;
};

struct Detached {
    struct promise_type {
        Detached get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
};

// Blocks who awaits it, until somebody hands it a value. Whom another one takes the place of waits forever.
struct Baton {
    std::coroutine_handle<> waiter;
    int value = 0;
    bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<> function) noexcept { waiter = function; }
    int await_resume() noexcept { return value; }
    void hand(int next) {
        value = next;
        if (waiter)
            std::exchange(waiter, nullptr).resume();
    }
};
struct AwaitBaton {
    Baton &baton;
    bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<> function) noexcept { baton.await_suspend(function); }
    int await_resume() noexcept { return baton.value; }
};
extern Baton batons[places];

// Takes its place behind all others that did so, and the first of them goes on.
struct HandOn {
    static std::deque<std::coroutine_handle<>> ring;
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> function) {
        ring.push_back(function);
        const std::coroutine_handle<> first = ring.front();
        ring.pop_front();
        return first;
    }
    void await_resume() noexcept {}
};

// ---- defined by the generated program ----

void begin_all();
void raise_source(unsigned number, int value);
extern const unsigned source_count;
