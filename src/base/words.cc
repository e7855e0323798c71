// base: numbers in sentences.
#include "base/words.h"

namespace thalweg {

std::string grouped(uint64_t number) {
    std::string digits = std::to_string(number);
    for (size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, ",");
    }
    return digits;
}

std::string plural(uint64_t number, const char *one) { return grouped(number) + ' ' + one + (number == 1 ? "" : "s"); }

std::string times(uint64_t number) { return number == 1 ? "once" : grouped(number) + " times"; }

}  // namespace thalweg
