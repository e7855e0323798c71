// plan: tests of buffering advice: when writes are better put together, and when not.
#include "plan/buffering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

using model::WrittenFile;
using testing::HasSubstr;

constexpr uint64_t write_ns = 840;

WrittenFile of(uint64_t calls, uint64_t bytes, uint64_t synced = 0) {
    return {.file = "/var/log/access", .calls = calls, .bytes = bytes, .synced = synced};
}

model::Workload judged(std::vector<WrittenFile> written) {
    model::Workload workload;
    workload.written = std::move(written);
    judge_buffering(workload, {});
    return workload;
}

WrittenFile judged(WrittenFile file) { return judged(std::vector{std::move(file)}).written[0]; }

TEST(Buffering, is_advised_where_a_page_holds_many_writes) {
    const WrittenFile file = judged(of(1000, 100'000));
    EXPECT_EQ(file.saved_ns, (1000 - 25) * write_ns);
    EXPECT_EQ(file.why, "25 writes of 4096 bytes would do");
}

TEST(Buffering, is_not_advised_where_blocks_are_written_already) {
    EXPECT_EQ(judged(of(1000, 1000 * 4096)).saved_ns, 0u);
    EXPECT_EQ(judged(of(1000, 1000 * 10240)).why, "10240 bytes at a time are as many as a buffer would write");
    EXPECT_EQ(judged(of(1000, 1000 * 3900)).saved_ns, 0u) << "less than a tenth would go";
    EXPECT_NE(judged(of(1000, 1000 * 3000)).saved_ns, 0u);
}

TEST(Buffering, is_not_advised_where_what_is_written_is_to_survive) {
    const WrittenFile file = judged(of(1000, 100'000, 1));
    EXPECT_EQ(file.saved_ns, 0u);
    EXPECT_THAT(file.why, HasSubstr("brought to the disk 1 times"));
}

TEST(Buffering, of_a_few_writes_is_not_judged) {
    EXPECT_EQ(judged(of(99, 99)).why, "fewer than 100 writes");
    EXPECT_NE(judged(of(100, 100)).saved_ns, 0u);
}

TEST(Buffering, of_what_saves_most_is_among_the_ways_out) {
    WrittenFile other = of(2000, 2000);
    other.file = "/var/log/errors";
    const model::Workload workload = judged({of(1000, 100'000), other, of(1000, 1000 * 4096)});
    ASSERT_EQ(workload.advice.size(), 2u);
    EXPECT_EQ(workload.advice[0].kind, model::AdviceKind::resolve);
    EXPECT_THAT(workload.advice[0].text, HasSubstr("2000 writes to /var/log/errors were of 1 bytes on average"));
    EXPECT_THAT(workload.advice[1].text, HasSubstr("a crash may lose the last ones; saves 819.0 us"));
}

TEST(Buffering, costs_what_was_measured) {
    model::Workload workload;
    workload.written = {of(1000, 1000)};
    judge_buffering(workload, {.write_ns = 100});
    EXPECT_EQ(workload.written[0].saved_ns, 999u * 100);
}

}  // namespace
}  // namespace thalweg::plan
