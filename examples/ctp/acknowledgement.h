// examples: PAU, positive acknowledgement: every data segment is acknowledged, or sent again
#pragma once

#include <chrono>

#include "ctp/context.h"

namespace ctp {

class Acknowledgement {
  public:
    explicit Acknowledgement(Context &context);

    void open();                                                // PAU-Open
    void close();                                               // PAU-Close
    void seg_to_net(Segment &segment);                          // PAU-S2N
    void seg_from_net(Segment &segment);                        // PAU-SFN
    void segment_recovered(Segment &segment);                   // PAU-SR
    void segment_acked(Segment &segment, std::uint32_t stamp);  // PAU-SA
    void segment_timeout(std::uint32_t sequence);               // PAU-STO
    void segment_lost(Segment &segment);                        // PAU-SL

  private:
    void acknowledge(const Segment &segment);
    void acked(std::uint32_t sequence, std::uint32_t stamp);
    Segment *in_flight(std::uint32_t sequence) const;
    std::chrono::microseconds timeout(unsigned attempt) const;

    Context &context_;
    std::array<Segment *, kRing> in_flight_{};
    std::uint32_t first_unacked_ = 0;
    std::uint32_t send_end_ = 0;  // behind the last segment sent
    std::uint32_t rtt_variation_us_ = 0;
};

}  // namespace ctp
