// measure: tests of reading what `perf script` prints, in perf's own lines.
#include "measure/perf_script.h"

#include <gtest/gtest.h>

namespace thalweg::measure {
namespace {

using model::FunctionProfile;
using model::none;

// Lines of perf 6.1; the second thread's name has a blank in it.
constexpr const char *two_samples = R"(w  9343/9343  63533.968805:     250000 
	            1152 leaf (/tmp/a program)
	            119c _ZN3net4sendEv (/tmp/a program)

of two words  9343/9344  63533.969055123:     1001001 
	ffffffff816bb6b9 vfs_write ([kernel.kallsyms])
	            119c _ZN3net4sendEv (/tmp/a program)
	               0 [unknown] ([unknown])

)";

FunctionProfile read(std::string_view text) {
    FunctionProfile profile;
    const Status status = read_perf_script(text, profile);
    EXPECT_TRUE(status) << status.error().message;
    return profile;
}

TEST(PerfScript, gives_each_sample_its_stack_thread_and_time) {
    const FunctionProfile profile = read(two_samples);
    ASSERT_EQ(profile.functions.size(), 4u);
    EXPECT_EQ(profile.functions[0], (model::CodeFunction{"leaf", "/tmp/a program", {}}));
    EXPECT_EQ(profile.functions[3], (model::CodeFunction{"[unknown]", "", {}}));
    const std::vector<model::CallNode> nodes = {
        {none, 1, 0, 0}, {0, 0, 250000, 1}, {none, 3, 0, 0}, {2, 1, 0, 0}, {3, 2, 1001001, 1}};
    EXPECT_EQ(profile.nodes, nodes);
    EXPECT_EQ(profile.threads, (std::vector<model::SampledThread>{{9343, 9343, "w"}, {9343, 9344, "of two words"}}));
    EXPECT_EQ(profile.samples, (std::vector<model::TimedSample>{{0, 250000, 0, 1}, {250123, 1001001, 1, 4}}));
    EXPECT_TRUE(profile.problems.empty());
}

TEST(PerfScript, puts_the_same_stack_into_one_node) {
    const FunctionProfile profile = read(std::string(two_samples) + two_samples);
    EXPECT_EQ(profile.nodes.size(), 5u);
    EXPECT_EQ(profile.nodes[1].self, 500000u);
    EXPECT_EQ(profile.nodes[1].count, 2u);
    EXPECT_EQ(profile.samples.size(), 4u);
}

TEST(PerfScript, sorts_samples_by_time) {
    const FunctionProfile profile = read("a  1/1  2.5:  7 \n\t1 f (o)\n\na  1/1  2.25:  8 \n\t1 g (o)\n\n");
    ASSERT_EQ(profile.samples.size(), 2u);
    EXPECT_EQ(profile.samples[0], (model::TimedSample{0, 8, 0, 1}));
    EXPECT_EQ(profile.samples[1].time_ns, 250000000u);
}

TEST(PerfScript, knows_a_file_that_was_deleted) {
    EXPECT_EQ(read("a  1/1  2.5:  7 \n\t1 f (/tmp/x (deleted))\n\n").functions[0].object, "/tmp/x");
}

TEST(PerfScript, says_how_many_samples_it_left_out) {
    const FunctionProfile profile =
        read("a  1/1  2.5:  7 \n\t1 f (o)\n\nno header\n\t1 f (o)\n\na  1/1  2.6:  7 \n\tnonsense\n\n");
    EXPECT_EQ(profile.samples.size(), 1u);
    EXPECT_EQ(profile.problems,
              (std::vector<std::string>{"2 of perf's samples were not understood, and are left out"}));
}

TEST(PerfScript, keeps_a_sample_without_a_stack) {
    const FunctionProfile profile = read("a  1/1  2.5:  7 \n\n");
    ASSERT_EQ(profile.nodes.size(), 1u);
    EXPECT_EQ(profile.functions[0].name, "[unknown]");
}

}  // namespace
}  // namespace thalweg::measure
