// examples: SecComm, a configurable secure communication service: the composite of its micro-protocols
#pragma once

#include "seccomm/coordinator.h"
#include "seccomm/des_cipher.h"
#include "seccomm/driver.h"
#include "seccomm/xor_cipher.h"

namespace seccomm {

struct Keys {
    std::array<std::uint8_t, kBlock> des;
    std::array<std::uint8_t, XorCipher::kKeyBytes> exclusive_or;
};

class SecComm {
  public:
    SecComm(composite::Composite &composite, const Keys &keys, bool measure);

    // False: larger than kMaxText.
    bool send(std::span<const std::uint8_t> text);
    Events &events() { return context.events; }

    Context context;
    Coordinator coordinator;
    DesCipher des;
    XorCipher exclusive_or;
    Driver driver;
};

}  // namespace seccomm
