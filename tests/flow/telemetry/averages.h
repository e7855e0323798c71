// telemetry: a smoothed value of each sensor.
#pragma once
#include "hub.h"
class Averages : public Sink {
  public:
    explicit Averages(Hub &hub);
    void rose(const Sample &sample) override { trend_ += sample.value & 7; }
    void fell(const Sample &sample) override { trend_ -= sample.value & 3; }
    uint64_t digest() const;

  private:
    void smooth(const Sample &sample) {
        int64_t &mean = mean_[sample.sensor % 64];
        mean += (sample.value - mean) / 8;
    }
    std::vector<int64_t> mean_ = std::vector<int64_t>(64);
    int64_t trend_ = 0;
};
