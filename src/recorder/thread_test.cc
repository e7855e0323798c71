// recorder: dispatches, nesting, samples and tables of one thread.
#include "recorder/thread.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <thalweg/abi.h>

namespace thalweg::recorder {
namespace {

// A thread with a chunk in plain memory. Frames of the "program" are numbers that grow towards the callers.
class Recorded : public testing::Test {
  protected:
    Recorded() : chunk(std::make_unique<raw::Chunk>()), keys(key_capacity), thread(std::make_unique<Thread>()) {
        thread->countdown = &countdown;
        thread->entry_countdown = &entry_countdown;
        thread->tables = {chunk.get(), keys.data(), 0};
        thread->symbols = &symbols;
        thread->previous_event = raw::none;
        thread->random = 1;
    }

    // What the probes do at a loop's preheader.
    int dispatch(uint32_t site, uint64_t frame, const thalweg_core *core = nullptr) {
        return --countdown < 0 ? enter(*thread, site, core, frame) : 0;
    }
    void run(uint32_t site, uint64_t frame, const std::vector<uint64_t> &functions) {
        if (dispatch(site, frame) == 0)
            return;
        for (const uint64_t function : functions)
            target(*thread, 0, function, 0, frame - 64);
        leave(*thread, site, frame - 64);
    }
    uint64_t sequences() const {
        uint64_t count = 0;
        for (const raw::Sequence &entry : chunk->sequences)
            count += entry.used;
        return count;
    }
    uint64_t edge(uint32_t from, uint32_t to, uint32_t mode = 0) const {
        for (const raw::Edge &entry : chunk->edges)
            if (entry.used != 0 && entry.from == from && entry.to == to && entry.mode == mode)
                return entry.count[0] + entry.count[1];
        return 0;
    }
    std::vector<raw::Nesting> nestings() const {
        std::vector<raw::Nesting> found;
        for (const raw::Nesting &entry : chunk->nestings)
            if (entry.used != 0)
                found.push_back(entry);
        return found;
    }

