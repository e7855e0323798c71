// base: size, depth and number of items of a text, counted before a parser sees it, so that hostile bytes cost bounded memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thalweg {

// The largest document of ours, a site table of 300,000 symbols, is about 60 MB of JSON.
inline constexpr size_t max_text_bytes = 256u << 20;
// No format of ours nests deeper than 4 (document, list, entry, place); the rest is room for a version to come.
inline constexpr size_t max_text_nesting = 8;
// Commas, brackets and braces of one document: bounds the parsed tree to some 2 GB even where each costs the most.
inline constexpr size_t max_text_items = 24u << 20;

struct TextShape {
    bool hash_comments = false;  // TOML: # to the end of the line
    bool literal_strings = false;  // TOML: 'as it stands'
    bool dotted_keys = true;  // false: more than one dot in a row of bare words is refused
};

// What is wrong with the text, in words. Empty: nothing.
std::string wrong_shape(std::string_view text, const TextShape &shape);

}  // namespace thalweg
