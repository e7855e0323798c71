// examples: Stats: counts what the session does
#pragma once

#include "ctp/context.h"

namespace ctp {

class Counting {
  public:
    explicit Counting(Context &context);

    void msg_from_user(Message &message);                       // Stats-MFU
    void msg_to_user(Message &message);                         // Stats-MTU
    void segment_sent(std::uint32_t bytes);                     // Stats-SS
    void net_readable(int fd, unsigned ready);                                        // Stats-NR
    void seg_to_user(Segment &segment);                         // Stats-S2U
    void segment_acked(Segment &segment, std::uint32_t stamp);  // Stats-SA
    void segment_timeout(std::uint32_t sequence);               // Stats-STO
    void segment_lost(Segment &segment);                        // Stats-SL
    void segment_recovered(Segment &segment);                   // Stats-SR
    void resize_fragment(std::uint32_t bytes);                  // Stats-RF
    void control_clock();                                       // Stats-CC
    void add_sys_input(std::uint32_t backlog);                  // Stats-ASI

  private:
    Statistics &statistics_;
};

}  // namespace ctp
