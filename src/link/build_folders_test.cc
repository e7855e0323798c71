// link: the folders of a build, named as each checkout of the same sources names them, and where objects are found by these names.
#include "link/build_folders.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file.h"
#include "link/command_line.h"
#include "link/objects_folder.h"
#include "link/recorded_words.h"

namespace thalweg::link {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Two names for one folder, so that symbolic links have something to hide.
class Checkout : public testing::Test {
  protected:
    void SetUp() override {
        const char *test = testing::UnitTest::GetInstance()->current_test_info()->name();
        root_ = fs::canonical(testing::TempDir()) / fmt::format("checkout.{}.{}", ::getpid(), test);
        for (const char *folder : {"build/bin", "build/lib", "moved"})
            fs::create_directories(root_ / folder);
        fs::create_directory_symlink(root_ / "build/bin", root_ / "link");
        ASSERT_TRUE(write_file(path("build/lib/libparts.a"), "x"));
        ASSERT_TRUE(write_file(path("build/main.o"), "x"));
    }
    void TearDown() override { fs::remove_all(root_); }
    std::string path(const std::string &name) const { return (root_ / name).string(); }

    fs::path root_;
};

TEST_F(Checkout, AFolderIsSeenFromAnother) {
    EXPECT_EQ(folder_seen_from(path("build"), path("build")), ".");
    EXPECT_EQ(folder_seen_from(path("build/bin"), path("build")), "..");
    EXPECT_EQ(folder_seen_from(path("link"), path("build")), "..");
    EXPECT_EQ(folder_seen_from(path("moved/"), path("build/bin/.")), "../build/bin");
}

TEST_F(Checkout, FoldersThatShareNothingAreNotSeenFromEachOther) {
    EXPECT_EQ(folder_seen_from("/usr/bin", "/no-such-folder/src"), "/no-such-folder/src");
    EXPECT_EQ(BuildFolders("/", "/").named("/usr/lib/libz.a"), "/usr/lib/libz.a");
}

TEST_F(Checkout, WhatIsOfTheBuildHasARelativeName) {
    const BuildFolders folders(path("build"), path("build/bin"));
    EXPECT_EQ(folders.named(path("build/main.o")), "main.o");
    EXPECT_EQ(folders.named(path("build/lib")), "lib");
    EXPECT_EQ(folders.named(path("build")), ".");
    EXPECT_EQ(folders.named(path("link/prog")), "bin/prog");
    EXPECT_EQ(folders.named(path("moved/exported.map")), "../moved/exported.map");
}

TEST_F(Checkout, WhatIsOfTheSystemOrRelativeKeepsItsName) {
    const BuildFolders folders(path("build"), path("build/bin"));
    EXPECT_EQ(folders.named("/usr/lib/x86_64-linux-gnu/libz.a"), "/usr/lib/x86_64-linux-gnu/libz.a");
    EXPECT_EQ(folders.named(path("../x.o")), path("../x.o"));
    EXPECT_EQ(folders.named("../build/main.o"), "../build/main.o");
    EXPECT_EQ(folders.named(path("build/-O.o")), path("build/-O.o"));
}

TEST_F(Checkout, WordsOfTheLinkNameNoFolderOfTheBuild) {
    const CommandLine line = *parse_command_line(
        {"-O2", path("build/main.o"), "-I" + path("include"), "-ffile-prefix-map=" + path("") + "=.", "-isystem",
         path("x"), "-L" + path("build/lib"), "-L", path("build/lib"), "-lparts",
         "-Wl,--version-script=" + path("build/v.map") + ",-z,now", "-Rpass=inline", "-o", path("build/bin/prog"),
         "-Xlinker", "-O1", "/usr/lib/libz.a"});
    EXPECT_EQ(recorded_words(line, BuildFolders(path("build"), path("build/bin"))),
              (Words{"-O2", "main.o", "-Llib", "-L", "lib", "-lparts", "-Wl,--version-script=v.map,-z,now",
                     "-Rpass=inline", "-Xlinker", "-O1", "/usr/lib/libz.a"}));
}

TEST_F(Checkout, WordsThatAProgramHoldsItselfStayAsTheyAre) {
    const Words words{"a.o", "-Wl,-rpath," + path("build/lib"), "-rpath", path("build/lib"),
                      "-fplugin=" + path("p.so")};
    EXPECT_EQ(recorded_words(*parse_command_line(words), BuildFolders(path("build"), path("build"))), words);
}

LinkRecord record_of(const std::string &directory) {
    LinkRecord record;
    record.directory = directory;
    record.inputs = {{"main.o", {}}, {"/usr/lib", {}}};
    return record;
}

TEST_F(Checkout, ObjectsAreFoundFromTheProgramsOwnFolder) {
    EXPECT_EQ(objects_folder(record_of(".."), path("build/bin/prog"), ""), path("build"));
    fs::create_symlink(path("build/bin/prog"), path("moved/prog"));
    ASSERT_TRUE(write_file(path("build/bin/prog"), "x"));
    EXPECT_EQ(objects_folder(record_of(".."), path("moved/prog"), ""), path("build"));
    // The program itself went elsewhere, and a link to it stands where it was built.
    fs::remove(path("moved/prog"));
    fs::rename(path("build/bin/prog"), path("moved/prog"));
    fs::create_symlink(path("moved/prog"), path("build/bin/prog"));
    EXPECT_EQ(objects_folder(record_of(".."), path("build/bin/prog"), ""), path("build"));
}

TEST_F(Checkout, ObjectsOfAMovedProgramAreFoundWhereTheUserSays) {
    EXPECT_EQ(objects_folder(record_of("."), path("moved/prog"), ""), path("moved"));
    EXPECT_EQ(objects_folder(record_of("."), path("moved/prog"), path("build")), path("build"));
    // The folder of the program, or that of the link: both are "where it was built".
    EXPECT_EQ(objects_folder(record_of(".."), path("moved/prog"), path("build/bin")), path("build"));
    EXPECT_EQ(objects_folder(record_of(".."), path("moved/prog"), path("build")), path("build"));
    EXPECT_EQ(objects_folder(record_of("/gone"), path("moved/prog"), path("build")), path("build"));
    EXPECT_EQ(objects_folder(record_of("/gone"), path("moved/prog"), ""), "/gone");
}

}  // namespace
}  // namespace thalweg::link
