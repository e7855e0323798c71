// examples: a composite protocol's surroundings: its loop, its lock, its meter
#pragma once

#include <string>

#include <thalweg/loop.h>

#include "composite/meter.h"

namespace composite {

class Composite {
  public:
    explicit Composite(bool stats = false, const std::string &timed_event = {});
    ~Composite();
    Composite(const Composite &) = delete;
    Composite &operator=(const Composite &) = delete;

    void run() { loop_.run(); }
    void stop() { loop_.stop(); }

    thalweg::Loop &loop() { return loop_; }
    thalweg_composite *lock() { return lock_; }  // null with the typed interface, which has none
    Meter &meter() { return meter_; }

  private:
    thalweg::Loop loop_;
    thalweg_composite *lock_ = nullptr;
    Meter meter_;
};

}  // namespace composite
