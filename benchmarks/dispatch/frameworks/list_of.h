// benchmarks: a vector of things that are called one after the other, whatever arguments they take the segment by.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "segment.h"

template <class Callable>
class ListOf {
  public:
    explicit ListOf(const char *) {}
    void raise(Segment &segment) {
        for (auto &listener : listeners_) {
            if constexpr (std::is_invocable_v<Callable &, Segment &>) {
                listener(segment);
            } else if constexpr (std::is_invocable_v<Callable &, Segment *>) {
                listener(&segment);
            } else {
                listener(segment.word, segment.sequence, &segment);
            }
        }
    }

  protected:
    void add(Callable listener) { listeners_.push_back(std::move(listener)); }

  private:
    std::vector<Callable> listeners_;
};
