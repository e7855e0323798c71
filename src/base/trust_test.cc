// base: who can change a file, and files that go away with their owner.
#include "base/trust.h"

#include <filesystem>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/temporary.h"

namespace thalweg {
namespace {

namespace fs = std::filesystem;

unsigned mode_of(const std::string &path) {
    struct stat status{};
    return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

class Trust : public testing::Test {
  protected:
    std::string path(const std::string &name) const { return folder_->file(name); }
    std::string made_file(const std::string &name) const {
        EXPECT_TRUE(write_file(path(name), "x"));
        return path(name);
    }
    std::string made_folder(const std::string &name, mode_t mode = 0755) const {
        EXPECT_EQ(::mkdir(path(name).c_str(), 0700), 0);
        EXPECT_EQ(::chmod(path(name).c_str(), mode), 0);
        return path(name);
    }
    Result<TemporaryFolder> folder_ = TemporaryFolder::make("trust-test");
};

TEST_F(Trust, what_its_user_alone_can_write) {
    EXPECT_TRUE(check_trusted_file(made_file("a")));
    EXPECT_EQ(*trusted_folder(folder_->path()), folder_->path());
    EXPECT_TRUE(check_trusted_file("/bin/sh") || fs::is_symlink("/bin/sh") || fs::is_symlink("/bin"));
}

TEST_F(Trust, not_what_others_can_write) {
    const std::string file = made_file("a");
    ::chmod(file.c_str(), 0602);
    EXPECT_FALSE(check_trusted_file(file));
    made_folder("open", 0777);
    EXPECT_FALSE(check_trusted_file(made_file("open/a")));
    EXPECT_FALSE(trusted_or_sticky_folder(path("open")));
    made_folder("open/mine");
    EXPECT_FALSE(trusted_folder(path("open/mine")));
}

TEST_F(Trust, a_sticky_folder_keeps_what_is_in_it_to_its_maker) {
    made_folder("sticky", 01777);
    EXPECT_TRUE(check_trusted_file(made_file("sticky/a")));
    EXPECT_TRUE(trusted_or_sticky_folder(path("sticky")));
    EXPECT_FALSE(trusted_folder(path("sticky")));
    made_folder("sticky/mine");
    EXPECT_TRUE(trusted_folder(path("sticky/mine")));
}

TEST_F(Trust, not_through_a_link_nor_by_a_second_name) {
    const std::string file = made_file("a");
    fs::create_symlink(file, path("link"));
    EXPECT_FALSE(check_trusted_file(path("link")));
    made_folder("real");
    made_file("real/a");
    fs::create_directory_symlink(path("real"), path("way"));
    EXPECT_FALSE(check_trusted_file(path("way/a")));
    EXPECT_EQ(*trusted_folder(path("way")), path("real"));
    fs::create_hard_link(file, path("second"));
    EXPECT_FALSE(check_trusted_file(file));
    EXPECT_FALSE(check_trusted_file(path("real")));
    EXPECT_FALSE(check_trusted_file(path("none")));
}

TEST_F(Trust, not_what_another_user_owns) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root gives files away";
    const std::string file = made_file("a");
    ASSERT_EQ(::chown(file.c_str(), 12345, 0), 0);
    EXPECT_FALSE(check_trusted_file(file));
    made_folder("theirs");
    made_file("theirs/a");
    ASSERT_EQ(::chown(path("theirs").c_str(), 12345, 0), 0);
    EXPECT_FALSE(check_trusted_file(path("theirs/a")));
    EXPECT_FALSE(check_own_folder(path("theirs")));
}

TEST_F(Trust, of_a_group_only_the_users_own) {
    const std::string file = made_file("a");
    ::chmod(file.c_str(), 0660);
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root gives files to groups";
    EXPECT_TRUE(check_trusted_file(file));
    ASSERT_EQ(::chown(file.c_str(), 0, 12345), 0);
    EXPECT_FALSE(check_trusted_file(file));
}

TEST_F(Trust, temporary_things_are_their_owners_alone_and_go_away) {
    std::string folder, file;
    {
        const auto made = TemporaryFolder::make("x");
        ASSERT_TRUE(made);
        folder = made->path();
        EXPECT_EQ(mode_of(folder), 0700u);
        ASSERT_TRUE(write_file(made->file("a"), "x"));
        const auto one = TemporaryFile::make("x", "content");
        ASSERT_TRUE(one);
        file = one->path();
        EXPECT_EQ(mode_of(file), 0600u);
        EXPECT_EQ(*read_file(file), "content");
    }
    EXPECT_FALSE(fs::exists(folder));
    EXPECT_FALSE(fs::exists(file));
}

TEST_F(Trust, temporary_things_go_where_TMPDIR_says_if_nobody_else_can_replace_them) {
    const std::string before = ::getenv("TMPDIR") == nullptr ? "" : ::getenv("TMPDIR");
    ::setenv("TMPDIR", made_folder("here").c_str(), 1);
    EXPECT_TRUE(TemporaryFolder::make("x")->path().starts_with(path("here/")));
    ::setenv("TMPDIR", made_folder("open", 0777).c_str(), 1);
    EXPECT_NE(TemporaryFolder::make("x").error().message.find("TMPDIR"), std::string::npos);
    EXPECT_FALSE(TemporaryFile::make("x", ""));
    before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
}

TEST_F(Trust, files_of_results_are_their_owners_and_sources_everybodys) {
    const mode_t mask = ::umask(022);
    EXPECT_EQ(mode_of(made_file("a")), 0600u);
    ASSERT_TRUE(write_file(path("b"), "x", Readers::others));
    EXPECT_EQ(mode_of(path("b")), 0644u);
    ::umask(077);
    ASSERT_TRUE(write_file(path("c"), "x", Readers::others));
    EXPECT_EQ(mode_of(path("c")), 0600u);
    ::umask(mask);
}

TEST_F(Trust, a_link_at_the_outputs_name_is_replaced_and_an_open_descriptor_written_to) {
    const std::string target = made_file("target");
    fs::create_symlink(target, path("link"));
    ASSERT_TRUE(write_file(path("link"), "new"));
    EXPECT_EQ(*read_file(target), "x");
    EXPECT_EQ(*read_file(path("link")), "new");
    FILE *open = std::fopen(path("open").c_str(), "w");
    ASSERT_NE(open, nullptr);
    const std::string name = fmt::format("/proc/self/fd/{}", ::fileno(open));
    fs::create_symlink(name, path("stdout"));
    ASSERT_TRUE(write_file(name, "one"));
    ASSERT_TRUE(write_file(path("stdout"), "two"));
    std::fclose(open);
    EXPECT_EQ(*read_file(path("open")), "onetwo");
    EXPECT_TRUE(fs::is_symlink(path("stdout")));
}

}  // namespace
}  // namespace thalweg
