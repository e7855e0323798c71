// crossing: digits as the C library prints them, at all places where their number changes.
#include <stdint.h>
#include <stdio.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "abi/crossing.h"

namespace {

std::string decimal(uint64_t number) {
    std::string text(thalweg_crossing_decimal_digits(number), '?');
    thalweg_crossing_put_decimal(text.data(), number, text.size());
    return text;
}

std::string hexadecimal(uint64_t number, bool large) {
    std::string text(thalweg_crossing_hexadecimal_digits(number), '?');
    thalweg_crossing_put_hexadecimal(text.data(), number, text.size(), large ? 1 : 0);
    return text;
}

std::string printed(const char *format, uint64_t number) {
    char text[32];
    snprintf(text, sizeof text, format, static_cast<unsigned long long>(number));
    return text;
}

// Around each power of 2 and of 10.
std::vector<uint64_t> numbers() {
    std::vector<uint64_t> all = {0, UINT64_MAX};
    for (uint64_t base : {2, 10})
        for (uint64_t power = 1;; power *= base) {
            for (const uint64_t number : {power - 1, power, power + 1})
                all.push_back(number);
            if (power > UINT64_MAX / base)
                break;
        }
    return all;
}

TEST(Digits, AreThoseOfTheLibrary) {
    for (const uint64_t number : numbers()) {
        ASSERT_EQ(decimal(number), printed("%llu", number));
        ASSERT_EQ(hexadecimal(number, false), printed("%llx", number));
        ASSERT_EQ(hexadecimal(number, true), printed("%llX", number));
    }
}

TEST(Digits, StayWithinTheirNumber) {
    char text[] = "....";
    thalweg_crossing_put_decimal(text + 1, 123, 2);
    EXPECT_STREQ(text, ".23.") << "no digit in front of those that were asked for";
}

}  // namespace
