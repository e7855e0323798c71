// benchmarks: a vector of function_ref, C++26's: a pointer to what is called, which lives elsewhere, and to a function that calls it.
#pragma once

#include <cstddef>

#include "frameworks/list_of.h"
#include "segment.h"

class FunctionRef {
  public:
    template <class Callable>
    explicit FunctionRef(Callable &callable)
        : callable_(&callable),
          call_([](void *object, Segment &segment) { (*static_cast<Callable *>(object))(segment); }) {}
    void operator()(Segment &segment) const { call_(callable_, segment); }

  private:
    void *callable_;
    void (*call_)(void *object, Segment &segment);
};

template <size_t>
class EventType : public ListOf<FunctionRef> {
  public:
    using ListOf::ListOf;
    template <auto handler, class State>
    void bind(State *state) {
        static auto callable = [state](Segment &segment) { handler(*state, segment); };
        add(FunctionRef(callable));
    }
};
