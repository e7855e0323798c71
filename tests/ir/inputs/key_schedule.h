// tests: a key's schedule, made of 16 bytes, as ciphers have it.
#include <stdint.h>
struct schedule {
    uint32_t words[44];
};
static const uint8_t steps[16] = {99, 124, 119, 123, 242, 107, 111, 197, 48, 1, 103, 43, 254, 215, 171, 118};

__attribute__((noinline)) void set_key(struct schedule *schedule, const uint8_t *key) {
    for (int i = 0; i < 4; ++i)
        schedule->words[i] = key[4 * i] | (uint32_t)key[4 * i + 1] << 8 | (uint32_t)key[4 * i + 2] << 16 |
                             (uint32_t)key[4 * i + 3] << 24;
    for (int i = 4; i < 44; ++i) {
        const uint32_t before = schedule->words[i - 1];
        schedule->words[i] =
            schedule->words[i - 4] ^ (i % 4 == 0 ? steps[before & 15] ^ before >> 8 ^ (uint32_t)i : before);
    }
}
