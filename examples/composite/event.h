// examples: one way to write a micro-protocol, two event interfaces under it
//
// A micro-protocol binds its member functions to events and raises events; it is the same text whichever interface the
// program is built with:
//   typed        thalweg/event.h: a raise is checked at compile time and marshals nothing
//   marshalled   thalweg/thalweg.h (COMPOSITE_MARSHALLED): as in Cactus, arguments travel in an array of values, and the
//                composite's lock is held around each handler
#pragma once

#include "composite/composite.h"

#ifdef COMPOSITE_MARSHALLED
#include "composite/marshalled_event.h"
#else
#include "composite/typed_event.h"
#endif

namespace composite {

// What an event that was merged by hand is: a raise is a call of `function`.
template <class Owner, auto function, class... Args>
class Merged {
  public:
    Merged(Composite &composite, const char *name) : meter_(&composite.meter()), measured_(meter_->add(name)) {}

    void attach(Owner &owner) { owner_ = &owner; }
    template <auto handler, class Protocol>
    void bind(Protocol *, int) {}
    void raise(Args... args) {
        const Measured measured(meter_, measured_);
        function(*owner_, args...);
    }

  private:
    Owner *owner_ = nullptr;
    Meter *meter_;
    EventMeter *measured_;
};

}  // namespace composite
