// thalweg: calls that block, made in another thread (paper tame-usenix07, section 4).
//
//     addrinfo *found = nullptr;
//     int failed = co_await blocking([&] { return getaddrinfo(name, "http", nullptr, &found); });
//
//     tfork([=] { return count_rows(file); }, mkevent(all, rows));
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <thalweg/tame/tamed.h>
#include <thalweg/tame/workers.h>

namespace THALWEG_TAME {

namespace detail {

struct Nothing {};

// What a call gave, or threw. Made in one thread, taken in another.
template <class Result>
class Outcome {
  public:
    using Kept = std::conditional_t<std::is_void_v<Result>, Nothing, Result>;

    template <class Function>
    void make(Function &function) noexcept {
        try {
            if constexpr (std::is_void_v<Result>) {
                function();
                value.emplace();
            } else {
                value.emplace(function());
            }
        } catch (...) {
            thrown = std::current_exception();
        }
    }
    Result take() {
        if (thrown)
            std::rethrow_exception(std::exchange(thrown, nullptr));
        if constexpr (!std::is_void_v<Result>)
            return std::move(*value);
    }

    std::optional<Kept> value;
    std::exception_ptr thrown;
};

template <class Function>
using ResultOf = std::decay_t<std::invoke_result_t<Function &>>;

// A call whose end triggers an event.
template <class Function, class... Values>
class ForkedCall final : public Call, source {
    using Result = ResultOf<Function>;

  public:
    ForkedCall(Function &&function, event<Values...> &&done) : function_(std::move(function)), done_(std::move(done)) {
        run = [](thalweg_task *task) {
            const std::unique_ptr<ForkedCall> call(static_cast<ForkedCall *>(task));
            call->arrived();
        };
        drop = [](thalweg_task *task) {
            const std::unique_ptr<ForkedCall> call(static_cast<ForkedCall *>(task));
            call->forget();
        };
        done_.set_source(*this);
    }
    ~ForkedCall() override { done_.forget_source(); }

    void make() noexcept override { outcome_.make(function_); }
    void give_up() noexcept override {
        forget();
        if (Workers::all().take_back(*this, Workers::Ends::now))
            delete this;
    }
    void cancelled() noexcept override { give_up(); }

  private:
    // Events are of the loop's thread: where another one deletes the call, it has none any more.
    void forget() {
        Calls::remove(*this);
        done_.forget_source();
        done_ = {};
    }
    void arrived() {
        const event<Values...> done = done_;
        forget();
        if constexpr (sizeof...(Values) == (std::is_void_v<Result> ? 0 : 1)) {
            if (outcome_.thrown)
                outcome_.take();
            if constexpr (sizeof...(Values) == 0)
                done.trigger();
            else
                done.trigger(outcome_.take());
        } else if constexpr (std::is_void_v<Result>) {
            done.trigger(outcome_.thrown);
        } else if (outcome_.thrown) {
            done.trigger(outcome_.thrown, Result());
        } else {
            done.trigger(nullptr, outcome_.take());
        }
    }

    Function function_;
    event<Values...> done_;
    Outcome<Result> outcome_;
};

// A call that a tamed function waits for. The call may refer to the function's variables, so the one doesn't end before the other.
template <class Function>
class Blocking : public Wait {
  public:
    static constexpr const char *waits_for = "a call in another thread";

    explicit Blocking(Function &&function) : function_(std::move(function)) {}
    Blocking(const Blocking &) = delete;
    Blocking &operator=(const Blocking &) = delete;
    ~Blocking() {
        if (!call_)
            return;
        Calls::remove(*call_);
        if (Workers::all().take_back(*call_, Workers::Ends::when_it_is_over))
            delete call_;
        else
            call_->waits = nullptr;
    }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> function) {
        auto call = std::make_unique<Made>(*this);
        Calls::begin(*call);
        call_ = call.release();
        waiter_ = function;
        return ready.leave();
    }
    ResultOf<Function> await_resume() { return outcome_.take(); }

  private:
    // Apart from the function's frame: a message on its way to the loop can't be called back.
    struct Made final : Call {
        Blocking *waits;  // null: gone

        explicit Made(Blocking &waiting) : waits(&waiting) {
            run = [](thalweg_task *task) { static_cast<Made *>(task)->arrived(&Blocking::go_on); };
            drop = [](thalweg_task *task) { static_cast<Made *>(task)->arrived(&Blocking::end); };
        }
        void make() noexcept override { waits->outcome_.make(waits->function_); }
        void give_up() noexcept override { waits->end(); }
        void arrived(void (Blocking::*then)()) {
            const std::unique_ptr<Made> own(this);
            if (!waits)
                return;
            Calls::remove(*this);
            waits->call_ = nullptr;
            (waits->*then)();
        }
    };
    void go_on() { ready.wake(waiter_); }
    // The loop is gone: the function ends where it waits, and so do those that wait for it.
    void end() { waiter_.destroy(); }

    Function function_;
    Outcome<ResultOf<Function>> outcome_;
    Made *call_ = nullptr;  // under way
    std::coroutine_handle<> waiter_;
};

template <class Result, class... Values>
inline constexpr bool takes_result_of = std::is_void_v<Result> ? sizeof...(Values) == 0 : false;
template <class Result, class Value>
inline constexpr bool takes_result_of<Result, Value> =
    std::is_void_v<Result> ? std::is_same_v<Value, std::exception_ptr> : std::is_convertible_v<Result, Value>;
template <class Result, class Value>
inline constexpr bool takes_result_of<Result, std::exception_ptr, Value> = std::is_convertible_v<Result, Value>;

}  // namespace detail

// Calls the function in another thread, and triggers the event in this one with its result. What it throws is the value before the result,
// where the event has such a one, a std::exception_ptr; else it leaves the loop's turn, as what a handler throws. Where nobody waits
// any more a call that has not begun is not made, and the result of one that has is dropped: what it refers to must live until then.
// Throws std::system_error where no thread can be made.
template <class Function, class... Values>
void tfork(Function &&function, event<Values...> done) {
    using Kept = std::decay_t<Function>;
    static_assert(detail::takes_result_of<detail::ResultOf<Kept>, Values...>,
                  "the event's value is the function's result, after what it may throw (std::exception_ptr)");
    if (!done)
        return;
    auto call =
        std::make_unique<detail::ForkedCall<Kept, Values...>>(Kept(std::forward<Function>(function)), std::move(done));
    detail::Calls::begin(*call);
    (void)call.release();  // the pool's, until it is over
}

// Calls the function in another thread, and blocks the tamed function that awaits it until it has returned its result, or thrown.
template <class Function>
class blocking {
  public:
    explicit blocking(Function function) : function_(std::move(function)) {}
    detail::Blocking<Function> operator co_await() && { return detail::Blocking<Function>(std::move(function_)); }

  private:
    Function function_;
};

}  // namespace THALWEG_TAME
