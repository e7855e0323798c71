// transform: the format of one of the C library's printing functions, taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace thalweg::transform {

// A conversion of a format, or the text between two of them (ISO C, 7.23.6.1).
struct Conversion {
    enum class Of { literal, text, character, signed_number, unsigned_number, hexadecimal };
    enum class From { nowhere, format, argument };
    struct Count {
        From from = From::nowhere;
        uint32_t number = 0;  // as the format has it
    };

    Of of = Of::literal;
    std::string literal;
    unsigned bits = 32;  // of the number as it is handed over
    unsigned shown_bits = 32;  // of these
    bool large_letters = false;
    bool to_the_left = false;
    bool with_zeros = false;
    Count width;
    Count precision;  // of a text alone

    bool is_number() const { return of == Of::signed_number || of == Of::unsigned_number || of == Of::hexadecimal; }
};

// None: it has a conversion that is left to the library, such as one of floating point.
std::optional<std::vector<Conversion>> conversions_of(llvm::StringRef format);

}  // namespace thalweg::transform
