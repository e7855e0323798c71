// examples: counts raises and, where asked to, measures the time in handlers; switched off it costs one test a raise
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace composite {

std::uint64_t now_us();
std::uint64_t now_ns();

// The raises of one event.
struct EventMeter {
    std::string name;
    std::uint64_t raises = 0;        // synchronous
    std::uint64_t posts = 0;         // asynchronous and timed
    std::uint64_t timed_raises = 0;  // of these the time was taken
    std::uint64_t ns = 0;
};

// Takes the time at the outermost raise, so that nested events are not counted twice and the clock (about 50 ns a reading)
// does not swamp small handlers; or, when an event is named, at that event alone, wherever it is raised.
class Meter {
  public:
    Meter(bool on, std::string only_event) : on_(on), only_event_(std::move(only_event)) {}
    ~Meter();
    Meter(const Meter &) = delete;
    Meter &operator=(const Meter &) = delete;

    // Null when nothing is to be measured. The place stays valid as long as the meter.
    EventMeter *add(const char *name);

    std::uint64_t enter(EventMeter &event);
    void leave(EventMeter &event, std::uint64_t started_ns);

    const std::vector<EventMeter *> &events() const { return events_; }
    static double clock_ns();  // what reading the clock twice costs on this machine

  private:
    bool on_;
    std::string only_event_;
    unsigned depth_ = 0;
    std::vector<EventMeter *> events_;
};

// One raise, measured if `event` is not null.
class Measured {
  public:
    Measured(Meter *meter, EventMeter *event) : meter_(meter), event_(event) {
        if (event_) [[unlikely]] {
            started_ns_ = meter_->enter(*event_);
        }
    }
    ~Measured() {
        if (event_) [[unlikely]] {
            meter_->leave(*event_, started_ns_);
        }
    }
    Measured(const Measured &) = delete;
    Measured &operator=(const Measured &) = delete;

  private:
    Meter *meter_;
    EventMeter *event_;
    std::uint64_t started_ns_ = 0;
};

}  // namespace composite
