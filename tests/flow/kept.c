/* tests: ciphers that set a key for every message, as programs do: one whose key changes in the middle of the run, one whose key is another
 * for each message, and a check that takes no longer than a test would. argv[1]: messages; argv[2]: how often the session's key changes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct schedule {
    uint32_t words[64];
};
static const uint8_t steps[16] = {99, 124, 119, 123, 242, 107, 111, 197, 48, 1, 103, 43, 254, 215, 171, 118};

static void expand(struct schedule *schedule, const uint8_t *key, int rounds) {
    memcpy(schedule->words, key, 16);
    for (int i = 4; i < 64; ++i) {
        uint32_t word = schedule->words[i - 1];
        for (int round = 0; round < rounds; ++round)
            word = (word << 7 | word >> 25) * 31 ^ steps[word & 15];
        schedule->words[i] = schedule->words[i - 4] ^ word;
    }
}
__attribute__((noinline)) void set_session_key(struct schedule *schedule, const uint8_t *key) {
    expand(schedule, key, 6);
}
__attribute__((noinline)) void set_message_key(struct schedule *schedule, const uint8_t *key) {
    expand(schedule, key, 7);
}
__attribute__((noinline)) uint32_t checked(uint32_t value) {
    for (int i = 0; i < 9; ++i)
        value = value * 5 + 1;
    return value;
}

int main(int count, char **words) {
    const int messages = count > 1 ? atoi(words[1]) : 1000;
    const int changes = count > 2 ? atoi(words[2]) : 1;
    uint8_t session[16] = "a session's key";
    uint8_t own[16] = "one for each";
    struct schedule schedule;
    uint32_t sum = 0;
    for (int i = 0; i < messages; ++i) {
        if (i % (messages / (changes + 1) + 1) == 0)
            session[3] ^= 1;
        memcpy(own, &i, sizeof i);
        set_session_key(&schedule, session);
        sum = checked(sum * 31 + schedule.words[i % 64]);
        schedule.words[63] = 0;
        set_message_key(&schedule, own);
        sum = sum * 31 + schedule.words[i % 64];
        if (i % (messages / 10 + 1) == 0)
            printf("%u\n", sum);
    }
    printf("%u\n", sum);
    return 0;
}
