// base: text that is UTF-8 for certain.
#include "base/utf8.h"

#include <algorithm>

namespace thalweg {

namespace {

// The length of the UTF-8 sequence at the text's begin, 0 when there is none (overlong, surrogate, cut short).
size_t utf8_length(std::string_view text) {
    auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    unsigned char first = byte(0);
    if (first < 0x80)
        return 1;
    size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length)
        return 0;
    for (size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80)
            return 0;
    bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    bool no_character = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
    return overlong || no_character ? 0 : length;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        size_t length = utf8_length(text);
        out += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
        text.remove_prefix(std::max<size_t>(length, 1));
    }
    return out;
}

std::string without_controls(std::string_view text) {
    std::string out = valid_utf8(text);
    for (char &letter : out) {
        const auto byte = static_cast<unsigned char>(letter);
        if ((byte < 0x20 && letter != '\n' && letter != '\t') || byte == 0x7f)
            letter = '?';
    }
    // U+0080 to U+009F are escape sequences to some terminals.
    for (size_t at = out.find('\xc2'); at != std::string::npos; at = out.find('\xc2', at + 1))
        if (at + 1 < out.size() && static_cast<unsigned char>(out[at + 1]) < 0xa0)
            out.replace(at, 2, "?");
    return out;
}

}  // namespace thalweg
