// thalweg: a tamed function: a coroutine that may block, and whose caller goes on when it returns or blocks (paper tame-usenix07,
// section 3.1).
//
//     tamed<address> resolve(std::string name);
//     address a = co_await resolve(name);  // blocks this function until it has returned
//     resolve(name);                       // lets it go its own way
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>

#include <thalweg/tame/rendezvous.h>
#ifdef THALWEG_TAME_TRACE
#include <thalweg/tame/trace.h>
#endif

namespace THALWEG_TAME {

template <class Value = void>
class tamed;

// Thrown by a wait on a fiber (fiber.h) that will never be over: its loop is gone, or what it waits for. Not a std::exception: nothing has
// failed, and whoever catches those would go on. A library in C between the wait and the fiber's begin must not be left by it: catch it
// there, and return an error through the library.
class fiber_dropped {};

namespace detail {

template <class Value>
class Promise;

// What a tamed object has: the function, until it is let go.
struct Holder {
    std::coroutine_handle<> function;
};

// Where a tamed function's result goes, and who waits for it.
class PromiseBase {
  public:
    PromiseBase() = default;
    PromiseBase(const PromiseBase &) = delete;
    PromiseBase &operator=(const PromiseBase &) = delete;
    ~PromiseBase() {
        if (other_ != let_go_mark && other_ != ended_mark)
            end_early();
    }

    static void *operator new(size_t size) { return pool.take(rounded(size)); }
    static void operator delete(void *frame, size_t size) { pool.give(frame, rounded(size)); }

    std::suspend_never initial_suspend() noexcept {
        ready.enter();
        return {};
    }
    struct AtEnd {
        bool await_ready() const noexcept { return false; }
        template <class Own>
        std::coroutine_handle<> await_suspend(std::coroutine_handle<Own> function) noexcept {
            return function.promise().ended(function);
        }
        void await_resume() const noexcept {}
    };
    AtEnd final_suspend() noexcept { return {}; }
    void unhandled_exception() noexcept {
        other_ = reinterpret_cast<uintptr_t>(new Thrown{other_, std::current_exception()}) | thrown_bit;
    }

    bool has_ended() const { return (other_ & (ended_mark | thrown_bit)) != 0; }
    void held_by(Holder &holder) {
        if (!has_ended())
            other_ = reinterpret_cast<uintptr_t>(&holder) | holder_bit;
    }
    // Nobody holds the function any more: it goes its own way.
    void let_go(std::coroutine_handle<> function) {
        if (!has_ended()) {
            other_ = let_go_mark;
            return;
        }
        if (has_thrown())
            end_unheard();
        function.destroy();
    }
    void waits(std::coroutine_handle<> function) { other_ = reinterpret_cast<uintptr_t>(function.address()); }

    // What is not a wait of ours, another library's awaitable, may resume this function from anywhere.
#ifdef THALWEG_TAME_TRACE
    template <class Awaited>
    auto await_transform(Awaited &&awaited, std::source_location place = std::source_location::current());
#else
    template <class Awaited>
    decltype(auto) await_transform(Awaited &&awaited) {
        return await_plainly(std::forward<Awaited>(awaited));
    }
#endif

  protected:
    template <class Awaited>
    decltype(auto) await_plainly(Awaited &&awaited);
    void rethrow() {
        if (has_thrown())
            std::rethrow_exception(take_thrown().exception);
    }

  private:
    // What left the function, beside it: most functions throw nothing, and need no place for it.
    struct Thrown {
        uintptr_t other;
        std::exception_ptr exception;
    };

    bool has_thrown() const { return (other_ & thrown_bit) != 0; }
    Thrown *thrown() const { return reinterpret_cast<Thrown *>(other_ & ~thrown_bit); }
    [[gnu::noinline]] Thrown take_thrown() {
        const std::unique_ptr<Thrown> taken(thrown());
        other_ = ended_mark;
        return std::move(*taken);
    }
    // As in a thread: nobody is there who could catch it. A function on a fiber that is dropped has ended where it waits.
    [[gnu::noinline]] void end_unheard() noexcept {
        try {
            std::rethrow_exception(take_thrown().exception);
        } catch (const fiber_dropped &) {
            return;
        }
    }
    std::coroutine_handle<> ended(std::coroutine_handle<> function) noexcept {
        const uintptr_t other = other_;
        if ((other & holder_bit) != 0) {
            other_ = ended_mark;
            return ready.leave();
        }
        if (other == let_go_mark || (other & thrown_bit) != 0)
            return ended_otherwise(function);
        other_ = ended_mark;
        return ready.leave_to(std::coroutine_handle<>::from_address(reinterpret_cast<void *>(other)));
    }
    // Nobody waits, or it has thrown.
    [[gnu::noinline]] std::coroutine_handle<> ended_otherwise(std::coroutine_handle<> function) noexcept {
        const uintptr_t other = has_thrown() ? thrown()->other : std::exchange(other_, ended_mark);
        if (other == let_go_mark) {
            if (has_thrown())
                end_unheard();
            function.destroy();
        } else if ((other & holder_bit) == 0) {
            return ready.leave_to(std::coroutine_handle<>::from_address(reinterpret_cast<void *>(other)));
        }
        return ready.leave();
    }
    // A function that ends where it waits takes along all that wait for it.
    [[gnu::noinline]] void end_early() {
        if (has_thrown()) {
            take_thrown();
            return;
        }
        const uintptr_t other = std::exchange(other_, let_go_mark);
        if ((other & holder_bit) != 0)
            holder_of(other)->function = nullptr;
        else
            std::coroutine_handle<>::from_address(reinterpret_cast<void *>(other)).destroy();
    }
    // What is aligned to 16 bytes has a size that is a multiple of that, but of frames no compiler says so.
    static constexpr size_t rounded(size_t size) { return (size + 15) / 16 * 16; }
    static Holder *holder_of(uintptr_t other) { return reinterpret_cast<Holder *>(other & ~holder_bit); }

