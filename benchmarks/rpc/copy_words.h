// benchmarks: words from the machine's byte order to the network's, as an engineer writes it for any x86-64: SSE2; and for one that has
// AVX-512.
#pragma once

#include <immintrin.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef PLAIN_COPY
// What no encoder can beat: the bytes as they are.
static inline void copy_words(void *to, const void *from, size_t count) { memcpy(to, from, 4 * count); }
#else
static inline __m128i swap_words(__m128i words) {
    // The bytes of each half, then the halves of each word.
    words = _mm_or_si128(_mm_slli_epi16(words, 8), _mm_srli_epi16(words, 8));
    words = _mm_shufflelo_epi16(words, _MM_SHUFFLE(2, 3, 0, 1));
    return _mm_shufflehi_epi16(words, _MM_SHUFFLE(2, 3, 0, 1));
}

#ifdef __AVX512BW__
static inline void copy_lines(char **out, const char **in, size_t *left) {
    const __m512i reversed = _mm512_set4_epi32(0x0c0d0e0f, 0x08090a0b, 0x04050607, 0x00010203);
    for (; *left >= 16; *left -= 16, *out += 64, *in += 64)
        _mm512_storeu_si512(*out, _mm512_shuffle_epi8(_mm512_loadu_si512(*in), reversed));
}
#else
static inline void copy_lines(char **out, const char **in, size_t *left) {
    (void)out;
    (void)in;
    (void)left;
}
#endif

static inline void copy_words(void *to, const void *from, size_t count) {
    char *out = to;
    const char *in = from;
    size_t left = count;
    copy_lines(&out, &in, &left);
    for (; left >= 8; left -= 8, out += 32, in += 32) {
        const __m128i first = swap_words(_mm_loadu_si128((const __m128i *)in));
        const __m128i second = swap_words(_mm_loadu_si128((const __m128i *)(in + 16)));
        _mm_storeu_si128((__m128i *)out, first);
        _mm_storeu_si128((__m128i *)(out + 16), second);
    }
    for (; left > 0; --left, out += 4, in += 4) {
        uint32_t word;
        memcpy(&word, in, 4);
        word = htonl(word);
        memcpy(out, &word, 4);
    }
}
#endif
