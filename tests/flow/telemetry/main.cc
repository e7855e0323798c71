// telemetry: so many samples of made-up sensors, and what the listeners made of them.
#include "alarms.h"
#include "averages.h"
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv) {
    const long samples = argc > 1 ? std::atol(argv[1]) : 5'000'000;
    Hub hub;
    Alarms alarms(hub, -400, 400);
    Averages averages(hub);
    uint64_t newest = 0;
    hub.on_sample([&newest](const Sample &sample) { newest = sample.time; });
    uint32_t noise = 1;
    for (long i = 0; i < samples; ++i) {
        noise = noise * 1664525 + 1013904223;
        hub.take(noise >> 26, static_cast<int32_t>(noise >> 12 & 1023) - 512);
    }
    std::printf("%" PRIu64 " samples, %" PRIu64 " alarms, %016" PRIx64 "\n", newest, alarms.count(), averages.digest());
}
