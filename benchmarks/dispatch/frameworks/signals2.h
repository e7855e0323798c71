// benchmarks: Boost.Signals2, with the mutex left out: all variants have one thread.
#pragma once

#include <cstddef>

#include <boost/signals2/dummy_mutex.hpp>
#include <boost/signals2/signal_type.hpp>

#include "segment.h"

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
        boost::signals2::signal_type<void(Segment &),
                                     boost::signals2::keywords::mutex_type<boost::signals2::dummy_mutex>>::type;
    Signal signal_;
};
