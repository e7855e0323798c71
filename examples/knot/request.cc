// examples: an HTTP request, read by picohttpparser
#include "knot/request.h"

#include <strings.h>

#include <array>
#include <cstdint>

#include <picohttpparser.h>

namespace knot {
namespace {

constexpr size_t kMaxHeaders = 64;  // browsers send some 15

struct Headers {
    bool has_host = false;
    bool has_coding = false;
    std::string_view connection;
};

using Take = void (*)(Request &, Headers &, std::string_view value);

// The first four letters of a name, made small: the names below differ in them. Nothing else that may stand in a name becomes one of
// theirs.
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
constexpr std::array<Row, 6> kRows = {{
    {"Host", [](Request &, Headers &headers, std::string_view) { headers.has_host = true; }},
    {"Connection", [](Request &, Headers &headers, std::string_view value) { headers.connection = value; }},
    {"Range", [](Request &request, Headers &, std::string_view value) { request.range = value; }},
    {"If-Modified-Since", [](Request &request, Headers &, std::string_view value) { request.modified_since = value; }},
    {"Content-Length", [](Request &request, Headers &, std::string_view value) { request.has_body = value != "0"; }},
    {"Transfer-Encoding", [](Request &, Headers &headers, std::string_view) { headers.has_coding = true; }},
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
        return 400;
    if (static_cast<size_t>(size) > kMaxRequest)
        return 431;
    Headers headers;
    for (size_t i = 0; i < count; ++i) {
        const std::string_view name(fields[i].name, fields[i].name_len);
        if (!may_be_a_row(name.size()))
            continue;
        const uint32_t begin = first_letters(name);
        for (const Row &row : kRows) {
            if (row.begin != begin || !same(name.substr(kFirst), row.name.substr(kFirst)))
                continue;
            row.take(request, headers, {fields[i].value, fields[i].value_len});
            break;
        }
    }
    request.method = {method, method_size};
    request.path = {path, path_size};
    request.size = static_cast<size_t>(size);
    request.is_old = minor == 0;
    request.keeps_alive = request.is_old ? has_word(headers.connection, "keep-alive")
                                         : headers.connection.empty() || !has_word(headers.connection, "close");
    request.is_plain = minor == 1 && request.method == "GET" && request.range.empty() &&
                       request.modified_since.empty() && !request.has_body && request.keeps_alive;
    if (minor > 1)
        return 505;
    if (headers.has_coding)
        return 501;
    return minor == 1 && !headers.has_host ? 400 : 0;
}

}  // namespace knot
