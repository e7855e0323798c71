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

TEST(Soname, IsWhatALibraryCallsItself) {
    const auto program = read_file("/proc/self/exe");
    ASSERT_TRUE(program);
    EXPECT_EQ(soname_of(*parse_elf(*program)), "");
    const auto library = read_file("/usr/lib/x86_64-linux-gnu/libc.so.6");
    ASSERT_TRUE(library);
    EXPECT_EQ(soname_of(*parse_elf(*library)), "libc.so.6");
    EXPECT_EQ(soname_of(ElfFile{}), "");
}

TEST(OpensLibraries, IsToldByWhatTheProgramImports) {
    EXPECT_FALSE(opens_libraries("/usr/bin/true"));
    EXPECT_TRUE(opens_libraries("/usr/bin/perl"));
}

TEST(LibrariesWithLink, AreNotTheSystems) {
    EXPECT_TRUE(libraries_with_link("/proc/self/exe").empty());
    EXPECT_TRUE(libraries_with_link("/nonexistent").empty());
}

}  // namespace
}  // namespace thalweg::link
