// examples: a file in memory, and the answers that are made of it
#include "knot/page.h"

#include <array>
#include <utility>

namespace knot {

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
        {412, "Precondition Failed"},
        {413, "Content Too Large"},
        {416, "Range Not Satisfiable"},
        {417, "Expectation Failed"},
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

Page::Page(Content content, std::string_view type, Validators validators)
    : content_(std::move(content)), type_(type), validators_(std::move(validators)),
      validators_text_("ETag: " + validators_.tag + "\r\nLast-Modified: " + http_date(validators_.modified) + "\r\n") {}

std::string Page::header(std::time_t now, int status, std::string_view more, size_t size, After after) const {
    std::string text = first_lines(status, now);
    text += "Content-Type: " + type_ + "\r\n" + validators_text_ + "Accept-Ranges: bytes\r\n";
    text += "Content-Length: " + std::to_string(size) + "\r\n";
    text += more;
    text += last_lines(after);
    return text;
}

std::string Page::not_modified(std::time_t now, After after) const {
    std::string text = first_lines(304, now) + validators_text_;
    text += last_lines(after);
    return text;
}

const Text &Page::make_whole(std::time_t now, After after) {
    std::string text = header(now, 200, "", size(), after);
    if (is_copied())
        text += body();
    Made &made = made_[static_cast<size_t>(after)];
    made = {now, Text(std::move(text))};
    return made.text;
}

std::string error_answer(int status, std::time_t now, After after, bool has_body) {
    std::string text = first_lines(status, now);
    if (status == 405)
        text += "Allow: GET, HEAD\r\n";
    const std::string body = std::to_string(status) + " " + std::string(words_of(status)) + "\n";
    text += "Content-Type: text/plain\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
    text += last_lines(after);
    return has_body ? text + body : text;
}

}  // namespace knot
