// examples: an event of the typed interface
#pragma once

#include <thalweg/event.h>

#include "composite/composite.h"

namespace composite {

using Timer = thalweg::Posted;

template <class... Args>
class Event {
  public:
    Event(Composite &composite, const char *name)
        : meter_(&composite.meter()), measured_(meter_->add(name)), event_(name) {}

    template <auto handler, class Protocol>
    void bind(Protocol *protocol, int order) {
        event_.template bind<handler>(protocol, {.order = order});
    }
    void raise(Args... args) {
        const Measured measured(meter_, measured_);
        event_.raise(args...);
    }
    // Raised by the loop: in its next turn, or after a delay.
    void post(Args... args) {
        count();
        event_.post(args...);
    }
    Timer post_after(std::chrono::microseconds delay, Args... args) {
        count();
        return event_.post_after(delay, args...);
    }
    // The handlers after the one that runs now do not run.
    void halt() { event_.halt(); }

    thalweg_event *handle() { return event_.handle(); }

  private:
    void count() {
        if (measured_) [[unlikely]] {
            ++measured_->posts;
        }
    }

    Meter *meter_;
    EventMeter *measured_;
    thalweg::Event<Args...> event_;
};

}  // namespace composite
