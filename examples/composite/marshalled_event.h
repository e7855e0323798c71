// examples: an event of the C interface: arguments marshalled, the composite's lock held around each handler
#pragma once

#include <array>
#include <chrono>
#include <tuple>
#include <type_traits>
#include <utility>

#include <thalweg/thalweg.h>

#include "composite/composite.h"

namespace composite {

// How an argument travels: numbers as integers, references as pointers.
template <class T>
struct Argument {
    static_assert(std::is_integral_v<T>);
    static thalweg_value pack(T argument) { return thalweg_integer(static_cast<std::int64_t>(argument)); }
    static bool unpack(const thalweg_value *values, std::size_t count, std::size_t index, T *&out, T &place) {
        std::int64_t integer = 0;
        if (!thalweg_get_integer(values, count, index, &integer)) {
            return false;
        }
        place = static_cast<T>(integer);
        out = &place;
        return true;
    }
    using Place = T;
};
template <class T>
struct Argument<T &> {
    static thalweg_value pack(T &argument) { return thalweg_pointer(&argument); }
    struct Place {};
    static bool unpack(const thalweg_value *values, std::size_t count, std::size_t index, T *&out, Place &) {
        void *pointer = nullptr;
        if (!thalweg_get_pointer(values, count, index, &pointer)) {
            return false;
        }
        out = static_cast<T *>(pointer);
        return true;
    }
};

struct Timer {
    thalweg_raise_id id = 0;
    void cancel() { thalweg_cancel(std::exchange(id, 0)); }
};

template <class... Args>
class Event {
  public:
    Event(Composite &composite, const char *name) : meter_(&composite.meter()), measured_(meter_->add(name)) {
        thalweg_event_create(composite.lock(), name, &event_);
    }
    ~Event() { thalweg_event_destroy(event_); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;

    template <auto handler, class Protocol>
    void bind(Protocol *protocol, int order) {
        thalweg_bind(event_, &call<handler, Protocol>, protocol, order, nullptr);
    }
    void raise(Args... args) {
        const Measured measured(meter_, measured_);
        const Values values{Argument<Args>::pack(args)...};
        thalweg_raise(event_, values.data(), values.size());
    }
    // Raised by the loop: in its next turn, or after a delay.
    void post(Args... args) {
        count();
        const Values values{Argument<Args>::pack(args)...};
        thalweg_post(event_, values.data(), values.size(), nullptr);
    }
    Timer post_after(std::chrono::microseconds delay, Args... args) {
        count();
        const Values values{Argument<Args>::pack(args)...};
        Timer timer;
        const auto delay_ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(delay).count());
        thalweg_post_after(event_, delay_ns, values.data(), values.size(), &timer.id);
        return timer;
    }
    // The handlers after the one that runs now do not run.
    void halt() { thalweg_halt(event_); }

    thalweg_event *handle() { return event_; }

  private:
    using Values = std::array<thalweg_value, sizeof...(Args)>;

    void count() {
        if (measured_) [[unlikely]] {
            ++measured_->posts;
        }
    }

    // What is bound: takes the arguments out of the values, checking each, and calls the micro-protocol.
    template <auto handler, class Protocol>
    static void call(void *protocol, thalweg_event *, const thalweg_value *values, std::size_t count) {
        call_with<handler>(static_cast<Protocol *>(protocol), values, count, std::index_sequence_for<Args...>{});
    }
    template <auto handler, class Protocol, std::size_t... index>
    static void call_with(Protocol *protocol, [[maybe_unused]] const thalweg_value *values,
                          [[maybe_unused]] std::size_t count, std::index_sequence<index...>) {
        std::tuple<std::remove_reference_t<Args> *...> out{};
        std::tuple<typename Argument<Args>::Place...> places{};
        if ((Argument<Args>::unpack(values, count, index, std::get<index>(out), std::get<index>(places)) && ...)) {
            (protocol->*handler)(*std::get<index>(out)...);
        }
    }

    Meter *meter_;
    EventMeter *measured_;
    thalweg_event *event_ = nullptr;
};

}  // namespace composite
