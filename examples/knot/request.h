// examples: an HTTP request, as much as a server of files has to know of it
#pragma once

#include <cstddef>
#include <string_view>

namespace knot {

struct Request {
    std::string_view method, path;
    std::string_view range, modified_since;  // the headers' values; empty: none
    size_t size = 0;  // bytes of the request, without a body
    bool keeps_alive = false;  // the client will send another one
    bool has_body = false;
    bool is_old = false;  // HTTP/1.0
    bool is_plain = false;  // GET, of HTTP/1.1, for the whole, and nothing about it but what most say
};

// Longer ones are refused: twice what browsers send, and what other servers take too (nginx: large_client_header_buffers).
constexpr size_t kMaxRequest = 8192;  // bytes

// 0: it is there, whole; kPartial: not yet; or the status of the answer: 400, 431, 501, 505.
constexpr int kPartial = -1;
int parse(std::string_view bytes, Request &request);

}  // namespace knot
