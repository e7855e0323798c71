// benchmarks: what the web servers made by hand answer: one file, whose answer stands ready in memory
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <strings.h>

#include "picohttpparser.h"

struct Request {
    int size;  // bytes that it takes; 0: it is not whole yet; less: it is none
    std::string_view answer;
    bool close;
};

class Page {
  public:
    explicit Page(const char *file) : path_("/" + std::string(file).substr(std::string(file).rfind('/') + 1)) {
        std::ifstream in(file, std::ios::binary);
        const std::string body{std::istreambuf_iterator<char>(in), {}};
        if (!in || body.empty()) {
            std::fprintf(stderr, "%s can't be read\n", file);
            std::exit(2);
        }
        const std::string head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
        found_ = head + "\r\n" + body;
        found_and_close_ = head + "Connection: close\r\n\r\n" + body;
    }

    Request next(std::string_view bytes) const {
        phr_header headers[MOST_HEADERS];
        size_t count = MOST_HEADERS, method_size = 0, path_size = 0;
        const char *method = nullptr, *path = nullptr;
        int minor = 0;
        const int size = phr_parse_request(bytes.data(), bytes.size(), &method, &method_size, &path, &path_size, &minor,
                                           headers, &count, 0);
        if (size < 0)
            return {size == NOT_WHOLE && bytes.size() < LARGEST_REQUEST ? 0 : -1, {}, true};
        const bool close = minor == 0 || asks_to_close(headers, count);
        if (std::string_view(method, method_size) != "GET" || std::string_view(path, path_size) != path_)
            return {size, close ? MISSING_AND_CLOSE : MISSING, close};
        return {size, close ? found_and_close_ : found_, close};
    }

  private:
    static constexpr size_t MOST_HEADERS = 32, LARGEST_REQUEST = 16384;
    static constexpr int NOT_WHOLE = -2;  // picohttpparser.h
    static constexpr std::string_view MISSING = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    static constexpr std::string_view MISSING_AND_CLOSE =
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

    static bool asks_to_close(const phr_header *headers, size_t count) {
        for (size_t i = 0; i < count; ++i)
            if (headers[i].name_len == 10 && strncasecmp(headers[i].name, "connection", 10) == 0)
                return headers[i].value_len == 5 && strncasecmp(headers[i].value, "close", 5) == 0;
        return false;
    }

    std::string path_, found_, found_and_close_;
};
