// record: LLVM's text format of a profile (llvm/lib/ProfileData/InstrProfReader.cpp, TextInstrProfReader).
#include <algorithm>
#include <charconv>
#include <functional>
#include <map>

#include "model/limits.h"
#include "record/profdata_text.h"

namespace thalweg::record {

namespace {

using model::CallTarget;
using model::FunctionCounts;
using model::MemorySize;

constexpr std::string_view ir_level = ":ir";
// Of the kinds of values (llvm::InstrProfValueKind) targets of calls and sizes of memory operations.
constexpr uint64_t call_targets = 0;
constexpr uint64_t memory_sizes = 1;
// What LLVM writes for a target that has no name in the profile.
constexpr std::string_view external_symbol = "** External Symbol **";

bool is_number(std::string_view line) {
    return !line.empty() && line.find_first_not_of("0123456789") == std::string_view::npos;
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

std::string value_text(const CallTarget &target) {
    return fmt::format("{}:{}\n", model::can_be_function_name(target.function) ? target.function : external_symbol,
                       target.count);
}

std::string value_text(const MemorySize &size) { return fmt::format("{}:{}\n", size.bytes, size.count); }

template <class T>
std::string values_text(uint64_t kind, const std::vector<std::vector<T>> &sites) {
    if (sites.empty())
        return "";
    std::string text = fmt::format("{}\n{}\n", kind, sites.size());
    for (const std::vector<T> &values : sites) {
        text += fmt::format("{}\n", values.size());
        for (const T &value : values)
            text += value_text(value);
    }
    return text;
}

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
        while (!lines_.at_end() && problem_.empty() && functions.size() < model::max_symbols)
            functions.push_back(function());
        if (!lines_.at_end() && problem_.empty())
            complain(fmt::format("more than {} functions", model::max_symbols));
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
        if (!model::can_be_function_name(function.name))
            complain("not a function's name");
        lines_.next();
        function.hash = number("a hash", UINT64_MAX);
        const uint64_t count = number("a number of counters", model::max_counters - counters_);
        // LLVM refuses a whole text for it.
        if (count == 0)
            complain("a function without a counter");
        counters_ += problem_.empty() ? count : 0;
        for (uint64_t i = 0; i < count && problem_.empty(); ++i)
            function.counts.push_back(number("a count", model::max_count));
        // The number of kinds of values, if there are any; or the next function's name, which is no number.
        if (is_number(lines_.line()))
            read_values(function);
        return function;
    }

    void read_values(FunctionCounts &function) {
        constexpr uint64_t most_kinds = 16;
        const uint64_t kinds = number("a number of kinds", most_kinds);
        for (uint64_t i = 0; i < kinds && problem_.empty(); ++i) {
            const uint64_t kind = number("a kind", most_kinds);
            const uint64_t sites = number("a number of sites", model::max_counters - counters_);
            counters_ += problem_.empty() ? sites : 0;
            for (uint64_t site = 0; site < sites && problem_.empty(); ++site)
                if (kind == call_targets)
                    function.value_sites.push_back(targets());
                else if (kind == memory_sizes)
                    function.memory_sites.push_back(sizes());
                else
                    each_value([] {});
        }
    }

    template <class Read>
    void each_value(Read read) {
        const uint64_t count = number("a number of values", model::max_counters - counters_);
        counters_ += problem_.empty() ? count : 0;
        for (uint64_t i = 0; i < count && problem_.empty(); ++i) {
            if (lines_.at_end())
                complain("the values end too early");
            else
                read();
            lines_.next();
        }
    }

    std::vector<CallTarget> targets() {
        std::map<std::string, uint64_t, std::less<>> counted;
        each_value([&] {
            const auto [name, times] = value();
            if (name != external_symbol && !model::can_be_function_name(name))
                return complain("not a function's name with a count");
            add(counted[name == external_symbol ? std::string() : std::string(name)], times);
        });
        std::vector<CallTarget> targets;
        for (const auto &[function, times] : counted)
            targets.push_back({function, times});
        return targets;
    }

    std::vector<MemorySize> sizes() {
        std::map<uint64_t, uint64_t> counted;
        each_value([&] {
            const auto [text, times] = value();
            uint64_t bytes = 0;
            const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), bytes);
            if (problem != std::errc() || end != text.data() + text.size())
                return complain("not a size with a count");
            add(counted[bytes], times);
        });
        std::vector<MemorySize> sizes;
        for (const auto &[bytes, times] : counted)
            sizes.push_back({bytes, times});
        return sizes;
    }

    static void add(uint64_t &total, uint64_t times) { total += std::min(times, model::max_count - total); }

    // "value:count"; a name may have such a sign itself.
    std::pair<std::string_view, uint64_t> value() {
        const std::string_view line = lines_.line();
        const size_t end = line.rfind(':');
        const char *last = line.data() + line.size();
        if (end == std::string_view::npos || end + 1 == line.size()) {
            complain("not a value with a count");
            return {};
        }
        uint64_t times = 0;
        const auto [stop, problem] = std::from_chars(line.data() + end + 1, last, times);
        if (problem != std::errc() || stop != last || times > model::max_count)
            complain(fmt::format("not a count, a whole number from 0 to {}", model::max_count));
        return {line.substr(0, end), times};
    }

    Lines lines_;
    uint64_t counters_ = 0;
    std::string problem_;
};

}  // namespace

std::string write_profdata_text(const std::vector<FunctionCounts> &functions) {
    std::string text = fmt::format("{}\n", ir_level);
    for (const FunctionCounts &function : functions) {
        if (!model::can_be_function_name(function.name) || function.counts.empty())
            continue;
        text += fmt::format("{}\n{}\n{}\n", function.name, function.hash, function.counts.size());
        for (const uint64_t count : function.counts)
            text += fmt::format("{}\n", count);
        const int kinds = (function.value_sites.empty() ? 0 : 1) + (function.memory_sites.empty() ? 0 : 1);
        if (kinds > 0)
            text += fmt::format("{}\n", kinds);
        text += values_text(call_targets, function.value_sites);
        text += values_text(memory_sizes, function.memory_sites);
        text += '\n';
    }
    return text;
}

Result<std::vector<FunctionCounts>> read_profdata_text(std::string_view text) { return Reader(text).read(); }

}  // namespace thalweg::record
