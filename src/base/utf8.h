// base: text that is UTF-8 for certain.
#pragma once

#include <string>
#include <string_view>

namespace thalweg {

// What is not UTF-8 (a byte out of place, overlong, a surrogate, cut short) becomes U+FFFD.
std::string valid_utf8(std::string_view text);
// Likewise, and what a terminal would obey (control characters but for ends of lines and tabs, C1 among them) becomes '?'. For
// sentences that quote names, paths and words of files that somebody else may have made.
std::string without_controls(std::string_view text);

}  // namespace thalweg
