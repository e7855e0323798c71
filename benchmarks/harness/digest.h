// benchmarks: a number for some bytes, so that what variants compute can be compared (FNV-1a).
#pragma once

#include <stddef.h>
#include <stdint.h>

#define DIGEST_START 0xcbf29ce484222325u

static inline uint64_t digest_of(uint64_t digest, const void *bytes, size_t size) {
    const unsigned char *at = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; ++i)
        digest = (digest ^ at[i]) * 0x100000001b3u;
    return digest;
}
