// benchmarks: a vector of listeners with a virtual function.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "segment.h"

class Listener {
  public:
    virtual ~Listener() = default;
    virtual void on(Segment &segment) = 0;
};

template <auto handler, class State>
class ListenerOf final : public Listener {
  public:
    explicit ListenerOf(State *state) : state_(state) {}
    void on(Segment &segment) override { handler(*state_, segment); }

  private:
    State *state_;
};

template <size_t>
class EventType {
  public:
    explicit EventType(const char *) {}
    template <auto handler, class State>
    void bind(State *state) {
        listeners_.push_back(std::make_unique<ListenerOf<handler, State>>(state));
    }
    void raise(Segment &segment) {
        for (const auto &listener : listeners_) {
            listener->on(segment);
        }
    }

  private:
    std::vector<std::unique_ptr<Listener>> listeners_;
};
