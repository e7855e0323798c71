// thalweg: more events put before other events, as add_timeout (paper tame-usenix07, section 3.3); the names are tamer's.
//
//     tfork(count, map<size_t>(event<std::string>(mkevent(all, text)), [](size_t count) { return std::to_string(count); }));
//     wait_on_signal(SIGTERM, distribute(event<>(mkevent(one)), mkevent(other)));
//     read(file, with_timeout(10s, event<std::string>(mkevent(all, text))));
#pragma once

#include <array>
#include <chrono>
#include <source_location>
#include <tuple>
#include <utility>

#include <thalweg/tame/adapters.h>

namespace THALWEG_TAME {

namespace detail {

struct Came {
    int which;
    bool is_triggered;  // else nobody has it any more
};

// What a relay waits for: any of its events, also those that will never be triggered; or that nobody needs it any more.
class RelayEnd final : public KeepingOwner, public Wait {
  public:
    using id_type = std::tuple<int>;
    static constexpr bool tells_of_dropped = false;  // who waits for the relay's own event is told
    static constexpr int nobody = -1;

    explicit RelayEnd(std::source_location place = std::source_location::current()) : KeepingOwner(place) {}

    void stop() {
        cancel();
        is_stopped_ = true;
        wake();
    }
    bool await_ready() const noexcept { return is_stopped_ || has_kept(); }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> function) noexcept {
        waits(function);
        return ready.leave();
    }
    Came await_resume() {
        if (is_stopped_)
            return {nobody, false};
        KeptNode *node = take_oldest();
        const Came came{std::get<0>(*static_cast<id_type *>(node->kind->id(node))), node->was_dropped == 0};
        node->release();
        return came;
    }

  private:
    bool is_stopped_ = false;
};

template <class... Values>
event<Values...> relay_event(RelayEnd &end, int which, std::tuple<Values...> &values) {
    return std::apply([&](auto &...slots) { return mkevent<RelayEnd, int, Values &...>(end, int(which), slots...); },
                      values);
}

// Nobody waits for the outer event any more: neither does the relay.
template <class... Values>
class StopsRelay final : source {
  public:
    StopsRelay(RelayEnd &end, const event<Values...> &outer) : end_(end), outer_(outer) { outer_.set_source(*this); }
    StopsRelay(const StopsRelay &) = delete;
    StopsRelay &operator=(const StopsRelay &) = delete;
    ~StopsRelay() { outer_.forget_source(); }
    void cancelled() noexcept override { end_.stop(); }

  private:
    RelayEnd &end_;
    const event<Values...> &outer_;
};

template <class... Values, class... Outer, class Function>
tamed<> relay(event<Values...> &base, event<Outer...> outer, Function pass_on) {
    RelayEnd end;
    std::tuple<Values...> values;
    const StopsRelay stops(end, outer);
    base = relay_event(end, 0, values);
    const Came came = co_await end;
    if (came.is_triggered)
        std::apply([&](auto &...own) { pass_on(outer, std::move(own)...); }, values);
}

// Of several outer events, each of which may be given up.
template <class... Values, size_t count>
tamed<> relay_to_all(event<Values...> &base, std::array<event<Values...>, count> outer) {
    RelayEnd end;
    std::tuple<Values...> values;
    base = relay_event(end, 0, values);
    const Came came = co_await end;
    if (!came.is_triggered)
        co_return;
    for (const event<Values...> &each : outer)
        std::apply([&](const auto &...own) { each.trigger(own...); }, values);
}

template <class... Values>
tamed<> relay_or_cancel(event<> &cancel, event<Values...> &base, event<bool, Values...> outer) {
    constexpr int is_cancel = 0, is_base = 1;
    RelayEnd end;
    std::tuple<Values...> values;
    std::tuple<> none;
    const StopsRelay stops(end, outer);
    base = relay_event(end, is_base, values);
    cancel = relay_event(end, is_cancel, none);
    Came came = co_await end;
    if (came.which == is_cancel && !came.is_triggered)
        came = co_await end;  // nobody will cancel it
    end.cancel();
    if (came.is_triggered)
        std::apply([&](auto &...own) { outer.trigger(came.which == is_base, std::move(own)...); }, values);
}

}  // namespace detail

// Each gives an event for somebody who knows nothing of the outer one, which is triggered with it. Nobody waits for the one any more where
// nobody waits for the other; and where nobody has the one any more, the other is told of. What distribute gives is waited for in any case.

// Brings values that whoever triggers it does not know.
template <class... Values, class... Given>
event<> bind(event<Values...> outer, Given &&...given) {
    static_assert(sizeof...(Values) == sizeof...(Given), "as many values as the event takes");
    event<> base;
    if (outer)
        detail::relay(base, std::move(outer),
                      [own = std::tuple<Values...>(std::forward<Given>(given)...)](const event<Values...> &to) mutable {
                          std::apply([&](auto &...value) { to.trigger(std::move(value)...); }, own);
                      });
    return base;
}

// Takes values that nobody needs: unbind<int>(e).
template <class... Values>
event<Values...> unbind(event<> outer) {
    event<Values...> base;
    if (outer)
        detail::relay(base, std::move(outer), [](const event<> &to, auto &&...) { to.trigger(); });
    return base;
}

// Takes other values, of which the function makes the outer event's: map<int>(e, f).
template <class... Values, class Outer, class Function>
event<Values...> map(event<Outer> outer, Function function) {
    event<Values...> base;
    if (outer)
        detail::relay(base, std::move(outer),
                      [function = std::move(function)](const event<Outer> &to, Values &&...values) mutable {
                          to.trigger(function(std::move(values)...));
                      });
    return base;
}

// Triggers all of them, one after the other.
template <class... Values, class... Others>
event<Values...> distribute(event<Values...> first, Others... others) {
    event<Values...> base;
    detail::relay_to_all(base,
                         std::array<event<Values...>, 1 + sizeof...(Others)>{std::move(first), std::move(others)...});
    return base;
}

// The outer event is triggered with true; or when `cancel`, which is made here, is triggered before, with false and values as they are made.
template <class... Values>
event<Values...> add_cancel(event<> &cancel, event<bool, Values...> outer) {
    event<Values...> base;
    if (outer)
        detail::relay_or_cancel(cancel, base, std::move(outer));
    return base;
}

// The same where it does not matter which it was.
template <class... Values>
event<Values...> with_cancel(event<> &cancel, event<Values...> outer) {
    event<bool, Values...> either;
    if (outer)
        detail::relay(either, std::move(outer),
                      [](const event<Values...> &to, bool, auto &&...values) { to.trigger(std::move(values)...); });
    return add_cancel(cancel, std::move(either));
}
template <class... Values>
event<Values...> with_timeout(std::chrono::nanoseconds limit, event<Values...> outer,
                              std::source_location place = std::source_location::current()) {
    event<bool, Values...> either;
    if (outer)
        detail::relay(either, std::move(outer),
                      [](const event<Values...> &to, bool, auto &&...values) { to.trigger(std::move(values)...); });
    return add_timeout(limit, std::move(either), place);
}

}  // namespace THALWEG_TAME
