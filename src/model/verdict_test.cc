// model: tests of verdict and measurement: what is written is read again, what is damaged is refused in words.
#include "model/verdict.h"

#include <gtest/gtest.h>

namespace thalweg::model {
namespace {

Comparison example() {
    Comparison comparison;
    comparison.agreement = Agreement::differ;
    comparison.compared = {"exit", "stdout", "out.bin"};
    comparison.differences = {{"stdout", "./b", 3, 17, 2, "seven", "eight"}};
    comparison.ending = "exit 0";
    comparison.measurement.original = "./a";
    comparison.measurement.candidate = "./b";
    comparison.measurement.command = "-n 3";
    comparison.measurement.original_runs = {{1.5, 1.25, 0.125, 4096}};
    comparison.measurement.again_runs = {{1.625, 1.25, 0.125, 4097}};
    comparison.measurement.candidate_runs = {{0.75, 0.5, 0.0625, 4098}};
    comparison.measurement.wall_ratio = {0.5, 0.25, 0.75, 0.96875, 6};
    comparison.measurement.original_instructions = 2000;
    comparison.measurement.candidate_instructions = 1999;
    comparison.speed = Speed::faster;
    comparison.metric = "wall";
    comparison.summary = "outputs differ";
    return comparison;
}

TEST(Verdict, a_comparison_that_is_written_is_read_again) {
    const Result<Comparison> read = read_comparison(write_comparison(example()));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, example());
}

TEST(Verdict, a_comparison_of_before_is_read) {
    std::string text = write_comparison(example());
    const auto replace = [&](const std::string &from, const std::string &to) {
        ASSERT_NE(text.find(from), std::string::npos) << from;
        text.replace(text.find(from), from.size(), to);
    };
    replace("\"format\": \"thalweg-comparison\",", "");
    replace("\"measurement\": {", "\"measurement\": {\"version\": 1,");
    const Result<Comparison> read = read_comparison(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, example());
}

TEST(Verdict, every_truncation_is_refused_in_words) {
    const std::string text = write_comparison(example());
    for (size_t length = 0; length + 2 < text.size(); ++length) {
        const Result<Comparison> read = read_comparison(text.substr(0, length));
        ASSERT_FALSE(read) << length;
        EXPECT_FALSE(read.error().message.empty());
    }
}

TEST(Verdict, another_version_an_unknown_word_and_a_wrong_type_are_refused) {
    const auto replaced = [](const std::string &from, const std::string &to) {
        std::string text = write_comparison(example());
        const size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    EXPECT_FALSE(read_comparison(replaced("\"differ\"", "\"agree\"")));
    EXPECT_FALSE(read_comparison(replaced("\"wall_s\": 1.5", "\"wall_s\": \"x\"")));
    std::string all = write_comparison(example());
    const size_t last = all.rfind("\"version\": 1");
    const Result<Comparison> other = read_comparison(all.replace(last, 12, "\"version\": 9"));
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("version 9"), std::string::npos) << other.error().message;
}

TEST(Verdict, bytes_that_are_no_text_are_replaced_not_refused) {
    Comparison comparison = example();
    comparison.summary = "\xff\xfe";
    EXPECT_TRUE(read_comparison(write_comparison(comparison)));
}

}  // namespace
}  // namespace thalweg::model
