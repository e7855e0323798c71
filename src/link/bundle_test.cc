// link: bundles that are whole, damaged, or made by somebody who wants to write elsewhere.
#include "link/bundle.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "link/opened_program.h"
#include "link/tools.h"

namespace thalweg::link {
namespace {

Bundle example() {
    return {"program/prog",
            0755,
            "link/build",
            {{"program/prog", "p"}, {"link/build/main.o", "odd"}, {"absolute/usr/x.a", ""}}};
}

std::string whole(const Bundle &bundle) { return *write_bundle(bundle); }

std::string reading(const std::string &bytes) {
    const auto read = read_bundle(bytes, "b");
    return read ? "" : read.error().message;
}

TEST(Bundle, IsReadAsItWasWritten) {
    const std::string bytes = whole(example());
    const auto read = read_bundle(bytes, "b");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->program, "program/prog");
    EXPECT_EQ(read->mode, 0755U);
    EXPECT_EQ(read->directory, "link/build");
    ASSERT_EQ(read->files.size(), 3U);
    EXPECT_EQ(read->find("link/build/main.o")->bytes, "odd");
    EXPECT_EQ(read->find("link/build"), nullptr);
    EXPECT_EQ(whole(*read), bytes);
}

TEST(Bundle, IsToldFromOtherFiles) {
    EXPECT_TRUE(is_bundle(whole(example())));
    EXPECT_FALSE(is_bundle(""));
    EXPECT_FALSE(is_bundle(write_archive({{"main.o", "x"}})));
    EXPECT_FALSE(is_bundle(link_object("{}")));
}

TEST(Bundle, NamesWhatALinkNames) {
    const Bundle bundle = example();
    EXPECT_EQ(bundle.name_of("main.o"), "link/build/main.o");
    EXPECT_EQ(bundle.name_of("../lib/../x.o"), "link/x.o");
    EXPECT_EQ(bundle.name_of("/usr/x.a"), "absolute/usr/x.a");
    EXPECT_EQ(bundle.name_of("/usr/"), "absolute/usr");
    EXPECT_TRUE(bundle.has_folder("absolute/usr"));
    EXPECT_FALSE(bundle.has_folder("root/us"));
}

TEST(Bundle, ThatIsCutOffIsRefused) {
    const std::string bytes = whole(example());
    for (size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(read_bundle(std::string_view(bytes).substr(0, size), "b")) << size;
}

TEST(Bundle, OfWhichAnyByteChangedIsSurvived) {
    const std::string bytes = whole(example());
    for (size_t i = 0; i < bytes.size(); ++i) {
        std::string broken = bytes;
        broken[i] = static_cast<char>(broken[i] ^ 0xff);
        (void)read_bundle(broken, "b");
    }
}

TEST(Bundle, WithANameThatLeadsOutOfItIsRefused) {
    const std::string bytes = whole(example());
    for (const char *name : {"../../../../../x.o", "/tmp/build/main.o", "link//build/main.", "link/./build/mai",
                             "link/build/main./", "link/build/ma\x01n.o"}) {
        std::string other = name;
        other.resize(std::string_view("link/build/main.o").size(), 'x');
        std::string changed = bytes;
        changed.replace(changed.find("link/build/main.o"), other.size(), other);
        EXPECT_NE(reading(changed).find("is no name of a file in it"), std::string::npos)
            << name << ": " << reading(changed);
        Bundle bundle = example();
        bundle.files[1].name = other;
        EXPECT_FALSE(write_bundle(bundle)) << name;
    }
    EXPECT_EQ(reading(bytes), "");
}

TEST(Bundle, ThatContradictsItselfIsRefused) {
    Bundle twice = example();
    twice.files[2].name = twice.files[1].name;
    EXPECT_NE(reading(whole(twice)).find("twice"), std::string::npos);
    Bundle other = example();
    other.program = "program/other";
    EXPECT_NE(reading(whole(other)).find("no program"), std::string::npos);
    other = example();
    other.program = "link/build/main.o";
    EXPECT_NE(reading(whole(other)).find("no program"), std::string::npos);
    for (const char *directory : {"program", "link/..", "/link", "", "linked"}) {
        other = example();
        other.directory = directory;
        EXPECT_NE(reading(whole(other)).find("no folder"), std::string::npos) << directory;
    }
}

// A bundle whose program is an object with a record only: it is looked at, not linked.
class Opened : public testing::Test {
  protected:
    void SetUp() override {
        record_.driver = c_compiler;
        record_.directory = "..";
        record_.output = "bin/prog";
    }
    void add(const std::string &path, const std::string &bytes) {
        storage_.push_back(std::make_unique<std::string>(bytes));
        record_.inputs.push_back({path, fingerprint(bytes, "")});
        bundle_.files.push_back({bundle_.name_of(path), *storage_.back()});
    }
    Result<OpenedProgram> open() {
        const std::string program = link_object(section_content(record_));
        bundle_.files.push_back({bundle_.program, program});
        const std::string path = fmt::format("{}/opened.{}.bundle", testing::TempDir(), ::getpid());
        EXPECT_TRUE(write_file(path, whole(bundle_)));
        auto opened = open_program(path, "");
        std::filesystem::remove(path);
        return opened;
    }

    LinkRecord record_;
    Bundle bundle_{"program/prog", 0750, "link/build", {}};
    std::vector<std::unique_ptr<std::string>> storage_;
};

TEST_F(Opened, NamesTheFilesThatWerePutThere) {
    add("main.o", "1");
    add("../lib/../x.o", "2");
    add("/usr/x.a", "3");
    record_.arguments = {"main.o", "../lib/../x.o",       "/usr/x.a", "-L/usr", "-L", "/usr", "-L/usr/lib", "-rpath",
                         "/usr",   "-Wl,-rpath,/usr/x.a", "-lz"};
    std::string folder;
    {
        const auto opened = open();
        ASSERT_TRUE(opened) << opened.error().message;
        folder = opened->folder->path();
        const LinkRecord &record = opened->program.record;
        EXPECT_EQ(record.directory, folder + "/link/build");
        EXPECT_EQ(record.arguments,
                  (std::vector<std::string>{"main.o", folder + "/link/x.o", folder + "/absolute/usr/x.a",
                                            "-L" + folder + "/absolute/usr", "-L", folder + "/absolute/usr",
                                            "-L/usr/lib", "-rpath", "/usr", "-Wl,-rpath,/usr/x.a", "-lz"}));
        EXPECT_EQ(*read_file(absolute_path(record.directory, record.inputs[0].path)), "1");
        EXPECT_EQ(*read_file(record.inputs[2].path), "3");
        EXPECT_EQ(*opened->remembered, record_);
        EXPECT_EQ(std::filesystem::status(opened->path).permissions(), std::filesystem::perms(0750));
    }
    EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(Opened, WithoutAFileOfTheLinkIsRefused) {
    add("main.o", "1");
    add("/etc/passwd", "2");
    bundle_.files.pop_back();
    const auto opened = open();
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("/etc/passwd, which the program was linked from, isn't in it"),
              std::string::npos);
}

TEST_F(Opened, WithAnotherFileOfThatNameIsRefused) {
    add("main.o", "1");
    bundle_.files.back().bytes = "2";
    EXPECT_NE(open().error().message.find("main.o isn't what the program was linked from"), std::string::npos);
}

TEST_F(Opened, WithAThinArchiveOfThisMachinesFilesIsRefused) {
    for (const std::string name : {"/etc/passwd", "../../../../etc/passwd", "gone.o"}) {
        std::string thin = write_archive({{name, ""}});
        thin.replace(0, thin_magic.size(), thin_magic);
        bundle_.files.clear();
        record_.inputs.clear();
        add("lib/thin.a", thin);
        const auto opened = open();
        ASSERT_FALSE(opened) << name;
        EXPECT_NE(opened.error().message.find(name + " of the archive"), std::string::npos) << opened.error().message;
    }
}

}  // namespace
}  // namespace thalweg::link
