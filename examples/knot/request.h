// examples: an HTTP request, as much as a server of files has to know of it
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace knot {

// The values of the headers that make an answer depend on what the client has already; empty: none.
struct Conditions {
    std::string_view match, none_match, modified_since, unmodified_since, range;
};

struct Request {
    std::string_view method, path;
    std::string_view range;  // the header's value; empty: none
    Conditions conditions;
    size_t size = 0;  // bytes of the request, without a body
    uint64_t body = 0;  // bytes of it; of one in chunks it is not known
    bool is_chunked = false;
    bool waits_for_word = false;  // before it sends its body (Expect: 100-continue)
    bool keeps_alive = false;  // the client will send another one
    bool is_old = false;  // HTTP/1.0
    bool is_plain = false;  // GET, of HTTP/1.1, for the whole, and nothing about it but what most say

    bool has_body() const { return body != 0 || is_chunked; }
    bool is_head() const { return method == "HEAD"; }
};

// Longer ones are refused: twice what browsers send, and what other servers take too (nginx: large_client_header_buffers).
constexpr size_t kMaxRequest = 8192;  // bytes
// Of a body, which nobody looks at: what fits is read over, so that the connection can stay; a larger one ends it.
constexpr size_t kMaxBody = 16384;  // bytes

// 0: it is there, whole, but for its body; kPartial: not yet; or the status of the answer: 400, 405, 417, 431, 501, 505.
constexpr int kPartial = -1;
int parse(std::string_view bytes, Request &request);

// Of what stands behind a request: where its body ends (RFC 9112, sections 6 and 7). status as of parse(); 413: it is too large.
struct Body {
    int status = 0;
    size_t size = 0;
};
Body parse_body(std::string_view bytes, const Request &request);

}  // namespace knot
