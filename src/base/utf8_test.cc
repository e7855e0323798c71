// base: text that is UTF-8 for certain.
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Utf8, leaves_what_is_utf8_as_it_is) {
    for (const char *text : {"", "plain", "gr\xc3\xbc\xc3\x9f", "\xe2\x82\xac", "\xf0\x9f\x9a\xb0", "\xef\xbf\xbd"})
        EXPECT_EQ(valid_utf8(text), text);
}

TEST(Utf8, replaces_each_byte_that_is_not) {
    const std::string no = "\xef\xbf\xbd";
    EXPECT_EQ(valid_utf8("caf\xe9!"), "caf" + no + "!");
    EXPECT_EQ(valid_utf8("\xc0\xaf"), no + no) << "overlong";
    EXPECT_EQ(valid_utf8("\xed\xa0\x80"), no + no + no) << "a surrogate";
    EXPECT_EQ(valid_utf8("\xf5\x80\x80\x80"), no + no + no + no) << "beyond U+10FFFF";
    EXPECT_EQ(valid_utf8("\xe2\x82"), no + no) << "cut short";
    EXPECT_EQ(valid_utf8("\x9b"), no);
}

TEST(Utf8, what_a_terminal_would_obey_is_not_in_a_sentence) {
    EXPECT_EQ(without_controls("a\x1b]0;title\x07 b\tc\nd\r\x7f"), "a?]0;title? b\tc\nd??");
    EXPECT_EQ(without_controls("\xc2\x9b"
                               "31m \xc2\xa0 \xc3\xa9 \x9b"),
              "?31m \xc2\xa0 \xc3\xa9 \xef\xbf\xbd");
}

}  // namespace
}  // namespace thalweg
