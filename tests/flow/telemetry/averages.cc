// telemetry: the averages listen to everything.
#include "averages.h"
Averages::Averages(Hub &hub) {
    hub.attach(this);
    hub.on_sample(std::bind(&Averages::smooth, this, std::placeholders::_1));
}
uint64_t Averages::digest() const {
    uint64_t digest = static_cast<uint64_t>(trend_);
    for (const int64_t mean : mean_)
        digest = digest * 31 + static_cast<uint64_t>(mean);
    return digest;
}
