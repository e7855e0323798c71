// benchmarks: a vector of delegates, each an object and a stub that calls one certain member function of it.
#pragma once

#include <cstddef>

#include "frameworks/list_of.h"
#include "frameworks/listener.h"
#include "segment.h"

class Delegate {
  public:
    template <auto member, class Object>
    static Delegate to(Object *object) {
        return {object, [](void *self, Segment &segment) { (static_cast<Object *>(self)->*member)(segment); }};
    }
    void operator()(Segment &segment) const { stub_(object_, segment); }

  private:
    using Stub = void (*)(void *object, Segment &segment);
    Delegate(void *object, Stub stub) : object_(object), stub_(stub) {}
    void *object_;
    Stub stub_;
};

template <size_t>
class EventType : public ListOf<Delegate> {
  public:
    using ListOf::ListOf;
    template <auto handler, class State>
    void bind(State *state) {
        static ListenerOf<handler, State> listener(state);
        add(Delegate::to<&ListenerOf<handler, State>::on>(&listener));
    }
};