    std::unique_ptr<raw::Chunk> chunk;
    std::vector<EventKey> keys;
    std::unique_ptr<Thread> thread;
    SymbolMap symbols;
    const raw::Fact *fact(uint32_t place) const {
        for (const raw::Fact &entry : chunk->facts)
            if (entry.used != 0 && entry.place == place)
                return &entry;
        return nullptr;
    }
    uint64_t entries(uint32_t function) const {
        for (const raw::Entry &entry : chunk->entries)
            if (entry.used != 0 && entry.function == function)
                return entry.count[0] + entry.count[1];
        return 0;
    }
    int32_t countdown = 0;
    int32_t entry_countdown = 0;
};

TEST_F(Recorded, TheSameHandlersInAnotherOrderAreAnotherSequence) {
    run(0, 1000, {8, 16});
    run(0, 1000, {8, 16});
    run(0, 1000, {16, 8});
    run(0, 1000, {8});
    EXPECT_EQ(sequences(), 3u);
    EXPECT_EQ(edge(0, 0), 3u);
    EXPECT_EQ(chunk->header.lost, 0u);
}

TEST_F(Recorded, ADispatchInsideAHandlerIsNestedAtItsPosition) {
    ASSERT_EQ(dispatch(0, 1000), 1);
    target(*thread, 0, 8, 0, 900);
    target(*thread, 0, 16, 0, 900);
    run(1, 800, {24});
    target(*thread, 0, 32, 0, 900);
    leave(*thread, 0, 900);
    ASSERT_EQ(nestings().size(), 1u);
    EXPECT_EQ(nestings()[0].position, 1u);
    EXPECT_EQ(nestings()[0].parent_site, 0u);
    EXPECT_EQ(nestings()[0].child_site, 1u);
    run(1, 1000, {24});
    EXPECT_EQ(nestings()[0].count[raw::exact], 1u) << "not nested: the first dispatch has ended";
}

TEST_F(Recorded, ADispatchLeftByAnExceptionSpoilsNoOther) {
    ASSERT_EQ(dispatch(0, 1000), 1);
    target(*thread, 0, 8, 0, 900);
    ASSERT_EQ(dispatch(1, 800), 1);  // thrown through: no leave
    target(*thread, 0, 24, 0, 700);
    target(*thread, 0, 16, 0, 900);  // the outer dispatch goes on
    leave(*thread, 0, 900);
    EXPECT_EQ(chunk->header.unfinished, 1u);
    ASSERT_EQ(sequences(), 1u);
    run(0, 1000, {8, 16});
    EXPECT_EQ(sequences(), 1u) << "the outer one had both of its handlers";
}

TEST_F(Recorded, ALoopInsideALoopOfTheSameFunctionIsNested) {
    ASSERT_EQ(dispatch(0, 1000), 1);
    target(*thread, 0, 8, 0, 900);
    run(1, 1000, {24});
    leave(*thread, 0, 900);
    EXPECT_EQ(nestings().size(), 1u);
    EXPECT_EQ(chunk->header.unfinished, 0u);
}

TEST_F(Recorded, TheSameLoopAgainInItsFrameMeansThatItWasLeft) {
    ASSERT_EQ(dispatch(0, 1000), 1);
    ASSERT_EQ(dispatch(0, 1000), 1);
    EXPECT_EQ(thread->depth, 1u);
    EXPECT_EQ(chunk->header.unfinished, 1u);
}

TEST_F(Recorded, AnEventIsKnownByItsNameAlsoWhenMadeAnew) {
    thalweg_event_info_head first{"first"}, second{"second"};
    thalweg_core core{};
    core.info = reinterpret_cast<thalweg_event_info *>(&first);
    EXPECT_EQ(dispatch(0, 1000, &core), 1);
    leave(*thread, 0, 900);
    forget_event(thread->tables, reinterpret_cast<uint64_t>(&core));
    core.info = reinterpret_cast<thalweg_event_info *>(&second);
    EXPECT_EQ(dispatch(0, 1000, &core), 1);
    leave(*thread, 0, 900);
    EXPECT_EQ(chunk->event_count, 2u);
    EXPECT_STREQ(chunk->events[1].name, "second");
    thalweg_core other{};
    other.info = reinterpret_cast<thalweg_event_info *>(&first);
    EXPECT_EQ(dispatch(0, 1000, &other), 1);
    EXPECT_EQ(chunk->event_count, 2u);
    EXPECT_EQ(chunk->events[0].raises[raw::exact], 2u);
}

TEST_F(Recorded, ForgettingEventsLeavesTheOthersFindable) {
    thalweg_event_info_head info{"event"};
    std::vector<thalweg_core> cores(1500);
    for (thalweg_core &core : cores) {
        core.info = reinterpret_cast<thalweg_event_info *>(&info);
        ASSERT_EQ(intern_event(thread->tables, reinterpret_cast<uint64_t>(&core), info.name), 0u);
    }
    for (size_t i = 0; i < cores.size(); i += 2)
        forget_event(thread->tables, reinterpret_cast<uint64_t>(&cores[i]));
    for (size_t i = 0; i < cores.size(); ++i)
        EXPECT_EQ(known_event(thread->tables, reinterpret_cast<uint64_t>(&cores[i])), i % 2 == 0 ? raw::none : 0u) << i;
}

TEST_F(Recorded, TheModeHoldsForTheNextRaiseAlone) {
    thalweg_event_info_head info{"event"};
    thalweg_core core{};
    core.info = reinterpret_cast<thalweg_event_info *>(&info);
    dispatch(0, 1000, &core);
    leave(*thread, 0, 900);
    thread->mode = THALWEG_RAISE_ASYNC;
    dispatch(0, 1000, &core);
    dispatch(1, 800, &core);
    EXPECT_EQ(edge(0, 0, THALWEG_RAISE_ASYNC), 1u);
    EXPECT_EQ(edge(0, 0, THALWEG_RAISE_SYNC), 1u);
}

TEST_F(Recorded, AListLongerThanIsKeptIsTruncatedNotSplit) {
    run(0, 1000, std::vector<uint64_t>(raw::targets_per_sequence + 5, 8));
    ASSERT_EQ(sequences(), 1u);
    for (const raw::Sequence &entry : chunk->sequences) {
        if (entry.used == 0)
            continue;
        EXPECT_EQ(entry.truncated, 1u);
        EXPECT_EQ(entry.target_count, raw::targets_per_sequence);
    }
}

TEST_F(Recorded, ExactAtFirstThenSamplesThatAddUpToAllThatRan) {
    constexpr uint64_t runs = 2000000;
    for (uint64_t i = 0; i < runs; ++i)
        run(0, 1000, {8});
    close_gap(*thread);
    const raw::Header &header = chunk->header;
    EXPECT_EQ(header.recorded[raw::exact], exact_dispatches);
    EXPECT_EQ(header.recorded[raw::exact] + header.recorded[raw::sampled] + header.skipped, runs);
    const double share =
        static_cast<double>(header.recorded[raw::sampled]) / static_cast<double>(runs - exact_dispatches);
    EXPECT_GT(share, 0.0005);
    EXPECT_LT(share, 0.002);
}

TEST_F(Recorded, SamplesShowWhatRanNowAndThen) {
    thread->all = false;
    for (uint64_t i = 0; i < 3000000; ++i)
        run(0, 1000, {i % 4 == 0 ? uint64_t{16} : uint64_t{8}});
    uint64_t total = 0, rare = 0;
    for (const raw::Sequence &entry : chunk->sequences) {
        if (entry.used == 0)
            continue;
        total += entry.count[raw::sampled];
        const bool is_rare =
            chunk->opaques[chunk->targets[entry.first_target].function & ~raw::opaque_bit].address == 16;
        rare += is_rare ? entry.count[raw::sampled] : 0;
    }
    EXPECT_NEAR(static_cast<double>(rare) / static_cast<double>(total), 0.25, 0.05);
}

TEST_F(Recorded, ExactMeansEveryOne) {
    thread->all = true;
    for (uint64_t i = 0; i < exact_dispatches * 2; ++i)
        run(0, 1000, {8});
    EXPECT_EQ(chunk->header.recorded[raw::exact], exact_dispatches * 2);
    EXPECT_EQ(chunk->header.skipped, 0u);
}

TEST_F(Recorded, MoreUnknownFunctionsThanFitAreLostAndCounted) {
    for (uint64_t i = 1; i <= 2 * raw::opaque_capacity; ++i)
        run(0, 1000, {i * 8});
    EXPECT_EQ(chunk->opaque_count, raw::opaque_capacity);
    EXPECT_EQ(chunk->header.lost, raw::opaque_capacity);
}

TEST_F(Recorded, MoreSequencesThanFitAreLostAndCounted) {
    for (uint32_t i = 0; i <= raw::target_capacity; ++i) {
        ASSERT_EQ(dispatch(0, 1000), 1);
        target(*thread, i, 8, 0, 900);
        leave(*thread, 0, 900);
    }
    EXPECT_GT(chunk->header.lost, 0u);
    EXPECT_LE(sequences(), raw::sequence_capacity);
    EXPECT_LE(chunk->target_count, raw::target_capacity);
}

TEST_F(Recorded, notes_values_until_a_place_has_too_many) {
    for (uint64_t value : {7, 7, 8, 9, 10, 7})
        EXPECT_TRUE(note(*thread, 3, value, false));
    ASSERT_NE(fact(3), nullptr);
    EXPECT_EQ(fact(3)->value_count, 4u);
    EXPECT_EQ(fact(3)->values[0].bits, 7u);
    EXPECT_EQ(fact(3)->values[0].count, 3u);
    EXPECT_FALSE(note(*thread, 3, 11, false));
    EXPECT_EQ(fact(3)->varies, 1u);
    EXPECT_TRUE(note(*thread, 4, 11, false));
    EXPECT_EQ(fact(3)->notes, 7u);
}

TEST_F(Recorded, a_pointer_into_no_symbol_varies_and_null_does_not) {
    EXPECT_TRUE(note(*thread, 1, 0, true));
    EXPECT_TRUE(note(*thread, 2, 1234567, false));
    EXPECT_FALSE(note(*thread, 1, 1234567, true));
    EXPECT_EQ(fact(1)->varies, 1u);
    EXPECT_EQ(fact(2)->varies, 0u);
}

TEST_F(Recorded, a_place_that_was_noted_often_is_given_up) {
    for (uint64_t i = 1; i < notes_at_most; ++i)
        ASSERT_TRUE(note(*thread, 1, 5, false));
    EXPECT_FALSE(note(*thread, 1, 5, false));
    EXPECT_EQ(fact(1)->varies, 0u);
}

TEST_F(Recorded, a_functions_first_entry_runs_the_plain_body) {
    entry_countdown = -1;
    EXPECT_FALSE(enter_function(*thread, 5).notes);
    entry_countdown = -1;
    EXPECT_TRUE(enter_function(*thread, 5).notes);
    entry_countdown = -1;
    EXPECT_FALSE(enter_function(*thread, 6).notes);
    EXPECT_EQ(entries(5), 2u);
    EXPECT_EQ(entries(6), 1u);
}

TEST_F(Recorded, a_functions_first_entries_are_noted_between_the_samples) {
    entry_countdown = 1000;
    for (uint32_t i = 1; i <= first_entries; ++i) {
        const Entered entered = enter_function(*thread, 7);
        EXPECT_EQ(entered.notes, i > 1);
        EXPECT_EQ(entered.known, i == first_entries);
    }
    EXPECT_EQ(entries(7), first_entries);
    EXPECT_EQ(entry_countdown, 1000);
    EXPECT_EQ(chunk->header.entered[raw::exact], 0u);
}

TEST_F(Recorded, entries_are_sampled_after_the_exact_ones) {
    constexpr uint64_t all = 4'000'000;
    for (uint64_t i = 0; i < all; ++i)
        if (--entry_countdown < 0)
            enter_function(*thread, 5);
    close_gap(*thread);
    const raw::Header &header = chunk->header;
    EXPECT_EQ(header.entered[raw::exact], exact_entries);
    EXPECT_EQ(header.entered[raw::exact] + header.entered[raw::sampled] + header.entries_skipped, all);
    EXPECT_LT(header.entered[raw::sampled], all / 1000);
    EXPECT_GT(header.entered[raw::sampled], all / 10000);
}

// An event as thalweg/tame.h has it, made at a line of a.cc.
struct MadeAt {
    thalweg_place place;
    thalweg_node_head node;

