// report: a fact's place and values as `thalweg specialize --fact` takes them.
#include "report/facts.h"

#include <fmt/format.h>

namespace thalweg::report {

namespace {

constexpr uint32_t address_bytes = 8;
// From here on a number of so many bytes is more likely a negative one or a set of bits.
constexpr uint64_t largest_decimal(uint32_t width) { return (uint64_t{1} << (8 * width - 1)) - 1; }

std::string value_words(const model::FactValue &value, uint32_t width) {
    if (!value.symbol.empty())
        return value.bits == 0 ? "&" + value.symbol : fmt::format("&{}+{}", value.symbol, value.bits);
    return value.bits <= largest_decimal(width) ? fmt::format("{}", value.bits) : fmt::format("{:#x}", value.bits);
}

std::string place_of(const model::Fact &fact) {
    if (fact.kind == model::FactKind::load)
        return fmt::format("load {}#{}", fact.function, fact.ordinal);
    if (fact.kind == model::FactKind::result)
        return fmt::format("result {}#{}", fact.function, fact.ordinal);
    std::string text = fmt::format("arg{}", fact.ordinal);
    for (const int64_t offset : fact.path)
        text += fmt::format("->{}", offset);
    return text;
}

}  // namespace

bool is_trusted(const model::Fact &fact) { return fact.trusted && fact.values.size() == 1; }

std::string fact_words(const model::Fact &fact) {
    std::string text = place_of(fact);
    if (fact.width != address_bytes)
        text += fmt::format(":{}", fact.width);
    if (fact.call)
        text += fmt::format(" from {}#{}", fact.call->caller, fact.call->ordinal);
    for (const model::FactValue &value : fact.values)
        text += (&value == &fact.values.front() ? " = " : " | ") + value_words(value, fact.width);
    return text;
}

}  // namespace thalweg::report
