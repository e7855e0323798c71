// examples: SeqSeg, sequencing: numbers segments on the way down, puts them in order on the way up
#pragma once

#include "ctp/context.h"

namespace ctp {

class Sequencing {
  public:
    explicit Sequencing(Context &context);

    void open();                              // SeqSeg-Open
    void seg_from_user(Segment &segment);     // SeqSeg-SFU
    void seg_from_net(Segment &segment);      // SeqSeg-SFN
    void segment_recovered(Segment &segment); // SeqSeg-SR

  private:
    bool accept(Segment &segment);
    void deliver(Segment &segment);

    Context &context_;
    std::uint32_t send_next_ = 0;
    std::array<Segment *, kRing> early_{};  // received, but something before them is missing
};

}  // namespace ctp
