// quickstart: takes the noise out of each sensor's temperature, and raises the event that says so.
#include "station.h"

static void smooth(Smoothing *smoothing, int sensor, double celsius) {
    double &level = smoothing->level[sensor];
    level += (celsius - level) / 8;
    smoothing->station.smoothed.raise(sensor, level);
}

Smoothing::Smoothing(Station &station) : station(station) { station.measured.bind<&smooth>(this); }
