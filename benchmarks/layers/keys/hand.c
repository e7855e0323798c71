// benchmarks: by hand: a key is set where it is another than the last one, in a context that stays.
#include <string.h>

#include "messages.h"

#include <aes.h>
#include <twofish.h>

void open_message(uint8_t *text, const uint8_t *key, const uint8_t *cipher) {
    static struct aes128_ctx context;
    static uint8_t last[KEY_BYTES];
    static int is_set;
    if (!is_set || memcmp(last, key, KEY_BYTES) != 0) {
        aes128_set_decrypt_key(&context, key);
        memcpy(last, key, KEY_BYTES);
        is_set = 1;
    }
    aes128_decrypt(&context, MESSAGE_BYTES, text, cipher);
}

void seal_message(uint8_t *cipher, const uint8_t *key, const uint8_t *text) {
    static struct twofish_ctx context;
    static uint8_t last[KEY_BYTES];
    static int is_set;
    if (!is_set || memcmp(last, key, KEY_BYTES) != 0) {
        twofish128_set_key(&context, key);
        memcpy(last, key, KEY_BYTES);
        is_set = 1;
    }
    twofish_encrypt(&context, MESSAGE_BYTES, cipher, text);
}
