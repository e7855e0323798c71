// quickstart: the lowest and the highest temperature.
#include <algorithm>

#include "station.h"

static void note_extremes(Range *range, int, double celsius) {
    range->lowest = std::min(range->lowest, celsius);
    range->highest = std::max(range->highest, celsius);
}

Range::Range(Station &station) { station.measured.bind<&note_extremes>(this); }
