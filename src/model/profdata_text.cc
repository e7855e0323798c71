// model: LLVM's text format of a profile (llvm/lib/ProfileData/InstrProfReader.cpp, TextInstrProfReader).
#include <algorithm>
#include <charconv>

#include "model/counts.h"
#include "model/limits.h"

namespace thalweg::model {

namespace {

constexpr std::string_view ir_level = ":ir";

bool is_number(std::string_view line) {
    return !line.empty() && line.find_first_not_of("0123456789") == std::string_view::npos;
}

// No compiler gives another one, but a profile may have any: a line that would be something else.
bool can_be_name(std::string_view name) {
    return !name.empty() && !name.starts_with('#') && !name.starts_with(':') && !is_number(name) &&
           name.find_first_of("\r\n") == std::string_view::npos;
}

// Line by line, without those that are empty or comments.
class Lines {
  public:
    explicit Lines(std::string_view text) : rest_(text) { next(); }

    bool at_end() const { return at_end_; }
    std::string_view line() const { return line_; }
    size_t number() const { return number_; }

    void next() {
        do {
            if (rest_.empty()) {
                at_end_ = true;
                line_ = {};
                return;
            }
            const size_t end = std::min(rest_.find('\n'), rest_.size());
            line_ = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            if (line_.ends_with('\r'))
                line_.remove_suffix(1);
        } while (line_.empty() || line_.starts_with('#'));
    }

  private:
    std::string_view rest_;
    std::string_view line_;
    size_t number_ = 0;
    bool at_end_ = false;
};

class Reader {
  public:
    explicit Reader(std::string_view text) : lines_(text) {}

    Result<std::vector<FunctionCounts>> read() {
        std::vector<FunctionCounts> functions;
        bool of_ir = false;
        for (; lines_.line().starts_with(':'); lines_.next())
            of_ir |= lines_.line() == ir_level;
        if (!of_ir)
            return fail(ErrorCode::does_not_fit, "no profile of IR instrumentation (-fprofile-generate): no line {}",
                        ir_level);
        while (!lines_.at_end() && problem_.empty() && functions.size() < max_symbols)
            functions.push_back(function());
        if (!lines_.at_end() && problem_.empty())
            complain(fmt::format("more than {} functions", max_symbols));
        if (!problem_.empty())
            return fail(ErrorCode::does_not_fit, "{}", problem_);
        return functions;
    }

  private:
    void complain(const std::string &what) {
        if (problem_.empty())
            problem_ = fmt::format("line {}: {}", lines_.number(), what);
    }

    uint64_t number(const char *what, uint64_t most) {
        const std::string_view line = lines_.line();
        uint64_t value = 0;
        const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (lines_.at_end() || problem != std::errc() || end != line.data() + line.size() || value > most)
            complain(fmt::format("not {}, a whole number from 0 to {}", what, most));
        lines_.next();
        return value;
    }

    FunctionCounts function() {
        FunctionCounts function;
        function.name = lines_.line();
        if (!can_be_name(function.name))
            complain("not a function's name");
        lines_.next();
        function.hash = number("a hash", UINT64_MAX);
        const uint64_t count = number("a number of counters", max_counters - counters_);
        // LLVM refuses a whole text for it.
        if (count == 0)
            complain("a function without a counter");
        counters_ += problem_.empty() ? count : 0;
        for (uint64_t i = 0; i < count && problem_.empty(); ++i)
            function.counts.push_back(number("a count", max_count));
        // The number of kinds of values, if there are any; or the next function's name, which is no number.
        if (is_number(lines_.line()))
            pass_over_values();
        return function;
    }

    void pass_over_values() {
        constexpr uint64_t most_kinds = 16;
        const uint64_t kinds = number("a number of kinds", most_kinds);
        for (uint64_t kind = 0; kind < kinds && problem_.empty(); ++kind) {
            number("a kind", most_kinds);
            const uint64_t sites = number("a number of sites", max_counters);
            for (uint64_t site = 0; site < sites && problem_.empty(); ++site)
                for (uint64_t value = number("a number of values", max_counters); value > 0 && problem_.empty();
                     --value)
                    pass_over_value();
        }
    }

    void pass_over_value() {
        if (lines_.at_end())
            complain("the values end too early");
        lines_.next();
    }

    Lines lines_;
    uint64_t counters_ = 0;
    std::string problem_;
};

}  // namespace

std::string write_profdata_text(const std::vector<FunctionCounts> &functions) {
    std::string text = fmt::format("{}\n", ir_level);
    for (const FunctionCounts &function : functions) {
        if (!can_be_name(function.name) || function.counts.empty())
            continue;
        text += fmt::format("{}\n{}\n{}\n", function.name, function.hash, function.counts.size());
        for (const uint64_t count : function.counts)
            text += fmt::format("{}\n", count);
        text += '\n';
    }
    return text;
}

Result<std::vector<FunctionCounts>> read_profdata_text(std::string_view text) { return Reader(text).read(); }

}  // namespace thalweg::model
