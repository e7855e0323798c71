// tame: C++ text as tokens. All of it: what the translation does not touch comes out byte for byte.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace thalweg::tame {

enum class TokenKind {
    space,      // within a line
    newline,    // one
    comment,    // either kind; without the newline that ends it
    directive,  // of the preprocessor: the whole logical line, without its newline
    word,
    number,
    text,       // "…", R"(…)", '…'
    sign,       // one character, but for :: and ->
};

struct Token {
    TokenKind kind = TokenKind::sign;
    std::string_view text;
    size_t line = 1;
};

// Their texts, one after the other, are the source.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace thalweg::tame
