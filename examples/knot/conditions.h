// examples: which answer a client gets that has something of a page already (RFC 9110, sections 8.8, 13 and 14)
#pragma once

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "knot/request.h"

namespace knot {

// What tells this state of a file from another one.
struct Validators {
    std::string tag;  // with its quotes
    std::time_t modified = 0;
};

// The day and time as HTTP has it; of the same second, the same text.
const std::string &http_date(std::time_t time);
// Of each of the three forms; nothing where it is none. now: for years of two digits.
std::optional<std::time_t> parse_date(std::string_view text, std::time_t now);

// 0: the client gets what it asks for; or 304, 412.
int status_of(const Conditions &asked, const Validators &page, std::time_t now);
// Its part belongs to the page as it is.
bool may_have_part(std::string_view if_range, const Validators &page, std::time_t now);

// "bytes=FIRST-LAST", of so many bytes: what is asked for, cut to what there is. Nothing where it is no range, or several: then the whole
// is the answer. An empty range: there is nothing there (416).
struct Range {
    size_t first = 0, size = 0;
};
std::optional<Range> parse_range(std::string_view text, size_t size);

}  // namespace knot
