// telemetry: counts what leaves its limits.
#pragma once
#include "hub.h"
class Alarms : public Sink {
  public:
    Alarms(Hub &hub, int32_t low, int32_t high);
    void rose(const Sample &sample) override { high_count_ += sample.value > high_; }
    void fell(const Sample &sample) override { low_count_ += sample.value < low_; }
    uint64_t count() const { return high_count_ * 1000 + low_count_ + seen_; }

  private:
    void seen(const Sample &sample) { seen_ += sample.sensor & 1; }
    int32_t low_, high_;
    uint64_t high_count_ = 0, low_count_ = 0, seen_ = 0;
};