    static constexpr uintptr_t let_go_mark = 0;
    // Frames, holders and what was thrown lie at addresses that are multiples of 8.
    static constexpr uintptr_t holder_bit = 1, ended_mark = 2, thrown_bit = 4;

    uintptr_t other_ =
        let_go_mark;  // the frame of the one who waits; or the holder, or what was thrown, with their bits; or a mark
};

template <class Value>
class Promise final : public PromiseBase {
  public:
    tamed<Value> get_return_object();
    template <class Given>
    void return_value(Given &&given) {
        value_.emplace(std::forward<Given>(given));
    }
    Value take() {
        rethrow();
        return std::move(*value_);
    }

  private:
    std::optional<Value> value_;
};

template <>
class Promise<void> final : public PromiseBase {
  public:
    tamed<void> get_return_object();
    void return_void() noexcept {}
    void take() { rethrow(); }
};

}  // namespace detail

template <class Value>
class [[maybe_unused]] tamed : detail::Holder {
  public:
    using promise_type = detail::Promise<Value>;

    tamed(tamed &&other) noexcept { take(other); }
    tamed &operator=(tamed &&other) noexcept {
        if (this != &other) {
            let_go();
            take(other);
        }
        return *this;
    }
    ~tamed() { let_go(); }

    bool has_returned() const { return function && promise().has_ended(); }
    bool is_gone() const { return !function; }  // ended where it waited, or moved from

    struct awaiter : detail::Wait {
        std::coroutine_handle<promise_type> function;
        explicit awaiter(std::coroutine_handle<promise_type> waited) : function(waited) {}
        bool await_ready() const noexcept { return function.promise().has_ended(); }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
            function.promise().waits(waiter);
            return detail::ready.leave();
        }
        Value await_resume() { return function.promise().take(); }
    };
    // Once: what it returned, or threw, is the one's who waits.
    awaiter operator co_await() { return awaiter(own()); }

  private:
    friend promise_type;
    explicit tamed(std::coroutine_handle<promise_type> made) : Holder{made} { promise().held_by(*this); }

    std::coroutine_handle<promise_type> own() const {
        return std::coroutine_handle<promise_type>::from_address(function.address());
    }
    promise_type &promise() const { return own().promise(); }
    void take(tamed &other) {
        function = std::exchange(other.function, nullptr);
        if (function)
            promise().held_by(*this);
    }
    void let_go() {
        if (function)
            promise().let_go(std::exchange(function, nullptr));
    }
};

namespace detail {

template <class Value>
tamed<Value> Promise<Value>::get_return_object() {
    return tamed<Value>(std::coroutine_handle<Promise>::from_promise(*this));
}
inline tamed<void> Promise<void>::get_return_object() {
    return tamed<void>(std::coroutine_handle<Promise>::from_promise(*this));
}

template <class Awaited>
decltype(auto) awaiter_of(Awaited &&awaited) {
    if constexpr (requires { std::forward<Awaited>(awaited).operator co_await(); })
        return std::forward<Awaited>(awaited).operator co_await();
    else if constexpr (requires { operator co_await(std::forward<Awaited>(awaited)); })
        return operator co_await(std::forward<Awaited>(awaited));
    else
        return std::forward<Awaited>(awaited);
}

// GCC 12 makes a copy of what it is given to await by reference.
#ifdef __clang__
inline constexpr bool copies_what_is_awaited = false;
#else
inline constexpr bool copies_what_is_awaited = true;
#endif

template <class Waited>
struct Referring {
    Waited &on;
    bool await_ready() const { return on.await_ready(); }
    auto await_suspend(std::coroutine_handle<> function) { return on.await_suspend(function); }
    decltype(auto) await_resume() { return on.await_resume(); }
};

template <class Inner>
struct Foreign {
    Inner inner;
    bool blocked = false;

    bool await_ready() { return inner.await_ready(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> function) {
        blocked = true;
        using Result = decltype(inner.await_suspend(function));
        if constexpr (std::is_void_v<Result>) {
            inner.await_suspend(function);
        } else if constexpr (std::is_same_v<Result, bool>) {
            if (!inner.await_suspend(function)) {
                blocked = false;
                return function;
            }
        } else {
            return ready.leave_for(inner.await_suspend(function));
        }
        return ready.leave();
    }
    decltype(auto) await_resume() {
        if (blocked)
            ready.enter();
        return inner.await_resume();
    }
};

template <class Awaited>
decltype(auto) PromiseBase::await_plainly(Awaited &&awaited) {
    using Inner = decltype(awaiter_of(std::forward<Awaited>(awaited)));
    if constexpr (!std::is_base_of_v<Wait, std::remove_cvref_t<Inner>>)
        return Foreign<Inner>{awaiter_of(std::forward<Awaited>(awaited))};
    else if constexpr (copies_what_is_awaited && std::is_reference_v<Inner>)
        return Referring<std::remove_reference_t<Inner>>{awaited};
    else
        return awaiter_of(std::forward<Awaited>(awaited));
}

#ifdef THALWEG_TAME_TRACE
template <class Awaited>
auto PromiseBase::await_transform(Awaited &&awaited, std::source_location place) {
    using Inner = decltype(await_plainly(std::forward<Awaited>(awaited)));
    return Traced<Inner>([&]() -> Inner { return await_plainly(std::forward<Awaited>(awaited)); }, place);
}
#endif

}  // namespace detail

}  // namespace THALWEG_TAME
