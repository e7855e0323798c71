// examples: DES in CBC mode
#include "seccomm/des_cipher.h"

#include <algorithm>
#include <cstring>

namespace seccomm {

DesCipher::DesCipher(Context &context, std::span<const std::uint8_t, kBlock> key) {
    DES_cblock block;
    std::copy(key.begin(), key.end(), block);
    DES_set_key_unchecked(&block, &schedule_);
    context.events.encrypt.bind<&DesCipher::encrypt>(this, 10);
    context.events.decrypt.bind<&DesCipher::decrypt>(this, 20);
}

// The initialisation vector is the enciphered number of the message: never the same twice, and not to be foreseen.
void DesCipher::encrypt(Message &message) {
    DES_cblock iv;
    std::memcpy(iv, &++messages_, sizeof iv);
    DES_ecb_encrypt(&iv, &iv, &schedule_, DES_ENCRYPT);
    std::memcpy(message.bytes.data(), iv, kIvBytes);
    const auto text = message.ciphered();
    DES_ncbc_encrypt(text.data(), text.data(), static_cast<long>(text.size()), &schedule_, &iv, DES_ENCRYPT);
}

void DesCipher::decrypt(Message &message) {
    DES_cblock iv;
    std::memcpy(iv, message.bytes.data(), kIvBytes);
    const auto text = message.ciphered();
    DES_ncbc_encrypt(text.data(), text.data(), static_cast<long>(text.size()), &schedule_, &iv, DES_DECRYPT);
}

}  // namespace seccomm
