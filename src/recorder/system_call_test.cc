// recorder: what is counted of system calls, what their neighbours have in common, and whose large blocks are whose.
#include "recorder/system_call.h"

#include <vector>

#include <gtest/gtest.h>

#include "abi/probe.h"
#include "recorder/blocks.h"
#include "recorder/chunk_test.h"

namespace thalweg::recorder {
namespace {

constexpr uint32_t of_bytes = THALWEG_CALL_GIVES_BYTES | THALWEG_CALL_HAS_SIZE;
constexpr uint64_t some_buffer = 4096;

CallNote call(uint32_t site, uint32_t flags, int64_t descriptor, uint64_t size, int64_t result) {
    return {site, flags, descriptor, 0, size, -1, result};
}
CallNote read_of(uint32_t site, int64_t descriptor, uint64_t size, int64_t result) {
    CallNote note = call(site, of_bytes, descriptor, size, result);
    note.buffer = some_buffer;
    return note;
}
CallNote write_at(uint32_t site, int64_t descriptor, uint64_t size, int64_t offset) {
    CallNote note = call(site, of_bytes | THALWEG_CALL_IS_WRITE, descriptor, size, static_cast<int64_t>(size));
    note.offset = offset;
    return note;
}

class Calls : public testing::Test {
  protected:
    bool note(const std::vector<CallNote> &calls) {
        bool kept = true;
        for (const CallNote &one : calls)
            kept &= note_call(tables, last, one, {});
        return kept;
    }
    raw::SystemCall at(uint32_t site) const {
        for (const raw::SystemCall &entry : used_in<raw::SystemCall>(tables, raw::system_calls))
            if (entry.site == site)
                return entry;
        return {};
    }
    raw::SystemCallEdge edge(uint32_t from, uint32_t to) const {
        for (const raw::SystemCallEdge &entry : used_in<raw::SystemCallEdge>(tables, raw::system_call_edges))
            if (entry.from == from && entry.to == to)
                return entry;
        return {};
    }
    void SetUp() override { ASSERT_TRUE(make_tables(tables, chunks.source(), 0, 0, 0)); }
    MemoryChunks chunks;
    Tables tables;
    LastCall last{};
};

TEST_F(Calls, ErrorsEndsOfFilesAndShortOnesAreApart) {
    note({read_of(3, 5, 100, 100), read_of(3, 5, 100, 40), read_of(3, 5, 100, 0), read_of(3, 5, 100, -1)});
    const raw::SystemCall entry = at(3);
    EXPECT_EQ(entry.calls, 4u);
    EXPECT_EQ(entry.errors, 1u);
    EXPECT_EQ(entry.zeros, 1u);
    EXPECT_EQ(entry.shorts, 2u);
    EXPECT_EQ(entry.asked_bytes, 400u);
    EXPECT_EQ(entry.given_bytes, 140u);
}

TEST_F(Calls, NothingOfNothingIsNoEndOfAFile) {
    note({read_of(3, 5, 0, 0)});
    EXPECT_EQ(at(3).zeros, 0u);
    EXPECT_EQ(at(3).shorts, 0u);
}

TEST_F(Calls, AnErrorNumberIsAnErrorAndSoIsNoAddress) {
    note({call(0, THALWEG_CALL_GIVES_ERROR_NUMBER, 4, 0, 22), call(0, THALWEG_CALL_GIVES_ERROR_NUMBER, 4, 0, 0),
          call(1, THALWEG_CALL_GIVES_ADDRESS, -1, 0, 0), call(1, THALWEG_CALL_GIVES_ADDRESS, -1, 0, -1),
          call(1, THALWEG_CALL_GIVES_ADDRESS, -1, 0, 8192), call(2, 0, -1, 0, 0)});
    EXPECT_EQ(at(0).errors, 1u);
    EXPECT_EQ(at(1).errors, 2u);
    EXPECT_EQ(at(2).errors, 0u);
}

TEST_F(Calls, TheNextOneIsOnTheDescriptorThatTheOneBeforeUsedOrGave) {
    note({call(0, THALWEG_CALL_GIVES_DESCRIPTOR, -1, 0, 7), read_of(1, 7, 10, 10), read_of(2, 7, 10, 10),
          read_of(3, 8, 10, 10), call(4, 0, -1, 0, 0), call(5, 0, -1, 0, 0)});
    EXPECT_EQ(edge(0, 1).same_descriptor, 1u);
    EXPECT_EQ(edge(1, 2).same_descriptor, 1u);
    EXPECT_EQ(edge(2, 3).weight, 1u);
    EXPECT_EQ(edge(2, 3).same_descriptor, 0u);
    EXPECT_EQ(edge(4, 5).same_descriptor, 0u) << "calls without a descriptor";
    EXPECT_EQ(edge(0, 2).weight, 0u) << "not neighbours";
}

TEST_F(Calls, AResultIsTheNextOnesSizeAndABufferIsHandedOn) {
    CallNote written = write_at(1, 8, 10, -1);
    written.buffer = some_buffer;
    note({read_of(0, 7, 100, 10), written, read_of(0, 7, 100, 0), call(2, of_bytes, 8, 0, 0)});
    EXPECT_EQ(edge(0, 1).result_is_size, 1u);
    EXPECT_EQ(edge(0, 1).same_buffer, 1u);
    EXPECT_EQ(edge(0, 2).result_is_size, 0u) << "the end of a file is no size";
    EXPECT_EQ(edge(0, 2).same_buffer, 0u) << "no buffer";
    EXPECT_EQ(edge(1, 0).result_is_size, 0u);
}

TEST_F(Calls, WritesAreAdjacentWhereOneGoesOnAtTheEndOfTheOther) {
    note({write_at(0, 7, 10, 50), write_at(1, 7, 10, 60), write_at(2, 7, 10, 60), write_at(3, 8, 10, 70),
          write_at(4, 8, 10, -1), write_at(5, 8, 10, -1), read_of(6, 8, 10, 10)});
    EXPECT_EQ(edge(0, 1).adjacent, 1u);
    EXPECT_EQ(edge(1, 2).adjacent, 0u) << "over the one before";
    EXPECT_EQ(edge(2, 3).adjacent, 0u) << "in another file";
    EXPECT_EQ(edge(3, 4).adjacent, 0u) << "at the descriptor's own offset";
    EXPECT_EQ(edge(4, 5).adjacent, 1u);
    EXPECT_EQ(edge(5, 6).adjacent, 0u) << "a read";
}

TEST_F(Calls, NothingGoesOnWhereAWriteFailed) {
    CallNote failed = write_at(0, 7, 10, -1);
    failed.result = -1;
    note({failed, write_at(1, 7, 10, -1)});
    EXPECT_EQ(edge(0, 1).adjacent, 0u);
}

TEST_F(Calls, TimesAreAddedUpAndTheShortestIsKept) {
    for (const uint64_t between : {90, 30, 60}) {
        note_call(tables, last, read_of(0, 7, 10, 10), {});
        note_call(tables, last, read_of(1, 7, 10, 10), {true, between, true, 2 * between});
    }
    EXPECT_EQ(edge(0, 1).timed, 3u);
    EXPECT_EQ(edge(0, 1).between_ns, 180u);
    EXPECT_EQ(edge(0, 1).least_ns, 30u);
    EXPECT_EQ(edge(1, 0).timed, 0u);
    EXPECT_EQ(at(1).timed, 3u);
    EXPECT_EQ(at(1).inside_ns, 360u);
    EXPECT_EQ(at(0).timed, 0u) << "not timed is not 0 ns";
}

TEST_F(Calls, WhatHasNotReturnedHasNoTimeOfItsOwn) {
    note_call(tables, last, read_of(0, 7, 10, 10), {});
    note_call(tables, last, read_of(1, 7, 10, 10), {true, 90, false, 0});
    EXPECT_EQ(edge(0, 1).timed, 1u);
    EXPECT_EQ(at(1).timed, 0u);
}

TEST_F(Calls, AFullTableGrows) {
    constexpr uint32_t sites = 20 * raw::table_sizes[raw::system_calls].first;
    bool kept = true;
    for (uint32_t site = 0; site < sites; ++site)
        kept &= note({read_of(site, 7, 10, 10)});
    EXPECT_TRUE(kept);
    for (uint32_t site = 0; site < sites; ++site)
        ASSERT_EQ(at(site).calls, 1u);
}

TEST_F(Calls, AFullTableThatCannotGrowKeepsWhatItHas) {
    chunks.most = chunks.made.size();
    bool kept = true;
    for (uint32_t site = 0; site < 20 * raw::table_sizes[raw::system_calls].first; ++site)
        kept &= note({read_of(site, 7, 10, 10)});
    EXPECT_FALSE(kept);
    EXPECT_EQ(at(0).calls, 1u);
}

TEST(LargeBlock, IsWhatWasGivenOfTheSizeThatIsMappedOnItsOwn) {
    constexpr uint32_t flags = THALWEG_CALL_GIVES_ADDRESS | THALWEG_CALL_HAS_SIZE;
    EXPECT_TRUE(gives_large_block(call(0, flags, -1, THALWEG_PROBE_LARGE_BLOCK, 4096)));
    EXPECT_FALSE(gives_large_block(call(0, flags, -1, THALWEG_PROBE_LARGE_BLOCK - 1, 4096)));
    EXPECT_FALSE(gives_large_block(call(0, flags, -1, THALWEG_PROBE_LARGE_BLOCK, 0)));
    EXPECT_FALSE(gives_large_block(read_of(0, 7, THALWEG_PROBE_LARGE_BLOCK, 4096)));
}

TEST(Blocks, AreTakenOnceFromWhoGaveThem) {
    const auto blocks = std::make_unique<Blocks>();
    EXPECT_TRUE(blocks->add(0x7f0000001010, 3));
    EXPECT_TRUE(blocks->add(0x7f0000005010, 4));
    EXPECT_EQ(blocks->take(0x7f0000001010), 3u);
    EXPECT_EQ(blocks->take(0x7f0000001010), raw::none);
    EXPECT_EQ(blocks->take(0x7f0000005010), 4u);
}

TEST(Blocks, AnAddressThatIsGivenAnewIsItsNewGivers) {
    const auto blocks = std::make_unique<Blocks>();
    blocks->add(0x7f0000001010, 3);
    blocks->add(0x7f0000001010, 5);
    EXPECT_EQ(blocks->take(0x7f0000001010), 5u);
    EXPECT_EQ(blocks->take(0x7f0000001010), raw::none);
}

TEST(Blocks, BeyondTheirRoomAreNotKnown) {
    const auto blocks = std::make_unique<Blocks>();
    uint32_t kept = 0;
    for (uint64_t i = 1; i <= uint64_t{2} * Blocks::sets * Blocks::per_set; ++i)
        kept += blocks->add(i << 12, 1) ? 1 : 0;
    EXPECT_GT(kept, Blocks::sets * Blocks::per_set / 2);
    EXPECT_LE(kept, Blocks::sets * Blocks::per_set);
}

}  // namespace
}  // namespace thalweg::recorder
