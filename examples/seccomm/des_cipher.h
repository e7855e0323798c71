// examples: DES: enciphers with DES in CBC mode. As in the original SecComm of 2001; today nobody may rely on DES.
#pragma once

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/des.h>

#include "seccomm/events.h"

namespace seccomm {

class DesCipher {
  public:
    DesCipher(Context &context, std::span<const std::uint8_t, kBlock> key);

    void encrypt(Message &message);  // DES-E
    void decrypt(Message &message);  // DES-D

  private:
    DES_key_schedule schedule_;
    std::uint64_t messages_ = 0;
};

}  // namespace seccomm
