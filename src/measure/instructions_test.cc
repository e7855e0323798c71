// measure: tests of counting instructions, with real programs.
#include "measure/instructions.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/temporary.h"

namespace thalweg::measure {
namespace {

Result<uint64_t> counted(std::vector<std::string> words, const std::string &program) {
    const auto folder = TemporaryFolder::make("test");
    if (!folder)
        return folder.error();
    return count_instructions({.argv = std::move(words)}, program, folder->path());
}

TEST(Instructions, AreTheSameOfTheSameRunButForWhereItsStackLies) {
    const Result<uint64_t> once = counted({"/bin/cat", "/etc/hostname"}, "/bin/cat");
    const Result<uint64_t> again = counted({"/bin/cat", "/etc/hostname"}, "/bin/cat");
    ASSERT_TRUE(once) << once.error().message;
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_GT(*once, 10000u);
    EXPECT_NEAR(static_cast<double>(*once), static_cast<double>(*again), static_cast<double>(*once) / 100);
}

TEST(Instructions, OfACommandAroundAreNotCounted) {
    const Result<uint64_t> alone = counted({"/bin/true"}, "/bin/true");
    const Result<uint64_t> driven =
        counted({"/bin/sh", "-c", "i=0; while [ $i -lt 9000 ]; do i=$((i+1)); done; /bin/true"}, "/bin/true");
    ASSERT_TRUE(alone) << alone.error().message;
    ASSERT_TRUE(driven) << driven.error().message;
    EXPECT_NEAR(static_cast<double>(*alone), static_cast<double>(*driven), static_cast<double>(*alone) / 10);
}

TEST(Instructions, OfAProgramThatNeverRanAreAnError) {
    const Result<uint64_t> none = counted({"/bin/true"}, "/bin/false");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("counted nothing of /bin/false"), std::string::npos) << none.error().message;
}

// As functions_test's: of this program, valgrind 3.19 cannot read all.
TEST(Instructions, ThatValgrindCannotReadAreAnErrorWithAWayOut) {
    const std::string newer = std::filesystem::read_symlink("/proc/self/exe").string();
    const Result<uint64_t> none = counted({newer, "--gtest_list_tests"}, newer);
    if (none)
        GTEST_SKIP() << "this valgrind reads it";
    EXPECT_TRUE(none.error().message.starts_with("valgrind gave up (")) << none.error().message;
    EXPECT_TRUE(none.error().message.ends_with("strip -g -o COPY " + newer)) << none.error().message;
}

TEST(Cachegrind, IsReadWhereItIsWhole) {
    const auto file = read_cachegrind("desc: I1 cache: none\ncmd: ./a b\nevents: Ir\nfn=main\n1 7\nsummary: 1234\n");
    ASSERT_TRUE(file);
    EXPECT_EQ(file->command, "./a b");
    EXPECT_EQ(file->instructions, 1234u);
    EXPECT_FALSE(read_cachegrind("cmd: ./a b\nevents: Ir\n"));
    EXPECT_FALSE(read_cachegrind("summary: 12\n"));
    EXPECT_FALSE(read_cachegrind("cmd: a\nsummary: none\n"));
    EXPECT_FALSE(read_cachegrind(""));
}

}  // namespace
}  // namespace thalweg::measure
