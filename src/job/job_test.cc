// job: jobs are written and read back; what no mode can do is refused.
#include "job/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::job {
namespace {

using testing::HasSubstr;

TEST(Job, reads_back_what_was_written) {
    TransformJob job{.mode = TransformJob::Mode::optimize,
                     .plan_path = "server.plan",
                     .only_decisions = {3, 1},
                     .count_guards = true,
                     .outcome_path = "out",
                     .instruction_ns = 0.17,
                     .settles = true,
                     .remarks = true,
                     .places = {{"main", 16}, {"serve", 0}},
                     .called_elsewhere = {"fork"}};
    Result<TransformJob> back = read_job(write_job(job));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, job);
}

TEST(Job, of_mode_object_needs_the_functions_name) {
    TransformJob job{.mode = TransformJob::Mode::object, .plan_path = "server.plan", .object_symbol = "send_special"};
    Result<TransformJob> back = read_job(write_job(job));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, job);
    job.object_symbol.clear();
    EXPECT_FALSE(read_job(write_job(job)));
}

TEST(Job, with_a_place_outside_of_a_line_is_refused) {
    TransformJob job{.mode = TransformJob::Mode::optimize, .plan_path = "server.plan", .places = {{"main", 63}}};
    EXPECT_TRUE(read_job(write_job(job)));
    job.places[0].offset = 64;
    EXPECT_FALSE(read_job(write_job(job)));
}

TEST(Job, without_the_path_that_its_mode_needs_is_refused) {
    EXPECT_FALSE(read_job(R"({"format":"thalweg-job","version":1,"mode":"probe"})"));
    EXPECT_FALSE(read_job(R"({"format":"thalweg-job","version":1,"mode":"optimize","site_table_path":"a"})"));
}

} // namespace
} // namespace thalweg::job
