// crossing: the digits of numbers that are printed, two at once.
#include <string.h>

#include "abi/crossing.h"

namespace {

constexpr uint64_t powers_of_ten[] = {1ULL,
                                      10ULL,
                                      100ULL,
                                      1000ULL,
                                      10000ULL,
                                      100000ULL,
                                      1000000ULL,
                                      10000000ULL,
                                      100000000ULL,
                                      1000000000ULL,
                                      10000000000ULL,
                                      100000000000ULL,
                                      1000000000000ULL,
                                      10000000000000ULL,
                                      100000000000000ULL,
                                      1000000000000000ULL,
                                      10000000000000000ULL,
                                      100000000000000000ULL,
                                      1000000000000000000ULL,
                                      10000000000000000000ULL};

constexpr char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                         "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                         "8081828384858687888990919293949596979899";

unsigned bits_of(uint64_t number) { return 64U - static_cast<unsigned>(__builtin_clzll(number | 1)); }

}  // namespace

size_t thalweg_crossing_decimal_digits(uint64_t number) noexcept {
    // 1233 / 4096 is the logarithm of 2 to the base 10, and right for all numbers of bits that there are.
    const unsigned guess = bits_of(number) * 1233 >> 12;
    return guess + ((number | 1) >= powers_of_ten[guess] ? 1 : 0);
}

void thalweg_crossing_put_decimal(char *at, uint64_t number, size_t digits) noexcept {
    while (digits >= 2) {
        digits -= 2;
        memcpy(at + digits, pairs + 2 * (number % 100), 2);
        number /= 100;
    }
    if (digits == 1)
        *at = static_cast<char>('0' + number % 10);
}

size_t thalweg_crossing_hexadecimal_digits(uint64_t number) noexcept { return (bits_of(number) + 3) / 4; }

void thalweg_crossing_put_hexadecimal(char *at, uint64_t number, size_t digits, int large_letters) noexcept {
    const char *letters = large_letters != 0 ? "0123456789ABCDEF" : "0123456789abcdef";
    for (; digits > 0; number /= 16)
        at[--digits] = letters[number % 16];
}
