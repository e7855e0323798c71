// examples: XOR with a key
#include "seccomm/xor_cipher.h"

#include <algorithm>

namespace seccomm {

XorCipher::XorCipher(Context &context, std::span<const std::uint8_t, kKeyBytes> key) {
    std::copy(key.begin(), key.end(), key_.begin());
    context.events.encrypt.bind<&XorCipher::encrypt>(this, 20);
    context.events.decrypt.bind<&XorCipher::decrypt>(this, 10);  // undone in the other order
}

void XorCipher::encrypt(Message &message) { apply(message.ciphered()); }
void XorCipher::decrypt(Message &message) { apply(message.ciphered()); }

void XorCipher::apply(std::span<std::uint8_t> bytes) const {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] ^= key_[i % kKeyBytes];
    }
}

}  // namespace seccomm
