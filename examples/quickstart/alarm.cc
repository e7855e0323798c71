// quickstart: counts how often it becomes too hot.
#include "station.h"

static constexpr double limit_celsius = 30, again_below_celsius = 28;

static void watch(Alarm *alarm, int, double celsius) {
    if (!alarm->too_hot && celsius > limit_celsius)
        ++alarm->alarms;
    alarm->too_hot = celsius > (alarm->too_hot ? again_below_celsius : limit_celsius);
}

Alarm::Alarm(Station &station) { station.smoothed.bind<&watch>(this); }
