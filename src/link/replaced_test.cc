// link: tests: what a program has in place of the C library's functions.
#include "link/replaced.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace thalweg::link {
namespace {

std::set<std::string> with_words(std::vector<std::string> words) {
    LinkRecord record;
    record.arguments = std::move(words);
    return replaced_functions(ElfFile{}, record);
}

TEST(ReplacedFunctions, AreThoseThatTheProgramDefinesAndNotThoseOfTheCLibrary) {
    const auto bytes = read_file("/proc/self/exe");
    ASSERT_TRUE(bytes);
    const auto self = parse_elf(*bytes);
    ASSERT_TRUE(self);
    const std::set<std::string> replaced = replaced_functions(*self, {});
    EXPECT_TRUE(replaced.contains("main"));
    EXPECT_FALSE(replaced.contains("close"));
}

TEST(ReplacedFunctions, AreThoseThatTheLinkerIsToldToTakeFromElsewhere) {
    using Names = std::set<std::string>;
    EXPECT_EQ(with_words({"-Wl,--wrap=read,--gc-sections,-wrap,write"}), (Names{"read", "write"}));
    EXPECT_EQ(with_words({"-Xlinker", "--wrap", "-Xlinker", "close"}), Names{"close"});
    EXPECT_EQ(with_words({"-Wl,--defsym=lseek=other", "-Wl,--defsym", "-Wl,open=other"}), (Names{"lseek", "open"}));
    EXPECT_EQ(with_words({"-Wl,--wrapped", "--wrap.o", "-Wl,"}), Names{});
}

TEST(NewerFunctions, AreThoseOfALaterGlibcWithoutARow) {
    const auto bytes = read_file("/proc/self/exe");
    ASSERT_TRUE(bytes);
    const auto self = parse_elf(*bytes);
    ASSERT_TRUE(self);
    const std::set<std::string> newer = newer_functions(*self, 1);
    EXPECT_TRUE(newer.contains("__cxa_finalize") || newer.contains("__libc_start_main"));
    EXPECT_FALSE(newer.contains("close"));
    EXPECT_TRUE(newer_functions(*self, 1000).empty());
    EXPECT_TRUE(newer_functions(ElfFile{}, 1).empty());
}

TEST(ReplacedFunctions, OfFilesWithoutSymbolsAreNone) { EXPECT_TRUE(with_words({}).empty()); }

}  // namespace
}  // namespace thalweg::link
