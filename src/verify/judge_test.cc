// verify: tests of the judge, on real files.
#include "verify/judge.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "verify/difference.h"

namespace thalweg::verify {
namespace {

using model::Agreement;
using model::Comparison;
using model::Speed;

class JudgeTest : public testing::Test {
  protected:
    JudgeTest() {
        char name[] = "/tmp/thalweg-judge-XXXXXX";
        directory_ = mkdtemp(name);
    }
    ~JudgeTest() override { std::filesystem::remove_all(directory_); }

    std::string file(const std::string &content) {
        const std::string path = directory_ + "/file-" + std::to_string(count_++);
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }
    Shown shown(bool original, const std::string &output, const std::string &ending = "exit 0") {
        return {original, ++round_, ending, {{"stdout", file(output)}}};
    }
    void see(Judge &judge, const Shown &what) {
        const Status status = judge.see(what);
        ASSERT_TRUE(status) << status.error().message;
    }
    std::string directory_;
    int count_ = 0;
    uint32_t round_ = 0;
    Judge judge() { return {"./a", "./b", directory_}; }
};

TEST_F(JudgeTest, the_same_output_is_equal) {
    Judge the_judge = judge();
    see(the_judge, shown(true, "one\ntwo\n"));
    see(the_judge, shown(true, "one\ntwo\n"));
    see(the_judge, shown(false, "one\ntwo\n"));
    EXPECT_EQ(the_judge.agreement(), Agreement::equal);
    EXPECT_TRUE(the_judge.verdict({}, "wall").differences.empty());
}

TEST_F(JudgeTest, the_first_difference_is_shown_with_its_place_and_both_sides) {
    Judge the_judge = judge();
    see(the_judge, shown(true, "one\ntwo\nthree\n"));
    see(the_judge, shown(false, "one\ntwo\nthere\n"));
    const Comparison verdict = the_judge.verdict({}, "wall");
    EXPECT_EQ(verdict.agreement, Agreement::differ);
    ASSERT_EQ(verdict.differences.size(), 1u);
    EXPECT_EQ(verdict.differences[0].what, "stdout");
    EXPECT_EQ(verdict.differences[0].program, "./b");
    EXPECT_EQ(verdict.differences[0].offset, 10u);
    EXPECT_EQ(verdict.differences[0].line, 3u);
    EXPECT_EQ(verdict.differences[0].expected, "three\\n");
    EXPECT_EQ(verdict.differences[0].found, "there\\n");
}

TEST_F(JudgeTest, output_that_is_cut_short_differs) {
    Judge the_judge = judge();
    see(the_judge, shown(true, "one\ntwo\n"));
    see(the_judge, shown(false, "one\n"));
    const Comparison verdict = the_judge.verdict({}, "wall");
    ASSERT_EQ(verdict.differences.size(), 1u);
    EXPECT_EQ(verdict.differences[0].offset, 4u);
    EXPECT_EQ(verdict.differences[0].found, "(end)");
}

TEST_F(JudgeTest, another_exit_code_differs) {
    Judge the_judge = judge();
    see(the_judge, shown(true, "", "exit 0"));
    see(the_judge, shown(false, "", "signal 11 (Segmentation fault)"));
    const Comparison verdict = the_judge.verdict({}, "wall");
    EXPECT_EQ(verdict.agreement, Agreement::differ);
    EXPECT_EQ(verdict.differences[0].what, "exit");
    EXPECT_EQ(verdict.differences[0].found, "signal 11 (Segmentation fault)");
}

TEST_F(JudgeTest, an_original_that_differs_from_itself_cannot_be_judged_by) {
    Judge the_judge = judge();
    see(the_judge, shown(true, "at 12:00\n"));
    see(the_judge, shown(true, "at 12:01\n"));
    see(the_judge, shown(false, "at 12:02\n"));
    const Comparison verdict = the_judge.verdict({}, "wall");
    EXPECT_EQ(verdict.agreement, Agreement::unstable);
    EXPECT_EQ(verdict.differences[0].program, "./a");
}

TEST_F(JudgeTest, unstable_output_does_not_hide_another_exit_code) {
    Judge the_judge = judge();
    see(the_judge, shown(true, "at 12:00\n"));
    see(the_judge, shown(true, "at 12:01\n"));
    see(the_judge, shown(false, "at 12:02\n", "exit 1"));
    const Comparison verdict = the_judge.verdict({}, "wall");
    EXPECT_EQ(verdict.agreement, Agreement::differ);
    ASSERT_EQ(verdict.differences.size(), 1u);
    EXPECT_EQ(verdict.differences[0].what, "exit");
}

TEST_F(JudgeTest, a_file_that_only_one_of_them_writes_differs) {
    Judge the_judge = judge();
    see(the_judge, {true, 1, "exit 0", {{"out.bin", directory_ + "/nothing"}}});
    see(the_judge, {true, 1, "exit 0", {{"out.bin", directory_ + "/nothing"}}});
    EXPECT_EQ(the_judge.agreement(), Agreement::equal);
    see(the_judge, {false, 1, "exit 0", {{"out.bin", file("x")}}});
    EXPECT_EQ(the_judge.agreement(), Agreement::differ);
}

TEST_F(JudgeTest, a_difference_far_into_a_large_file_is_found_at_its_offset) {
    std::string large(300000, 'x');
    const std::string expected = file(large);
    large[200001] = '\x01';
    const auto difference = first_difference(expected, file(large));
    ASSERT_TRUE(difference);
    ASSERT_TRUE(*difference);
    EXPECT_EQ((*difference)->offset, 200001u);
    EXPECT_NE((*difference)->found.find("\\x01"), std::string::npos) << (*difference)->found;
}

TEST(JudgeSpeed, only_what_lies_beyond_noise_is_faster_or_slower) {
    const model::Estimate quiet = {1.0, 0.99, 1.01, 0.97, 10};
    EXPECT_EQ(judge_speed({0.8, 0.78, 0.82, 0.97, 10}, quiet), Speed::faster);
    EXPECT_EQ(judge_speed({1.2, 1.18, 1.22, 0.97, 10}, quiet), Speed::slower);
    EXPECT_EQ(judge_speed({0.98, 0.9, 1.005, 0.97, 10}, quiet), Speed::within_noise);
    EXPECT_EQ(judge_speed({1.2, 1.18, 1.22, 0.97, 10}, {1.0, 0.7, 1.3, 0.97, 10}), Speed::within_noise);
    EXPECT_EQ(judge_speed({}, {}), Speed::within_noise);
}

}  // namespace
}  // namespace thalweg::verify
