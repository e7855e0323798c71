// benchmarks: messages of sessions of 1,000 messages each, and of sessions of one.   main NAME|all|edges COUNT
#include <stdlib.h>

#include "driver.h"
#include "messages.h"

typedef void cipher(uint8_t *result, const uint8_t *key, const uint8_t *message);

static void run(const char *name, cipher *handle, uint64_t session, uint64_t count) {
    uint8_t key[KEY_BYTES] = "a session's key";
    uint8_t message[MESSAGE_BYTES] = "the message";
    uint64_t digest = DIGEST_START;
    const double start = now_ns();
    for (uint64_t i = 0; i < count; ++i) {
        if (i % session == 0)
            key[i / session % KEY_BYTES] += 1;
        from_outside(key);
        handle(message, key, message);
    }
    const double nanoseconds = now_ns() - start;
    digest = digest_of(digest, message, sizeof message);
    tell(name, nanoseconds, count, digest);
}

// Keys that differ in one byte, that come back, and messages that lie over their key.
static uint64_t edges(void) {
    uint8_t bytes[MESSAGE_BYTES + KEY_BYTES] = {0};
    uint64_t digest = DIGEST_START;
    for (unsigned i = 0; i < 2000; ++i) {
        uint8_t *key = bytes + i % MESSAGE_BYTES;
        if (i % 3 == 0)
            key[i % KEY_BYTES] ^= (uint8_t)(1 + i);
        open_message(bytes, key, bytes);
        seal_message(bytes, key, bytes);
        digest = digest_of(digest, bytes, sizeof bytes);
    }
    return digest;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s NAME|all|edges COUNT\n", argv[0]);
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 10);
    if (strcmp(argv[1], "edges") == 0)
        printf("edges %016" PRIx64 "\n", edges());
    if (chosen(argv[1], "aes"))
        run("aes", open_message, 1000, count);
    if (chosen(argv[1], "twofish"))
        run("twofish", seal_message, 1000, count);
    if (chosen(argv[1], "twofish-new-keys"))
        run("twofish-new-keys", seal_message, 1, count);
    return 0;
}
