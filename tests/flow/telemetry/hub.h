// telemetry: samples come in, and whoever listens is told; it knows nothing of Thalweg.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

struct Sample {
    uint32_t sensor;
    int32_t value;
    uint64_t time;
};

class Sink {
  public:
    virtual ~Sink() = default;
    virtual void rose(const Sample &sample) = 0;
    virtual void fell(const Sample &sample) = 0;
};

class Hub {
  public:
    using OnSample = std::function<void(const Sample &)>;
    void on_sample(OnSample callback) { callbacks_.push_back(std::move(callback)); }
    void attach(Sink *sink) { sinks_.push_back(sink); }
    void take(uint32_t sensor, int32_t value);

  private:
    void tell(const Sample &sample);
    void changed(bool up, const Sample &sample);
    std::vector<OnSample> callbacks_;
    std::vector<Sink *> sinks_;
    std::vector<int32_t> last_ = std::vector<int32_t>(64);
    uint64_t time_ = 0;
};
