// measure: tests of counting instructions, with real programs.
#include "measure/instructions.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/temporary.h"
#include "measure/valgrind.h"

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

// functions_test has one of a real valgrind that gives up, where there is a program that it can't read.
TEST(Valgrind, SaysWhyItGaveUpAndWhatHelps) {
    const auto folder = TemporaryFolder::make("test");
    ASSERT_TRUE(folder) << folder.error().message;
    EXPECT_EQ(why_valgrind_gave_up(*folder, "./a"), "");
    ASSERT_TRUE(write_file(folder->file("1.log"), "--1-- WARNING: Serious error when reading debug info\n"));
    ASSERT_TRUE(write_file(folder->file("1.out"), "Valgrind: not of a log\n"));
    EXPECT_EQ(why_valgrind_gave_up(*folder, "./a"), "") << "a warning alone";
    ASSERT_TRUE(write_file(folder->file("2.log"), "==2==\nValgrind: debuginfo reader: Giving up.\nThat is all\n"));
    const std::string why = why_valgrind_gave_up(*folder, "./a");
    EXPECT_TRUE(why.starts_with("valgrind gave up (debuginfo reader: Giving up.). ")) << why;
    EXPECT_TRUE(why.ends_with("strip -g -o COPY ./a")) << why;
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
