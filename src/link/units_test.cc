// link: bitcode is taken out of objects and of archives' members, and what is made of it stands in their places in the words of the link.
#include "link/units.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/temporary.h"
#include "link/elf_file.h"

namespace thalweg::link {

namespace {

const std::string bitcode = "BC\xC0\xDE of one";
const std::string other = "BC\xC0\xDE of another";

class Units : public ::testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_directory(folder.file("own"));
        std::filesystem::create_directory(folder.file("out"));
        put("one.o", bitcode);
        put("opaque.o", "no object");
        put("own/libparts.a", write_archive({{"a.o", other}, {"opaque.o", "nothing"}, {"a.o", bitcode}}));
        record.directory = folder.path();
    }

    void put(const std::string &name, const std::string &bytes) { ASSERT_TRUE(write_file(folder.file(name), bytes)); }

    void link(const std::vector<std::string> &inputs, std::vector<std::string> words) {
        for (const std::string &path : inputs)
            record.inputs.push_back({path, {}});
        record.arguments = std::move(words);
    }

    std::vector<std::string> words_with(const std::vector<Unit> &units) {
        const auto words = words_with_units(record, units, folder.file("out"));
        EXPECT_TRUE(words) << words.error().message;
        return words ? *words : std::vector<std::string>();
    }

    TemporaryFolder folder = std::move(*TemporaryFolder::make("units"));
    LinkRecord record;
};

}  // namespace

TEST_F(Units, AreObjectsAndMembersOfArchivesWithBitcode) {
    link({"one.o", "opaque.o", "own/libparts.a"}, {});
    const auto units = take_apart(record, folder.file("out"));
    ASSERT_TRUE(units) << units.error().message;
    ASSERT_EQ(3u, units->size());
    EXPECT_EQ(bitcode, *read_file(units->at(0).bitcode));
    EXPECT_EQ(other, *read_file(units->at(1).bitcode));
    EXPECT_EQ(bitcode, *read_file(units->at(2).bitcode));
    EXPECT_EQ(folder.file("own/libparts.a") + "(a.o)", units->at(2).name);
    EXPECT_EQ(2u, units->at(2).member);
}

TEST_F(Units, StandWhereTheirObjectsStood) {
    link({"one.o", "opaque.o", "own/libparts.a"},
         {"-O2", "one.o", "opaque.o", "-Lown", "-lparts", "-lm", "own/libparts.a", "-lone.o"});
    auto units = take_apart(record, folder.file("out"));
    ASSERT_TRUE(units) << units.error().message;
    put("made", "made");
    units->at(1).bitcode = folder.file("made");
    const std::string archive = folder.file("out/2.a");
    EXPECT_EQ((std::vector<std::string>{"-O2", units->at(0).bitcode, "opaque.o", "-Lown", archive, "-lm", archive,
                                        "-lone.o"}),
              words_with(*units));
    const std::string bytes = *read_file(archive);
    const auto members = archive_members(bytes, archive);
    ASSERT_TRUE(members) << members.error().message;
    ASSERT_EQ(3u, members->size());
    EXPECT_EQ("made", members->at(0).bytes);
    EXPECT_EQ("nothing", members->at(1).bytes);
    EXPECT_EQ(bitcode, members->at(2).bytes);
}

TEST_F(Units, OfALibraryThatIsFoundAsSharedAreNotLinked) {
    put("own/libparts.so", "shared");
    link({"own/libparts.a"}, {"-L", "own", "-lparts", "-l:libparts.a"});
    const auto units = take_apart(record, folder.file("out"));
    ASSERT_TRUE(units) << units.error().message;
    EXPECT_EQ((std::vector<std::string>{"-L", "own", "-lparts", folder.file("out/0.a")}), words_with(*units));
}

TEST_F(Units, ThatAreGoneAreToldByName) {
    link({"gone.o"}, {"gone.o"});
    const auto units = take_apart(record, folder.file("out"));
    ASSERT_FALSE(units);
    EXPECT_NE(std::string::npos, units.error().message.find("gone.o"));
}

}  // namespace thalweg::link
