// telemetry: the alarms listen to everything.
#include "alarms.h"
Alarms::Alarms(Hub &hub, int32_t low, int32_t high) : low_(low), high_(high) {
    hub.attach(this);
    hub.on_sample([this](const Sample &sample) { seen(sample); });
}
