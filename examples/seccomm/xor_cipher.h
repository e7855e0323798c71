// examples: XOR: a trivial second cipher, so that there is something to coordinate
#pragma once

#include "seccomm/events.h"

namespace seccomm {

class XorCipher {
  public:
    static constexpr std::size_t kKeyBytes = 16;

    XorCipher(Context &context, std::span<const std::uint8_t, kKeyBytes> key);

    void encrypt(Message &message);  // XOR-E
    void decrypt(Message &message);  // XOR-D

  private:
    void apply(std::span<std::uint8_t> bytes) const;
    std::array<std::uint8_t, kKeyBytes> key_;
};

}  // namespace seccomm
