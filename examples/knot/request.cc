// examples: an HTTP request, read by picohttpparser
#include "knot/request.h"

#include <strings.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include <picohttpparser.h>

namespace knot {
namespace {

constexpr size_t kMaxHeaders = 64;  // browsers send some 15

struct Headers {
    unsigned hosts = 0, lengths = 0;
    bool is_wrong = false;
    std::string_view host, connection, coding, length, expect;
};

using Take = void (*)(Request &, Headers &, std::string_view value);

// One that is there twice says nothing certain (RFC 9110, section 5.3).
void take_once(Headers &headers, std::string_view &known, std::string_view value) {
    headers.is_wrong |= !known.empty();
    known = value;
}

// The first four letters of a name, made small: most names differ in them. Nothing else that may stand in a name becomes one of theirs.
constexpr size_t kFirst = 4;
constexpr uint32_t first_letters(std::string_view name) {
    uint32_t letters = 0;
    for (size_t i = 0; i < kFirst; ++i)
        letters |= static_cast<uint32_t>(static_cast<unsigned char>(name[i]) | 0x20U) << 8 * i;
    return letters;
}

struct Row {
    constexpr Row(std::string_view header, Take taken) : name(header), begin(first_letters(header)), take(taken) {}
    std::string_view name;
    uint32_t begin;
    Take take;
};
constexpr std::array<Row, 11> kRows = {{
    {"Host",
     [](Request &, Headers &headers, std::string_view value) {
         ++headers.hosts;
         headers.host = value;
     }},
    {"Connection", [](Request &, Headers &headers, std::string_view value) { headers.connection = value; }},
    {"Range", [](Request &r, Headers &h, std::string_view value) { take_once(h, r.range, value); }},
    {"If-Range", [](Request &r, Headers &h, std::string_view value) { take_once(h, r.conditions.range, value); }},
    {"If-Match", [](Request &r, Headers &h, std::string_view value) { take_once(h, r.conditions.match, value); }},
    {"If-None-Match",
     [](Request &r, Headers &h, std::string_view value) { take_once(h, r.conditions.none_match, value); }},
    {"If-Modified-Since",
     [](Request &r, Headers &h, std::string_view value) { take_once(h, r.conditions.modified_since, value); }},
    {"If-Unmodified-Since",
     [](Request &r, Headers &h, std::string_view value) { take_once(h, r.conditions.unmodified_since, value); }},
    {"Content-Length",
     [](Request &, Headers &headers, std::string_view value) {
         ++headers.lengths;
         headers.length = value;
     }},
    {"Transfer-Encoding",
     [](Request &, Headers &h, std::string_view value) {
         h.is_wrong |= value.empty();
         take_once(h, h.coding, value);
     }},
    {"Expect", [](Request &, Headers &headers, std::string_view value) { take_once(headers, headers.expect, value); }},
}};

// One bit for each length of a name above: most headers are none of them.
constexpr unsigned lengths_of_rows() {
    unsigned lengths = 0;
    for (const Row &row : kRows)
        lengths |= 1U << row.name.size();
    return lengths;
}
constexpr bool may_be_a_row(size_t length) { return length < 32 && (lengths_of_rows() >> length & 1) != 0; }

bool same(std::string_view a, std::string_view b) {
    return a.size() == b.size() && (a.empty() || strncasecmp(a.data(), b.data(), a.size()) == 0);
}

// The parser takes off those before a value only.
std::string_view without_blanks_behind(std::string_view value) {
    while (!value.empty() && (value.back() == ' ' || value.back() == '\t'))
        value.remove_suffix(1);
    return value;
}

bool has_word(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const size_t comma = list.find(',');
        std::string_view one = list.substr(0, comma);
        while (!one.empty() && one.front() == ' ')
            one.remove_prefix(1);
        while (!one.empty() && one.back() == ' ')
            one.remove_suffix(1);
        if (same(one, word))
            return true;
        list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
    return false;
}

constexpr std::array<bool, 256> letters_of_hosts() {
    std::array<bool, 256> letters{};
    for (const char c :
         std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~%!$&'()*+,;=:[]"))
        letters[static_cast<unsigned char>(c)] = true;
    return letters;
}

// RFC 9110, section 7.2: a name or a number of a host, and a port. What can't stand in one is refused, that nobody reads it otherwise.
bool is_host(std::string_view text) {
    static constexpr std::array<bool, 256> letters = letters_of_hosts();
    return std::all_of(text.begin(), text.end(), [](char c) { return letters[static_cast<unsigned char>(c)]; });
}

// Nobody else may read another length than this server does (RFC 9112, sections 6.1 to 6.3), or one's body is the other's request. 0: it
// can be read; or the status.
int frame(const Headers &headers, Request &request) {
    if (!headers.coding.empty()) {
        if (headers.lengths != 0 || request.is_old)
            return 400;
        const size_t comma = headers.coding.rfind(',');
        std::string_view last = comma == std::string_view::npos ? headers.coding : headers.coding.substr(comma + 1);
        while (!last.empty() && last.front() == ' ')
            last.remove_prefix(1);
        if (!same(last, "chunked"))
            return comma == std::string_view::npos ? 501 : 400;
        request.is_chunked = true;
        return comma == std::string_view::npos ? 0 : 501;
    }
    if (headers.lengths == 0)
        return 0;
    const std::string_view digits = headers.length;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), request.body);
    return headers.lengths == 1 && end.ec == std::errc() && end.ptr == digits.data() + digits.size() ? 0 : 400;
}

// RFC 9112, section 3.2: a path, or all of an address, whose host this server is.
bool take_target(std::string_view target, Request &request) {
    request.path = target;
    if (target.front() == '/')
        return true;
    constexpr std::string_view schemes[] = {"http://", "https://"};
    for (const std::string_view scheme : schemes) {
        if (!same(target.substr(0, scheme.size()), scheme))
            continue;
        const std::string_view rest = target.substr(scheme.size());
        const size_t host = std::min(rest.find_first_of("/?"), rest.size());
        if (host == 0 || !is_host(rest.substr(0, host)))
            return false;
        request.path = rest.size() == host || rest[host] == '?' ? "/" : rest.substr(host);
        return true;
    }
    return false;
}

// RFC 9110, section 9: those that this server doesn't do, or has never heard of.
int status_of_method(std::string_view method) {
    constexpr std::string_view known[] = {"POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"};
    if (method == "GET" || method == "HEAD")
        return 0;
    constexpr std::string_view no_token = "\"(),/:;<=>?@[\\]{}";
    if (method.find_first_of(no_token) != std::string_view::npos)
        return 400;
    return std::find(std::begin(known), std::end(known), method) != std::end(known) ? 405 : 501;
}

// Of a request that is none of HTTP/1: its first line may say so.
int status_of_nonsense(std::string_view bytes) {
    constexpr size_t size_of_version = 9;
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    while (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    if (line.size() <= size_of_version)
        return 400;
    const std::string_view version = line.substr(line.size() - size_of_version);
    const bool is_version =
        version.starts_with(" HTTP/") && version[6] >= '0' && version[6] <= '9' && version[7] == '.';
    return is_version && version[6] != '1' ? 505 : 400;
}

}  // namespace

int parse(std::string_view bytes, Request &request) {
    std::array<phr_header, kMaxHeaders> fields;
    const char *method = nullptr, *path = nullptr;
    size_t method_size = 0, path_size = 0, count = fields.size();
    int minor = 0;
    const int size = phr_parse_request(bytes.data(), bytes.size(), &method, &method_size, &path, &path_size, &minor,
                                       fields.data(), &count, 0);
    if (size == -2)
        return bytes.size() < kMaxRequest ? kPartial : 431;
    if (size < 0)
        return status_of_nonsense(bytes);
    if (static_cast<size_t>(size) > kMaxRequest)
        return 431;
    Headers headers;
    for (size_t i = 0; i < count; ++i) {
        const std::string_view name(fields[i].name, fields[i].name_len);
        // A line that goes on with the one before it (RFC 9112, section 5.2).
        if (name.empty())
            return 400;
        if (!may_be_a_row(name.size()))
            continue;
        const uint32_t begin = first_letters(name);
        for (const Row &row : kRows) {
            if (row.begin != begin || !same(name.substr(kFirst), row.name.substr(kFirst)))
                continue;
            row.take(request, headers, without_blanks_behind({fields[i].value, fields[i].value_len}));
            break;
        }
    }
    request.method = {method, method_size};
    request.size = static_cast<size_t>(size);
    request.is_old = minor == 0;
    request.keeps_alive = request.is_old ? has_word(headers.connection, "keep-alive")
                                         : headers.connection.empty() || !has_word(headers.connection, "close");
    if (headers.is_wrong || headers.hosts > 1 || (headers.hosts == 0 && !request.is_old) || !is_host(headers.host))
        return 400;
    if (const int status = frame(headers, request))
        return status;
    if (const int status = status_of_method(request.method))
        return status;
    if (!take_target({path, path_size}, request))
        return 400;
    if (!headers.expect.empty() && !same(headers.expect, "100-continue"))
        return 417;
    request.waits_for_word = !headers.expect.empty() && request.has_body();
    const Conditions &conditions = request.conditions;
    request.is_plain = !request.is_old && !request.is_head() && request.keeps_alive && !request.has_body() &&
                       request.range.empty() && conditions.match.empty() && conditions.none_match.empty() &&
                       conditions.modified_since.empty() && conditions.unmodified_since.empty();
    return 0;
}

namespace {

// The text of a line, which is taken off; kPartial: it has not ended. A carriage return or a line feed alone ends none.
int take_line(std::string_view &bytes, std::string_view &line) {
    const size_t end = bytes.find_first_of("\r\n");
    if (end == std::string_view::npos || (bytes[end] == '\r' && end + 1 == bytes.size()))
        return kPartial;
    if (bytes[end] != '\r' || bytes[end + 1] != '\n')
        return 400;
    line = bytes.substr(0, end);
    bytes.remove_prefix(end + 2);
    return 0;
}

// RFC 9112, section 7.1: of a chunk's first line. False: it is none.
bool take_size(std::string_view line, size_t &size) {
    const auto end = std::from_chars(line.data(), line.data() + line.size(), size, 16);
    std::string_view rest = line.substr(static_cast<size_t>(end.ptr - line.data()));
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t'))
        rest.remove_prefix(1);
    return end.ec == std::errc() && (rest.empty() || rest.front() == ';');
}

Body parse_chunks(std::string_view bytes) {
    const size_t all = bytes.size();
    for (;;) {
        size_t size = 0;
        std::string_view line;
        if (const int status = take_line(bytes, line))
            return {status};
        if (!take_size(line, size))
            return {400};
        if (size > kMaxBody)
            return {413};
        if (size == 0)
            break;
        if (bytes.size() < size + 2)
            return {kPartial};
        if (bytes.substr(size, 2) != "\r\n")
            return {400};
        bytes.remove_prefix(size + 2);
    }
    for (std::string_view trailer = "-"; !trailer.empty();) {
        if (const int status = take_line(bytes, trailer))
            return {status};
    }
    return {0, all - bytes.size()};
}

}  // namespace

Body parse_body(std::string_view bytes, const Request &request) {
    if (!request.is_chunked) {
        if (request.body > kMaxBody)
            return {413};
        return request.body > bytes.size() ? Body{kPartial} : Body{0, request.body};
    }
    const Body body = parse_chunks(bytes);
    return body.status == kPartial && bytes.size() > kMaxBody ? Body{413} : body;
}

}  // namespace knot
