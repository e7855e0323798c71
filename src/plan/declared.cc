// plan: the words of what a user declares, read from left to right.
#include "plan/declared.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace thalweg::plan {

namespace {

constexpr uint32_t address_bytes = 8;

class Words {
  public:
    explicit Words(std::string_view text) : rest_(text) { skip_spaces(); }

    bool take(std::string_view word) {
        if (!rest_.starts_with(word))
            return false;
        rest_.remove_prefix(word.size());
        skip_spaces();
        return true;
    }

    std::optional<int64_t> number() {
        std::string_view digits = rest_;
        const bool negative = digits.starts_with('-');
        if (negative)
            digits.remove_prefix(1);
        const bool hexadecimal = digits.starts_with("0x");
        if (hexadecimal)
            digits.remove_prefix(2);
        uint64_t value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value, hexadecimal ? 16 : 10);
        if (error != std::errc{})
            return std::nullopt;
        rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
        skip_spaces();
        return static_cast<int64_t>(negative ? -value : value);
    }

    // A linker name: whatever stands before a sign that the grammar uses.
    std::string name() {
        const size_t end = std::min(rest_.find_first_of(" =|#:+"), rest_.size());
        std::string found(rest_.substr(0, end));
        rest_.remove_prefix(end);
        skip_spaces();
        return found;
    }

    bool empty() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }

  private:
    void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

    std::string_view rest_;
};

// What is wrong, or empty.
using Problem = std::string;

// Which of the calls that lead there is meant: from CALLER#NUMBER.
Problem read_call(Words &words, model::Fact &fact) {
    if (!words.take("from "))
        return {};
    model::FactCall call;
    call.caller = words.name();
    const bool numbered = !call.caller.empty() && words.take("#");
    const auto ordinal = numbered ? words.number() : std::nullopt;
    if (!ordinal || *ordinal < 0 || *ordinal > UINT32_MAX)
        return "write from CALLER#NUMBER, the number of the call in its caller";
    call.ordinal = static_cast<uint32_t>(*ordinal);
    fact.call = std::move(call);
    return {};
}

Problem read_place(Words &words, model::Fact &fact) {
    const bool load = words.take("load ");
    const bool result = !load && words.take("result ");
    if (load || result) {
        fact.kind = load ? model::FactKind::load : model::FactKind::result;
        fact.function = words.name();
        if (fact.function.empty() || !words.take("#"))
            return load ? "write load FUNCTION#NUMBER" : "write result FUNCTION#NUMBER, of the function that calls";
    } else if (!words.take("arg")) {
        return "it begins with argN, load FUNCTION#N or result FUNCTION#N";
    }
    const auto ordinal = words.number();
    if (!ordinal || *ordinal < 0 || *ordinal > UINT32_MAX)
        return load || result ? "which one? write its number behind #" : "which argument? write arg0, arg1, ...";
    fact.ordinal = static_cast<uint32_t>(*ordinal);
    while (!load && !result && words.take("->")) {
        const auto offset = words.number();
        if (!offset)
            return "behind -> stands an offset in bytes";
        fact.kind = model::FactKind::memory;
        fact.path.push_back(*offset);
    }
    if (!words.take(":"))
        return {};
    const auto width = words.number();
    if (!width || *width < 1 || *width > address_bytes)
        return "a width is 1 to 8 bytes";
    fact.width = static_cast<uint32_t>(*width);
    return {};
}

Problem read_value(Words &words, model::Fact &fact) {
    model::FactValue value;
    if (words.take("&")) {
        value.symbol = words.name();
        if (value.symbol.empty())
            return "behind & stands a symbol's linker name";
        const bool offset = words.take("+");
        const auto bytes = offset ? words.number() : std::optional<int64_t>(0);
        if (!bytes)
            return "behind + stands an offset in bytes";
        value.bits = static_cast<uint64_t>(*bytes);
    } else {
        const auto number = words.number();
        if (!number)
            return "a value is a number or &SYMBOL";
        // As the recorder writes it: the bytes of the value, no more.
        const uint64_t bits = static_cast<uint64_t>(*number);
        value.bits = fact.width < address_bytes ? bits & ((uint64_t{1} << (8 * fact.width)) - 1) : bits;
    }
    fact.values.push_back(std::move(value));
    return {};
}

Problem read_fact(Words &words, model::Fact &fact) {
    if (Problem problem = read_place(words, fact); !problem.empty())
        return problem;
    if (fact.kind == model::FactKind::load)
        if (Problem problem = read_call(words, fact); !problem.empty())
            return problem;
    if (!words.take("="))
        return "= is missing";
    do {
        if (Problem problem = read_value(words, fact); !problem.empty())
            return problem;
    } while (words.take("|"));
    return words.empty() ? Problem{} : "nothing may follow a value but | and another value";
}

Problem read_number(Words &words, const char *what, uint32_t &out) {
    const auto number = words.number();
    if (!number || *number < 0 || *number > UINT32_MAX)
        return fmt::format("here stands {}, a number of 32 bits", what);
    out = static_cast<uint32_t>(*number);
    return {};
}

Problem read_independent(Words &words, model::IndependentCalls &calls) {
    if (Problem problem = read_number(words, "the program", calls.program); !problem.empty())
        return problem;
    if (!words.take(":"))
        return "write PROGRAM:VERSION:PROCEDURE,PROCEDURE...";
    if (Problem problem = read_number(words, "the version", calls.version); !problem.empty())
        return problem;
    if (!words.take(":"))
        return "write PROGRAM:VERSION:PROCEDURE,PROCEDURE...";
    do {
        uint32_t procedure = 0;
        if (Problem problem = read_number(words, "a procedure", procedure); !problem.empty())
            return problem;
        calls.procedures.push_back(procedure);
    } while (words.take(","));
    return words.empty() ? Problem{} : "nothing may follow a procedure but , and another one";
}

}  // namespace

Result<model::IndependentCalls> declared_independent(const std::string &text) {
    model::IndependentCalls calls;
    Words words(text);
    if (const Problem problem = read_independent(words, calls); !problem.empty())
        return fail(ErrorCode::usage, "the independent calls \"{}\" are not understood at \"{}\": {}", text,
                    words.rest(), problem);
    return calls;
}

Result<model::Fact> declared_fact(const std::string &text, const std::string &function) {
    model::Fact fact;
    fact.function = function;
    fact.width = address_bytes;
    Words words(text);
    if (const Problem problem = read_fact(words, fact); !problem.empty())
        return fail(ErrorCode::usage, "the fact \"{}\" is not understood at \"{}\": {}", text, words.rest(), problem);
    return fact;
}

}  // namespace thalweg::plan