    explicit MadeAt(uint32_t line) : place{"a.cc", "f", line, 1}, node{nullptr, 1, 0, &place} {}
};

TEST_F(Recorded, what_goes_on_inside_of_a_trigger_is_its_handler) {
    const MadeAt made(12);
    ASSERT_EQ(enter_trigger(*thread, 3, &made.node, 1000), 1);
    ASSERT_EQ(enter_wait(*thread, 4, 64, 900), 1);
    leave(*thread, 4, 836);
    leave(*thread, 3, 936);
    ASSERT_EQ(chunk->event_count, 2u);
    EXPECT_EQ(chunk->events[0].site, 3u);
    EXPECT_STREQ(chunk->events[0].name, "a.cc:12");
    EXPECT_EQ(chunk->events[1].site, 4u);
    EXPECT_EQ(edge(0, 1, THALWEG_RAISE_SYNC), 1u);
    ASSERT_EQ(nestings().size(), 1u);
    EXPECT_EQ(nestings()[0].parent_event, 0u);
    EXPECT_EQ(nestings()[0].child_event, 1u);
    EXPECT_EQ(sequences(), 2u);
}

TEST_F(Recorded, what_goes_on_after_a_trigger_is_not_inside_of_it) {
    const MadeAt made(12);
    ASSERT_EQ(enter_trigger(*thread, 3, &made.node, 1000), 1);
    leave(*thread, 3, 936);
    ASSERT_EQ(enter_wait(*thread, 4, 64, 1000), 1);
    leave(*thread, 4, 936);
    EXPECT_EQ(edge(0, 1, THALWEG_RAISE_ASYNC), 1u);
    EXPECT_EQ(edge(0, 1, THALWEG_RAISE_SYNC), 0u);
    EXPECT_TRUE(nestings().empty());
}

TEST_F(Recorded, events_are_told_apart_by_where_they_were_made) {
    const MadeAt one(12), other(13), as_one(12);
    for (const MadeAt *made : {&one, &other, &as_one}) {
        ASSERT_EQ(enter_trigger(*thread, 3, &made->node, 1000), 1);
        leave(*thread, 3, 936);
    }
    ASSERT_EQ(chunk->event_count, 2u);
    EXPECT_EQ(chunk->events[0].raises[raw::exact], 2u);
    EXPECT_EQ(chunk->events[1].raises[raw::exact], 1u);
}

TEST_F(Recorded, the_place_of_an_event_that_a_source_will_trigger_is_the_sources) {
    MadeAt made(12);
    const thalweg_source_head source{nullptr, &made.place};
    made.node.origin = &source;
    made.node.flags = THALWEG_NODE_HAS_SOURCE;
    ASSERT_EQ(enter_trigger(*thread, 3, &made.node, 1000), 1);
    EXPECT_STREQ(chunk->events[0].name, "a.cc:12");
}

TEST_F(Recorded, of_a_long_path_the_end_is_kept) {
    const std::string file = std::string(300, 'd') + "/a.cc";
    MadeAt made(4'294'967'295);
    made.place.file = file.c_str();
    ASSERT_EQ(enter_trigger(*thread, 3, &made.node, 1000), 1);
    EXPECT_TRUE(std::string(chunk->events[0].name).ends_with("d/a.cc:4294967295"));
}

TEST_F(Recorded, an_event_without_a_place_is_one_without_a_file) {
    thalweg_node_head node{nullptr, 1, 0, nullptr};
    ASSERT_EQ(enter_trigger(*thread, 3, &node, 1000), 1);
    EXPECT_STREQ(chunk->events[0].name, ":0");
}

}  // namespace
}  // namespace thalweg::recorder
