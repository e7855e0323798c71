// quickstart: a weather station's events. Its parts know these, and nothing of each other.
#pragma once

#include <cstdint>

#include <thalweg/event.h>

struct Station {
    thalweg::Event<int, double> measured{"measured"};  // sensor, degrees Celsius
    thalweg::Event<int, double> smoothed{"smoothed"};  // the same, noise taken out; raised by a handler of `measured`
};

// Each part binds its handlers when it is made, one file a part.
struct Range {
    explicit Range(Station &station);
    double lowest = 1000, highest = -1000;
};

struct Smoothing {
    explicit Smoothing(Station &station);
    Station &station;
    double level[4] = {};
};

struct Alarm {
    explicit Alarm(Station &station);
    uint64_t alarms = 0;
    bool too_hot = false;
};

struct Journal {
    explicit Journal(Station &station);
    uint64_t digest = 0;
};
