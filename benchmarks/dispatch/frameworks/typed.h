// benchmarks: Thalweg's typed interface.
#pragma once

#include <cstddef>

#include <thalweg/event.h>

#include "segment.h"

template <size_t>
using EventType = thalweg::Event<Segment &>;
