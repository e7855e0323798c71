// examples: which answer a client gets that has something of a page already
#include "knot/conditions.h"

#include <strings.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>

namespace knot {

const std::string &http_date(std::time_t time) {
    thread_local std::time_t second = -1;
    thread_local std::string text;
    if (time != second) {
        std::array<char, 64> buffer{};
        std::tm parts{};
        gmtime_r(&time, &parts);
        text.assign(buffer.data(), std::strftime(buffer.data(), buffer.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts));
        second = time;
    }
    return text;
}

namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

// "*", or a list of tags. A weak one (W/"...") says that two states mean the same, not that their bytes are the same.
bool has_tag(std::string_view list, std::string_view tag, bool weak_will_do) {
    if (trimmed(list) == "*")
        return true;
    for (size_t begin = list.find('"'); begin != std::string_view::npos;) {
        const size_t end = list.find('"', begin + 1);
        if (end == std::string_view::npos)
            return false;
        const bool is_weak = begin >= 2 && list.substr(begin - 2, 2) == "W/";
        if (list.substr(begin, end + 1 - begin) == tag && (weak_will_do || !is_weak))
            return true;
        begin = list.find('"', end + 1);
    }
    return false;
}

// RFC 9110, section 5.6.7: a year of two digits that would lie more than 50 years ahead is one of the past.
int full_year(int last_digits, std::time_t now) {
    constexpr int century = 100, most_ahead = 50;
    std::tm today{};
    gmtime_r(&now, &today);
    const int year = (today.tm_year / century) * century + last_digits;
    return year > today.tm_year + most_ahead ? year - century : year;
}

}  // namespace

std::optional<std::time_t> parse_date(std::string_view text, std::time_t now) {
    static constexpr std::array<const char *, 3> forms = {"%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT",
                                                          "%a %b %e %H:%M:%S %Y"};
    const std::string given(text);
    for (size_t i = 0; i < forms.size(); ++i) {
        std::tm parts{};
        const char *end = strptime(given.c_str(), forms[i], &parts);
        if (!end || *end != 0)
            continue;
        if (i == 1)
            parts.tm_year = full_year(parts.tm_year % 100, now);
        const std::time_t time = timegm(&parts);
        // strptime takes more than HTTP allows: blanks, small letters, a day of the week that it was not.
        std::array<char, 64> again{};
        gmtime_r(&time, &parts);
        const size_t size = std::strftime(again.data(), again.size(), forms[i], &parts);
        if (std::string_view(again.data(), size) == text)
            return time;
    }
    return std::nullopt;
}

// In the order of RFC 9110, section 13.2.2.
int status_of(const Conditions &asked, const Validators &page, std::time_t now) {
    if (!asked.match.empty()) {
        if (!has_tag(asked.match, page.tag, false))
            return 412;
    } else if (!asked.unmodified_since.empty()) {
        if (const std::optional<std::time_t> date = parse_date(asked.unmodified_since, now);
            date && page.modified > *date)
            return 412;
    }
    if (!asked.none_match.empty())
        return has_tag(asked.none_match, page.tag, true) ? 304 : 0;
    if (asked.modified_since.empty())
        return 0;
    const std::optional<std::time_t> date = parse_date(asked.modified_since, now);
    return date && page.modified <= *date ? 304 : 0;
}

// A date tells two states from each other only where the second in which it was changed is over.
bool may_have_part(std::string_view if_range, const Validators &page, std::time_t now) {
    if (if_range.empty())
        return true;
    if (if_range.find('"') != std::string_view::npos)
        return if_range == page.tag;
    const std::optional<std::time_t> date = parse_date(if_range, now);
    return date && *date == page.modified && page.modified < now;
}

std::optional<Range> parse_range(std::string_view text, size_t size) {
    constexpr std::string_view unit = "bytes=";
    if (text.size() < unit.size() || strncasecmp(text.data(), unit.data(), unit.size()) != 0 ||
        text.find(',') != std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(unit.size());
    const size_t dash = text.find('-');
    if (dash == std::string_view::npos)
        return std::nullopt;
    const auto number = [](std::string_view digits) -> std::optional<size_t> {
        size_t value = 0;
        const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (end.ec == std::errc::result_out_of_range)
            value = SIZE_MAX;
        if (digits.empty() || end.ec == std::errc::invalid_argument || end.ptr != digits.data() + digits.size())
            return std::nullopt;
        return value;
    };
    const std::optional<size_t> first = number(text.substr(0, dash)), last = number(text.substr(dash + 1));
    if (dash == 0) {
        if (!last)
            return std::nullopt;
        const size_t length = *last < size ? *last : size;
        return Range{size - length, length};
    }
    if (!first || (!last && dash + 1 != text.size()) || (last && *last < *first))
        return std::nullopt;
    if (*first >= size)
        return Range{0, 0};
    const size_t end = last && *last < size ? *last + 1 : size;
    return Range{*first, end - *first};
}

}  // namespace knot
