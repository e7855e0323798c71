// measure: tests of profiling real programs, by perf where it works here and by callgrind.
#include "measure/functions.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace thalweg::measure {
namespace {

using model::FunctionProfile;

// Burns most of its time in `leaf`, called by `hot` nine times in ten and by `cold` once; then writes a file byte by byte.
constexpr const char *source = R"(
#include <unistd.h>
static volatile unsigned sink;
__attribute__((noinline)) void leaf(unsigned rounds) { for (unsigned i = 0; i < rounds; ++i) sink += i; }
__attribute__((noinline)) void hot(unsigned rounds) { leaf(9 * rounds); sink += 1; }
__attribute__((noinline)) void cold(unsigned rounds) { leaf(rounds); sink += 1; }
int main(int count, char **words) {
    const unsigned rounds = count > 1 ? 50000 : 40;
    for (unsigned i = 0; i < 1000; ++i) { hot(rounds); cold(rounds); }
    for (int i = 0; i < 7; ++i) if (write(1, "x", 1) != 1) return 1;
    return 5;
}
)";

class Functions : public testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/thalweg-functions-test-XXXXXX";
        folder_ = mkdtemp(name);
        std::ofstream(folder_ + "/p.c") << source;
        ASSERT_EQ(std::system(("cc -O1 -o " + program() + " " + folder_ + "/p.c").c_str()), 0);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string program() const { return folder_ + "/p"; }

    std::string folder_;
};

uint64_t self_of(const FunctionProfile &profile, const std::string &name, const std::string &caller = {}) {
    uint64_t sum = 0;
    for (const model::CallNode &node : profile.nodes)
        if (profile.functions[node.function].name == name &&
            (caller.empty() ||
             (node.parent != model::none && profile.functions[profile.nodes[node.parent].function].name == caller)))
            sum += node.self;
    return sum;
}

uint64_t total(const FunctionProfile &profile) {
    uint64_t sum = 0;
    for (const model::CallNode &node : profile.nodes)
        sum += node.self;
    return sum;
}

TEST_F(Functions, are_counted_exactly_by_callgrind) {
    const auto profile = run_functions({{program()}, ProfilingTool::callgrind});
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->exit_code, 5u);
    const uint64_t of_hot = self_of(*profile, "leaf", "hot"), of_cold = self_of(*profile, "leaf", "cold");
    EXPECT_EQ(of_hot + of_cold, self_of(*profile, "leaf"));
    EXPECT_NEAR(static_cast<double>(of_hot) / static_cast<double>(of_cold), 9, 1);
    EXPECT_GT(self_of(*profile, "leaf") * 2, total(*profile));
    uint64_t calls = 0;
    for (const model::CallNode &node : profile->nodes)
        if (profile->functions[node.function].name == "leaf")
            calls += node.count;
    EXPECT_EQ(calls, 2000u);
}

TEST_F(Functions, of_the_library_that_are_system_calls_are_told) {
    const auto profile = run_functions({{program()}, ProfilingTool::callgrind});
    ASSERT_TRUE(profile) << profile.error().message;
    const auto has_role = [](const model::CodeFunction &function) {
        return std::ranges::any_of(function.roles, [](const model::RoleOf &role) { return role.of == "write"; });
    };
    EXPECT_EQ(std::ranges::count_if(profile->functions, has_role), 1);
    for (const model::CodeFunction &function : profile->functions)
        if (function.name == "leaf" || function.name == "exit")
            EXPECT_TRUE(function.roles.empty()) << function.name;
}

TEST_F(Functions, are_sampled_by_perf_with_their_callers) {
    if (!why_no_perf().empty())
        GTEST_SKIP() << why_no_perf();
    const auto profile = run_functions({{program(), "long"}, ProfilingTool::perf});
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->exit_code, 5u);
    EXPECT_GT(profile->samples.size(), 50u);
    const double of_hot = static_cast<double>(self_of(*profile, "leaf", "hot"));
    const double of_cold = static_cast<double>(self_of(*profile, "leaf", "cold"));
    EXPECT_GT(of_hot, 0.7 * static_cast<double>(total(*profile)));
    EXPECT_GT(of_hot, 4 * of_cold);
}

// valgrind 3.19 cannot read all debug information of clang 19, as that of this program; a later one may, and then there is nothing to
// be told.
TEST_F(Functions, that_valgrind_cannot_read_are_an_error_with_a_way_out) {
    const std::string newer = std::filesystem::read_symlink("/proc/self/exe").string(),
                      stripped = folder_ + "/stripped";
    const auto profile = run_functions({{newer, "--gtest_list_tests"}, ProfilingTool::callgrind});
    if (profile)
        GTEST_SKIP() << "this valgrind reads it";
    EXPECT_TRUE(profile.error().message.starts_with("valgrind gave up (")) << profile.error().message;
    EXPECT_TRUE(profile.error().message.ends_with("strip -g -o COPY " + newer)) << profile.error().message;
    ASSERT_EQ(std::system(("strip -g -o " + stripped + " " + newer).c_str()), 0);
    EXPECT_TRUE(run_functions({{stripped, "--gtest_list_tests"}, ProfilingTool::callgrind}));
}

TEST_F(Functions, of_a_program_that_is_not_there_are_an_error_in_words) {
    const auto nothing = run_functions({{folder_ + "/nothing"}, ProfilingTool::callgrind});
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().message, "cannot start " + folder_ + "/nothing: there is no such program");
}

}  // namespace
}  // namespace thalweg::measure
