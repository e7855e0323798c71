// benchmarks: a key is set for each message, as those do who keep no state.
#include "messages.h"

#include <aes.h>
#include <twofish.h>

void open_message(uint8_t *text, const uint8_t *key, const uint8_t *cipher) {
    struct aes128_ctx context;
    aes128_set_decrypt_key(&context, key);
    aes128_decrypt(&context, MESSAGE_BYTES, text, cipher);
}

void seal_message(uint8_t *cipher, const uint8_t *key, const uint8_t *text) {
    struct twofish_ctx context;
    twofish128_set_key(&context, key);
    twofish_encrypt(&context, MESSAGE_BYTES, cipher, text);
}
