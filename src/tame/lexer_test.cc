// tame: every byte of a source is in one token, and the tokens are those of C++.
#include "tame/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using namespace thalweg::tame;
using testing::ElementsAre;

std::vector<std::string> texts(std::string_view source, TokenKind kind) {
    std::vector<std::string> result;
    for (const Token &token : tokens_of(source))
        if (token.kind == kind)
            result.emplace_back(token.text);
    return result;
}

TEST(Lexer, KnowsTextsAndTheirEnds) {
    EXPECT_THAT(texts(R"(a "b\"c" '\'' '{' "" u8"x")", TokenKind::text),
                ElementsAre(R"("b\"c")", R"('\'')", "'{'", "\"\"", "\"x\""));
    EXPECT_THAT(texts("R\"x()\" }\n)x\" LR\"(\")\" 'open\nb", TokenKind::text),
                ElementsAre("R\"x()\" }\n)x\"", "LR\"(\")\"", "'open"));
}

TEST(Lexer, KnowsNumbers) {
    EXPECT_THAT(texts("1'000 0x1F 1e-5 .5f 0xe+1 a1 1.2.3", TokenKind::number),
                ElementsAre("1'000", "0x1F", "1e-5", ".5f", "0xe", "1", "1.2.3"));
}

TEST(Lexer, KnowsCommentsAndDirectives) {
    EXPECT_THAT(texts("a // b \\\nc\n/* d\n*/ e", TokenKind::comment), ElementsAre("// b \\\nc", "/* d\n*/"));
    EXPECT_THAT(texts(" # define A \\\n 1 /* x\n*/ 2\nb # c\n#if 1 // \\\n2", TokenKind::directive),
                ElementsAre("# define A \\\n 1 /* x\n*/ 2", "#if 1 // \\\n2"));
}

TEST(Lexer, CountsLines) {
    const std::vector<Token> tokens = tokens_of("a\n/*\n\n*/ b\n\"c");
    EXPECT_EQ(tokens.back().line, 5u);
    EXPECT_EQ(tokens.back().text, "\"c");
}

}  // namespace
