// link: tests: which shared libraries a program needs.
#include "link/needed.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/file.h"

namespace thalweg::link {
namespace {

TEST(Needs, AreWhatTheProgramWasLinkedWith) {
    const auto bytes = read_file("/proc/self/exe");
    ASSERT_TRUE(bytes);
    const auto self = parse_elf(*bytes);
    ASSERT_TRUE(self);
    const Needs needs = needs_of(*self);
    EXPECT_NE(std::ranges::find(needs.libraries, "libc.so.6"), needs.libraries.end());
    EXPECT_EQ(std::ranges::find(needs.libraries, "libnone.so"), needs.libraries.end());
}

TEST(Needs, OfAFileWithoutADynamicSectionAreNone) {
    EXPECT_TRUE(needs_of(ElfFile{}).libraries.empty());
    EXPECT_TRUE(needs_of(ElfFile{}).folders.empty());
}

TEST(LibrariesWithLink, AreNotTheSystems) {
    EXPECT_TRUE(libraries_with_link("/proc/self/exe").empty());
    EXPECT_TRUE(libraries_with_link("/nonexistent").empty());
}

}  // namespace
}  // namespace thalweg::link
