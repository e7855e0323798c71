// quickstart: raises one event for each reading of four sensors, and says what the parts made of it.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "station.h"

int main(int argc, char **argv) {
    const long readings = argc > 1 ? std::atol(argv[1]) : 20'000'000;
    Station station;
    Range range(station);
    Smoothing smoothing(station);
    Alarm alarm(station);
    Journal journal(station);

    uint32_t noise = 12345;
    for (long n = 0; n < readings; ++n) {
        noise = noise * 1664525 + 1013904223;
        station.measured.raise(static_cast<int>(n % 4), 15.0 + static_cast<double>(noise >> 8) * (20.0 / (1 << 24)) +
                                                            static_cast<double>(n / 4096 % 10));
    }
    std::printf("%ld readings, %.2f to %.2f degrees, %" PRIu64 " alarms, digest %016" PRIx64 "\n", readings,
                range.lowest, range.highest, alarm.alarms, journal.digest);
}
