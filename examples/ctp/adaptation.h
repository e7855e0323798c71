// examples: Adapt, adaptation: smaller segments and more parity where much is lost
#pragma once

#include "ctp/context.h"

namespace ctp {

class Adaptation {
  public:
    explicit Adaptation(Context &context);

    void open();                                                // Adapt-Open
    void close();                                               // Adapt-Close
    void msg_from_user(Message &message);                       // Adapt-MFU
    void segment_sent(std::uint32_t bytes);                     // Adapt-SS
    void segment_acked(Segment &segment, std::uint32_t stamp);  // Adapt-SA
    void segment_lost(Segment &segment);                        // Adapt-SL
    void adapt();                                               // Adapt-A
    void control_clock();                                       // Adapt-CC
    void add_sys_input(std::uint32_t backlog);                  // Adapt-ASI

  private:
    Context &context_;
    composite::Timer clock_;
    std::uint32_t lost_ = 0, acked_ = 0;         // since the last Adapt
    std::uint32_t bytes_ = 0, bytes_per_tick_ = 0;
    std::uint32_t backlog_ = 0;                  // smoothed, in 1/16 messages
    std::uint32_t fragment_bytes_;
};

}  // namespace ctp
