// base: words of a line that `perf script` prints (perf-script(1), section FIELDS), for whoever reads samples of it.
#include "base/perf_line.h"

#include <charconv>
#include <string>

namespace thalweg::perf {

namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view not_known = "[unknown]";

std::string_view known(std::string_view name) { return name == not_known ? std::string_view() : name; }

}  // namespace

std::string_view trimmed(std::string_view text) {
    const size_t begin = text.find_first_not_of(blanks);
    return begin == text.npos ? std::string_view() : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string_view take_last_word(std::string_view &text) {
    text = trimmed(text);
    const size_t blank = text.find_last_of(blanks);
    const std::string_view word = blank == text.npos ? text : text.substr(blank + 1);
    text = blank == text.npos ? std::string_view() : text.substr(0, blank);
    return word;
}

std::optional<uint64_t> number(std::string_view text, int base) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return {};
    return value;
}

std::optional<uint64_t> seconds(std::string_view text) {
    constexpr uint64_t second = 1000000000;
    const size_t dot = text.find('.');
    const auto whole = number(text.substr(0, dot));
    if (!whole || dot == text.npos || *whole > most_seconds)
        return {};
    std::string fraction(text.substr(dot + 1, 9));
    fraction.resize(9, '0');
    const auto nanoseconds = number(fraction);
    if (!nanoseconds)
        return {};
    return *whole * second + *nanoseconds;
}

std::optional<Thread> thread(std::string_view text) {
    const size_t slash = text.find('/');
    const auto process = number(text.substr(0, slash));
    const auto own = slash == text.npos ? process : number(text.substr(slash + 1));
    if (!process || !own)
        return {};
    return Thread{*process, *own};
}

std::optional<Frame> frame(std::string_view line) {
    constexpr std::string_view deleted = " (deleted)";
    line = trimmed(line);
    const size_t blank = line.find(' ');
    const auto address = number(line.substr(0, blank), 16);
    if (blank == line.npos || !address || !line.ends_with(')'))
        return {};
    line = line.substr(blank, line.size() - blank - 1);
    if (line.ends_with(deleted))
        line.remove_suffix(deleted.size());
    const size_t open = line.rfind(" (");
    if (open == line.npos)
        return {};
    return Frame{*address, known(trimmed(line.substr(0, open))), known(line.substr(open + 2))};
}

}  // namespace thalweg::perf
