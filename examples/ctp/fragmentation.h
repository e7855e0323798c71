// examples: Frag, fragmentation: cuts messages into segments and puts them together again
#pragma once

#include <deque>

#include "ctp/context.h"

namespace ctp {

class Fragmentation {
  public:
    explicit Fragmentation(Context &context);

    void msg_from_user(Message &message);      // Frag-MFU
    void window_opened();                      // Frag-WO
    void seg_to_user(Segment &segment);        // Frag-S2U
    void resize_fragment(std::uint32_t bytes); // Frag-RF
    void close();                              // Frag-Close

  private:
    struct Outgoing {
        std::vector<std::uint8_t> bytes;
        std::uint32_t number;
        std::uint16_t fragment_bytes;  // as it was when the message came
        std::uint16_t next;
        std::uint16_t count;
    };

    void send_next_fragment();

    Context &context_;
    std::uint16_t fragment_bytes_;
    std::uint32_t next_message_ = 0;
    std::deque<Outgoing> outgoing_;
    std::vector<std::uint8_t> incoming_;
    Fragment expected_;
};

}  // namespace ctp
