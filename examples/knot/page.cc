// examples: a file in memory, and the answers that are made of it
#include "knot/page.h"

#include <charconv>
#include <utility>

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

std::string_view words_of(int status) {
    struct Row {
        int status;
        std::string_view words;
    };
    static constexpr Row rows[] = {
        {200, "OK"},
        {206, "Partial Content"},
        {304, "Not Modified"},
        {400, "Bad Request"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {416, "Range Not Satisfiable"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {501, "Not Implemented"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
    };
    for (const Row &row : rows) {
        if (row.status == status)
            return row.words;
    }
    return "Error";
}

namespace {

std::string first_lines(int status, std::time_t now) {
    std::string text = "HTTP/1.1 " + std::to_string(status) + " ";
    text += words_of(status);
    text += "\r\nDate: " + http_date(now) + "\r\n";
    return text;
}

std::string_view last_lines(After after) {
    switch (after) {
    case After::stays:
        return "\r\n";
    case After::stays_told:
        return "Connection: keep-alive\r\n\r\n";
    case After::ends:
        break;
    }
    return "Connection: close\r\n\r\n";
}

}  // namespace

Page::Page(std::string body, std::string_view type, std::time_t modified)
    : body_(std::move(body)), type_(type), modified_text_(http_date(modified)) {}

std::string Page::header(std::time_t now, int status, std::string_view more, size_t size, After after) const {
    std::string text = first_lines(status, now);
    text += "Content-Type: " + type_ + "\r\nLast-Modified: " + modified_text_ + "\r\nAccept-Ranges: bytes\r\n";
    text += "Content-Length: " + std::to_string(size) + "\r\n";
    text += more;
    text += last_lines(after);
    return text;
}

const Text &Page::make_whole(std::time_t now, After after) {
    std::string text = header(now, 200, "", body_.size(), after);
    if (is_copied())
        text += body_;
    Made &made = made_[static_cast<size_t>(after)];
    made = {now, Text(std::move(text))};
    return made.text;
}

std::optional<Range> parse_range(std::string_view text, size_t size) {
    constexpr std::string_view unit = "bytes=";
    if (!text.starts_with(unit) || text.find(',') != std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(unit.size());
    const size_t dash = text.find('-');
    if (dash == std::string_view::npos)
        return std::nullopt;
    const auto number = [](std::string_view digits) -> std::optional<size_t> {
        size_t value = 0;
        const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (digits.empty() || end.ec != std::errc() || end.ptr != digits.data() + digits.size())
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

std::string error_answer(int status, std::time_t now, After after) {
    std::string text = first_lines(status, now);
    if (status != 304) {
        const std::string body = std::to_string(status) + " " + std::string(words_of(status)) + "\n";
        text += "Content-Type: text/plain\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
        text += last_lines(after);
        return text + body;
    }
    text += last_lines(after);
    return text;
}

}  // namespace knot
