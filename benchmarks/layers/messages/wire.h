// benchmarks: protobuf's wire format by hand: numbers of seven bits a byte, keys, lengths.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t zigzag(int32_t value) { return ((uint32_t)value << 1) ^ (uint32_t)(value >> 31); }

static inline int32_t unzigzag(uint32_t value) { return (int32_t)(value >> 1) ^ -(int32_t)(value & 1); }

static inline uint8_t *put_varint(uint8_t *at, uint64_t value) {
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

static inline uint8_t *put_bytes(uint8_t *at, const void *bytes, size_t size) {
    memcpy(at, bytes, size);
    return at + size;
}

static inline uint8_t *put_string(uint8_t *at, const void *bytes, size_t size) {
    return put_bytes(put_varint(at, size), bytes, size);
}

// A message inside of a message, of fewer than 128 bytes: its length goes before it when it is known.
static inline uint8_t *put_length(uint8_t *length_at, const uint8_t *end) {
    *length_at = (uint8_t)(end - length_at - 1);
    return (uint8_t *)end;
}

// NULL: cut off, or longer than it need be for any 63-bit number.
static inline const uint8_t *get_varint(const uint8_t *at, const uint8_t *end, uint64_t *value) {
    uint64_t result = 0;
    for (unsigned shift = 0; at != end && shift < 63; shift += 7) {
        result |= (uint64_t)(*at & 0x7f) << shift;
        if ((*at++ & 0x80) == 0) {
            *value = result;
            return at;
        }
    }
    return NULL;
}
