// measure: tests of interleaved runs, with real programs.
#include "measure/pairs.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace thalweg::measure {
namespace {

class Pairs : public testing::Test {
  protected:
    Pairs() {
        char name[] = "/tmp/thalweg-pairs-XXXXXX";
        directory_ = mkdtemp(name);
        options_.directory = directory_;
        options_.rounds = 3;
    }
    ~Pairs() override { std::filesystem::remove_all(directory_); }

    std::string script(const std::string &name, const std::string &body) {
        const std::string path = directory_ + "/" + name;
        std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path;
    }
    static std::string content(const std::string &path) {
        std::stringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }
    std::string directory_;
    PairOptions options_;
};

TEST_F(Pairs, each_side_comes_first_in_turn) {
    options_.original = script("a", "exit 0");
    options_.candidate = script("b", "exit 0");
    std::string order;
    const auto result = measure_pairs(options_, [&](const ObservedRun &run) {
        order += "oac"[static_cast<int>(run.side)];
        return true;
    });
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(order, "oacacocoa");
    EXPECT_EQ(result->wall_ratio.n, 3u);
}

TEST_F(Pairs, a_program_that_takes_longer_has_a_ratio_above_one) {
    options_.original = script("a", "sleep 0.05");
    options_.candidate = script("b", "sleep 0.6");
    options_.rounds = 5;
    const auto result = measure_pairs(options_, [](const ObservedRun &) { return true; });
    ASSERT_TRUE(result);
    // Of the medians: a machine that stands still for a third of a second in one run of the shorter program makes a low end of 1.5.
    EXPECT_GT(result->wall_ratio.median, 1.5);
    EXPECT_LT(result->wall_noise.median, result->wall_ratio.median);
}

TEST_F(Pairs, rounds_double_until_they_decide) {
    options_.original = options_.candidate = script("a", "exit 0");
    options_.rounds = 0;
    const auto always = [](const ObservedRun &) { return true; };
    std::vector<uint32_t> asked;
    const auto at_the_second = measure_pairs(options_, always, [&](const model::Measurement &so_far) {
        asked.push_back(so_far.wall_ratio.n);
        return asked.size() == 2;
    });
    ASSERT_TRUE(at_the_second);
    EXPECT_EQ(asked, (std::vector<uint32_t>{default_rounds, 2 * default_rounds}));
    const auto never = measure_pairs(options_, always, [](const model::Measurement &) { return false; });
    ASSERT_TRUE(never);
    EXPECT_EQ(never->candidate_runs.size(), most_rounds);
    EXPECT_EQ(never->wall_ratio.n, most_rounds);
}

TEST_F(Pairs, rounds_that_were_named_do_not_become_more) {
    options_.original = options_.candidate = script("a", "exit 0");
    options_.rounds = 2;
    const auto result = measure_pairs(
        options_, [](const ObservedRun &) { return true; }, [](const model::Measurement &) { return false; });
    ASSERT_TRUE(result);
    EXPECT_EQ(result->wall_ratio.n, 2u);
}

TEST_F(Pairs, both_are_told_the_name_that_was_given) {
    std::string names;
    options_.original = options_.candidate = "/bin/sh";
    options_.arguments = {"-c", "echo $0"};
    options_.name = "./as-called";
    options_.rounds = 1;
    // A shell that reads a command tells its own name where none follows.
    const auto result = measure_pairs(options_, [&](const ObservedRun &run) {
        names += content(run.stdout_path);
        return true;
    });
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(names, "./as-called\n./as-called\n./as-called\n");
}

TEST_F(Pairs, each_run_finds_the_files_as_they_were) {
    const std::string there = directory_ + "/there";
    const std::string absent = directory_ + "/absent";
    std::ofstream(there) << "old\n";
    const std::string body =
        "cat " + there + "; test -e " + absent + " && echo left over; echo new >> " + there + "; echo new > " + absent;
    options_.original = script("a", body);
    options_.candidate = script("b", body);
    options_.files = {there, absent};
    int runs = 0;
    const auto result = measure_pairs(options_, [&](const ObservedRun &run) {
        ++runs;
        EXPECT_EQ(content(run.stdout_path), "old\n");
        EXPECT_EQ(content(there), "old\nnew\n");
        return true;
    });
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(runs, 9);
}

TEST_F(Pairs, a_driver_is_told_the_program_in_both_ways) {
    options_.original = "/first";
    options_.candidate = "/second";
    options_.driver = true;
    options_.arguments = {"/bin/sh", "-c", "echo $THALWEG_PROGRAM {}/x"};
    std::string seen;
    const auto result = measure_pairs(options_, [&](const ObservedRun &run) {
        seen += content(run.stdout_path);
        return run.side != Side::candidate;
    });
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(seen, "/first /first/x\n/first /first/x\n/second /second/x\n");
}

TEST_F(Pairs, braces_in_a_programs_own_arguments_are_left_alone) {
    options_.original = "/bin/echo";
    options_.candidate = "/bin/echo";
    options_.arguments = {"{}"};
    const auto result = measure_pairs(options_, [&](const ObservedRun &run) {
        EXPECT_EQ(content(run.stdout_path), "{}\n");
        return false;
    });
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->original_runs.empty());  // the round was cut short
}

TEST_F(Pairs, both_programs_are_told_the_same_name) {
    const std::string shell = std::filesystem::canonical("/bin/sh");
    const std::string other = directory_ + "/other-name";
    std::filesystem::copy_file(shell, other);
    options_.original = shell;
    options_.candidate = other;
    options_.arguments = {"-c", "echo $0"};
    const auto result = measure_pairs(options_, [&](const ObservedRun &run) {
        EXPECT_EQ(content(run.stdout_path), shell + "\n");
        return true;
    });
    ASSERT_TRUE(result) << result.error().message;
}

}  // namespace
}  // namespace thalweg::measure
