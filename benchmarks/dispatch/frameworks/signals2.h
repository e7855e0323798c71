// benchmarks: Boost.Signals2. Its mutex is left out, as all variants have one thread, unless SIGNALS2_MUTEX names one.
#pragma once

#include <cstddef>

#include <boost/signals2/dummy_mutex.hpp>
#include <boost/signals2/mutex.hpp>
#include <boost/signals2/signal_type.hpp>

#include "segment.h"

#ifndef SIGNALS2_MUTEX
#define SIGNALS2_MUTEX boost::signals2::dummy_mutex
#endif

template <size_t>
class EventType {
  public:
    explicit EventType(const char *) {}
    template <auto handler, class State>
    void bind(State *state) {
        signal_.connect([state](Segment &segment) { handler(*state, segment); });
    }
    void raise(Segment &segment) { signal_(segment); }

  private:
    using Signal =
        boost::signals2::signal_type<void(Segment &), boost::signals2::keywords::mutex_type<SIGNALS2_MUTEX>>::type;
    Signal signal_;
};
