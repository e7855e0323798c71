// thalweg: events put before other events (paper tame-usenix07, section 3.3): whoever triggers the one does not know of the other.
#pragma once

#include <chrono>
#include <source_location>
#include <tuple>
#include <utility>

#include <thalweg/tame/tamed.h>
#include <thalweg/tame/timer.h>

namespace THALWEG_TAME {

namespace detail {

// Nobody waits for the outer event any more: neither does the adapter.
template <class... Values>
class Stop final : public source {
  public:
    event<> event_of_end;

    explicit Stop(const event<Values...> &outer) : outer_(outer) { outer_.set_source(*this); }
    Stop(const Stop &) = delete;
    Stop &operator=(const Stop &) = delete;
    ~Stop() { outer_.forget_source(); }
    void cancelled() noexcept override { event_of_end.trigger(); }

  private:
    const event<Values...> &outer_;
};

template <class... Values>
tamed<> time_out(std::chrono::nanoseconds limit, event<Values...> &base, event<bool, Values...> outer,
                 std::source_location place) {
    rendezvous<bool> r(place);
    std::tuple<Values...> result;
    Stop stop(outer);
    timer(limit, mkevent(r, false));
    base = std::apply(
        [&](auto &...slots) { return mkevent<rendezvous<bool>, bool, Values &...>(r, true, slots..., place); }, result);
    stop.event_of_end = mkevent(r, false);
    const bool in_time = co_await r;
    r.cancel();
    std::apply([&](auto &...values) { outer.trigger(in_time, std::move(values)...); }, result);
}

}  // namespace detail

// An event for whoever knows nothing of time limits. `outer` is triggered with it, and true; or when the time has passed, with false
// and values as they are made.
template <class... Values>
event<Values...> add_timeout(std::chrono::nanoseconds limit, event<bool, Values...> outer,
                             std::source_location place = std::source_location::current()) {
    event<Values...> base;
    if (outer)
        detail::time_out(limit, base, std::move(outer), place);
    return base;
}

}  // namespace THALWEG_TAME
