// transform: reads formats; what is not sure to be understood as the C library understands it is not taken.
#include "transform/libc/format.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A wider field is a mistake, or fills a buffer on purpose.
constexpr uint32_t widest = 4096;

struct Length {
    StringLiteral word;
    unsigned bits;
    unsigned shown_bits;
};
// The longer word first. `long` has 64 bits on the systems that are served.
constexpr Length lengths[] = {{"hh", 32, 8}, {"h", 32, 16}, {"ll", 64, 64}, {"l", 64, 64},
                              {"z", 64, 64}, {"j", 64, 64}, {"t", 64, 64},  {"", 32, 32}};

struct Kind {
    char letter;
    Conversion::Of of;
    bool large_letters = false;
};
constexpr Kind kinds[] = {{'d', Conversion::Of::signed_number},     {'i', Conversion::Of::signed_number},
                          {'u', Conversion::Of::unsigned_number},   {'x', Conversion::Of::hexadecimal},
                          {'X', Conversion::Of::hexadecimal, true}, {'s', Conversion::Of::text},
                          {'c', Conversion::Of::character}};

class Reader {
  public:
    explicit Reader(StringRef format) : rest_(format) {}

    std::optional<std::vector<Conversion>> read() {
        while (!rest_.empty()) {
            const size_t plain = std::min(rest_.find('%'), rest_.size());
            add_literal(rest_.take_front(plain));
            rest_ = rest_.drop_front(plain);
            if (rest_.consume_front("%%"))
                add_literal("%");
            else if (rest_.consume_front("%") && !conversion())
                return {};
        }
        return std::move(all_);
    }

  private:
    void add_literal(StringRef text) {
        if (text.empty())
            return;
        if (all_.empty() || all_.back().of != Conversion::Of::literal)
            all_.emplace_back();
        all_.back().literal += text;
    }

    bool conversion() {
        Conversion one;
        for (; !rest_.empty() && (rest_.front() == '-' || rest_.front() == '0'); rest_ = rest_.drop_front())
            (rest_.front() == '-' ? one.to_the_left : one.with_zeros) = true;
        if (!count(one.width))
            return false;
        if (rest_.consume_front(".")) {
            one.precision.from = Conversion::From::format;
            if (!count(one.precision))
                return false;
        }
        const auto *length = find_if(lengths, [&](const Length &row) { return rest_.consume_front(row.word); });
        one.bits = length->bits;
        one.shown_bits = length->shown_bits;
        const auto *kind =
            find_if(kinds, [&](const Kind &row) { return rest_.starts_with(StringRef(&row.letter, 1)); });
        if (kind == std::end(kinds))
            return false;
        rest_ = rest_.drop_front();
        one.of = kind->of;
        one.large_letters = kind->large_letters;
        all_.push_back(one);
        return is_understood(one, !length->word.empty());
    }

    // What the standard leaves undefined is the library's business, and so is how many digits a number has at least.
    static bool is_understood(const Conversion &one, bool has_length) {
        const bool has_precision = one.precision.from != Conversion::From::nowhere;
        if (one.is_number())
            return !has_precision;
        return !one.with_zeros && !has_length && (one.of == Conversion::Of::text || !has_precision);
    }

    bool count(Conversion::Count &count) {
        if (rest_.consume_front("*")) {
            count.from = Conversion::From::argument;
            return true;
        }
        if (rest_.empty() || !isDigit(rest_.front()))
            return true;
        count.from = Conversion::From::format;
        return !rest_.consumeInteger(10, count.number) && count.number <= widest;
    }

    StringRef rest_;
    std::vector<Conversion> all_;
};

}  // namespace

std::optional<std::vector<Conversion>> conversions_of(StringRef format) { return Reader(format).read(); }

}  // namespace thalweg::transform
