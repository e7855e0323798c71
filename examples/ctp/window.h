// examples: WFC, window flow control: no more segments under way than the network has shown to carry
#pragma once

#include "ctp/context.h"

namespace ctp {

class Window {
  public:
    explicit Window(Context &context);

    void seg_to_net(Segment &segment);                          // WFC-S2N
    void segment_acked(Segment &segment, std::uint32_t stamp);  // WFC-SA
    void segment_lost(Segment &segment);                        // WFC-SL
    void window_opened();                                       // WFC-WO

  private:
    void measure();

    Context &context_;
    std::uint32_t window_;
    std::uint32_t credit_ = 0;  // acknowledgements since the window last grew
};

}  // namespace ctp
