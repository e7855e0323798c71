// telemetry: the hub.
#include "hub.h"

void Hub::tell(const Sample &sample) {
    for (const auto &callback : callbacks_)
        callback(sample);
}

void Hub::changed(bool up, const Sample &sample) {
    for (Sink *sink : sinks_)
        up ? sink->rose(sample) : sink->fell(sample);
}

void Hub::take(uint32_t sensor, int32_t value) {
    const Sample sample{sensor, value, ++time_};
    const int32_t before = last_[sensor % 64];
    last_[sensor % 64] = value;
    tell(sample);
    if (value != before)
        changed(value > before, sample);
}
