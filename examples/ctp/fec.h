// examples: FEC, forward error correction: one parity segment for each group; any one lost segment of it is recovered
#pragma once

#include "ctp/context.h"

namespace ctp {

class Fec {
  public:
    explicit Fec(Context &context);

    void open();                             // FEC-Open
    void seg_from_user_1(Segment &segment);  // FEC-SFU1: before the segment is numbered and sent
    void seg_from_user_2(Segment &segment);  // FEC-SFU2: after it
    void seg_to_net(Segment &segment);       // FEC-S2N
    void seg_from_net(Segment &segment);     // FEC-SFN
    void adapt();                            // FEC-A

  private:
    // The XOR of a group's segments; what it lacks of being complete is the missing segment.
    struct Group {
        bool used = false;
        std::uint32_t first = 0;
        std::uint32_t seen = 0;    // a bit for each segment
        std::uint16_t size = 0;    // 0: the parity segment has not come yet
        std::uint16_t length = 0;  // XOR of the payloads' lengths
        std::uint16_t longest = 0;
        Fragment fragment;         // XOR, member by member
        std::array<std::uint8_t, kMaxPayload> bytes;

        void start(std::uint32_t first_sequence);
        void add(const Fragment &other, std::uint16_t other_length, std::span<const std::uint8_t> payload);
    };
    static constexpr std::uint32_t kGroups = 64;

    void send_parity();
    Group *group_of(std::uint32_t first);
    void recover(Group &group);

    Context &context_;
    std::uint16_t group_size_;
    Group sending_;
    std::uint32_t data_bytes_ = 0, parity_bytes_ = 0;
    std::array<Group, kGroups> receiving_;
};

}  // namespace ctp
