// link: what counts as a change of an object or archive, and what doesn't.
#include "link/fingerprint.h"

#include <elf.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "link/elf_file.h"

namespace thalweg::link {
namespace {

// An object with one section of content; under the name of the bitcode's section it is bitcode.
std::string object(std::string_view section, std::string_view content) {
    std::string bytes = link_object(content);
    std::string name(link_section);
    name.replace(0, section.size() + 1, std::string(section) + '\0');
    bytes.replace(bytes.rfind(link_section), link_section.size(), name);
    return bytes;
}

std::string member(std::string name, std::string_view date, const std::string &content) {
    name.resize(16, ' ');
    std::string rest(date);
    rest.resize(32, ' ');
    std::string size = std::to_string(content.size());
    size.resize(10, ' ');
    return name + rest + size + "`\n" + content + std::string(content.size() % 2, '\n');
}

TEST(Fingerprint, OfTheBitcodeDoesNotCount) {
    EXPECT_EQ(fingerprint(object(bitcode_section, "/one/a.c"), "a.o"),
              fingerprint(object(bitcode_section, "/two/far/a.c"), "a.o"));
}

TEST(Fingerprint, OfEveryOtherSectionCounts) {
    EXPECT_NE(fingerprint(object(".text", "1"), "a.o"), fingerprint(object(".text", "2"), "a.o"));
    EXPECT_NE(fingerprint(object(".text", "1"), "a.o"), fingerprint(object(".data", "1"), "a.o"));
    EXPECT_NE(fingerprint("VERSION { a; };", "x.map"), fingerprint("VERSION { b; };", "x.map"));
    EXPECT_NE(fingerprint("", "x"), fingerprint("x", "x"));
}

TEST(Fingerprint, OfAnArchiveIsThatOfItsMembers) {
    const auto archive = [](const std::string &name, std::string_view date, std::string_view bitcode) {
        return "!<arch>\n" + member(name, date, object(bitcode_section, bitcode));
    };
    EXPECT_EQ(fingerprint(archive("a.o/", "1", "/one"), "l.a"), fingerprint(archive("a.o/", "2", "/two/far"), "l.a"));
    EXPECT_NE(fingerprint(archive("a.o/", "1", "/one"), "l.a"), fingerprint(archive("b.o/", "1", "/one"), "l.a"));
    EXPECT_NE(fingerprint("!<arch>\n" + member("a.o/", "", "x"), "l.a"),
              fingerprint("!<arch>\n" + member("a.o/", "", "y"), "l.a"));
}

TEST(Fingerprint, OfAThinArchiveCountsItsMembersFiles) {
    const std::string folder = testing::TempDir();
    std::string header = member("part.o/", "", "");
    const std::string archive = "!<thin>\n" + header;
    ASSERT_TRUE(write_file(folder + "/part.o", "one"));
    const Fingerprint before = fingerprint(archive, folder + "/l.a");
    EXPECT_EQ(before, fingerprint(archive, folder + "/l.a"));
    ASSERT_TRUE(write_file(folder + "/part.o", "two"));
    EXPECT_NE(before, fingerprint(archive, folder + "/l.a"));
}

TEST(Fingerprint, OfABrokenFileIsThatOfItsBytes) {
    const std::string whole = "!<arch>\n" + member("a.o/", "", object(bitcode_section, "/one"));
    for (size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(fingerprint(whole, "l.a"), fingerprint(std::string_view(whole).substr(0, size), "l.a")) << size;
}

}  // namespace
}  // namespace thalweg::link
