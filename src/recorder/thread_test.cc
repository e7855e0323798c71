// recorder: dispatches, nesting, samples and tables of one thread.
#include "recorder/thread.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <thalweg/abi.h>

#include "recorder/chunk_test.h"

namespace thalweg::recorder {
namespace {

constexpr uint32_t slot_count = 64;

// A thread with a chunk in plain memory. Frames of the "program" are numbers that grow towards the callers.
class Recorded : public testing::Test {
  protected:
    Recorded() : thread(std::make_unique<Thread>()) {
        EXPECT_TRUE(make_tables(thread->tables, chunks.source(), 0, slot_count, slot_count));
        thread->dispatches = {raw::dispatch_slots, nullptr, asking, states, exact_dispatches, 0};
        thread->entries = {raw::entry_slots, nullptr, asking_entries, entry_states, exact_entries, 0};
        thread->symbols = &symbols;
        thread->random = 1;
        begin(*thread, &slots, &entry_slots);
    }

    // What the probes do at a loop's preheader; a site has its own slot.
    int dispatch(uint32_t site, uint64_t frame, const thalweg_core *core = nullptr, uint32_t slot = none_named) {
        const At at{site, slot == none_named ? site : slot, frame};
        return --slots[at.slot].left < 0 ? enter(*thread, at, core) : 0;
    }
    void run(uint32_t site, uint64_t frame, const std::vector<uint64_t> &functions) {
        if (dispatch(site, frame) == 0)
            return;
        for (const uint64_t function : functions)
            target(*thread, 0, function, 0, frame - 64);
        leave(*thread, site, frame - 64);
    }
    // What the probe at a function's entry does.
    bool enter_at(uint32_t function) {
        return --entry_slots[function].left < 0 && enter_function(*thread, function, function);
    }
    template <class Entry>
    std::vector<Entry> used(raw::Table which) const {
        return used_in<Entry>(thread->tables, which);
    }
    size_t sequences() const { return used<raw::Sequence>(raw::sequences).size(); }
    uint64_t raises(uint32_t event, raw::Part part = raw::noted) const {
        uint64_t count = 0;
        for (const raw::Raise &entry : used<raw::Raise>(raw::raises))
            count += entry.event == event ? entry.count[part] : 0;
        return count;
    }
    uint64_t edge(uint32_t from, uint32_t to, uint32_t mode = 0) const {
        for (const raw::Edge &entry : used<raw::Edge>(raw::edges))
            if (entry.from == from && entry.to == to && entry.mode == mode)
                return entry.count[raw::noted];
        return 0;
    }
    std::vector<raw::Nesting> nestings() const { return used<raw::Nesting>(raw::nestings); }
    const raw::Header &header() const { return *thread->tables.header; }
    const raw::Event &event(uint32_t index) const { return thread->tables.events()[index]; }
    std::optional<raw::Fact> fact(uint32_t place) const {
        for (const raw::Fact &entry : used<raw::Fact>(raw::facts))
            if (entry.place == place)
                return entry;
        return {};
    }
    // What passed the site's slot unnoted; of a function, all of its entries.
    uint64_t passed(raw::Table table, uint32_t slot) const {
        const raw::Slot &own = thread->tables.slots(table)[slot];
        return own.granted - static_cast<uint64_t>(std::max(own.left, 0));
    }
    uint64_t entries(uint32_t function) const { return passed(raw::entry_slots, function); }
    void end_the_exact_phase() {
        while (thread->dispatches.exact_left > 0)
            run(0, 1000, {8});
    }

    static constexpr uint32_t none_named = UINT32_MAX;
    MemoryChunks chunks;
    raw::Slot *slots = nullptr;
    raw::Slot *entry_slots = nullptr;
    raw::Slot asking[slot_count] = {}, asking_entries[slot_count] = {};
    SlotState states[slot_count] = {}, entry_states[slot_count] = {};
    SymbolMap symbols;
    std::unique_ptr<Thread> thread;
};

TEST_F(Recorded, TheSameHandlersInAnotherOrderAreAnotherSequence) {
    run(0, 1000, {8, 16});
    run(0, 1000, {8, 16});
    run(0, 1000, {16, 8});
    run(0, 1000, {8});
    EXPECT_EQ(sequences(), 3u);
    EXPECT_EQ(edge(0, 0), 3u);
    EXPECT_EQ(header().lost, 0u);
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
    EXPECT_EQ(nestings()[0].count[raw::noted], 1u) << "not nested: the first dispatch has ended";
}

TEST_F(Recorded, ADispatchLeftByAnExceptionSpoilsNoOther) {
    ASSERT_EQ(dispatch(0, 1000), 1);
    target(*thread, 0, 8, 0, 900);
    ASSERT_EQ(dispatch(1, 800), 1);  // thrown through: no leave
    target(*thread, 0, 24, 0, 700);
    target(*thread, 0, 16, 0, 900);  // the outer dispatch goes on
    leave(*thread, 0, 900);
    EXPECT_EQ(header().unfinished, 1u);
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
    EXPECT_EQ(header().unfinished, 0u);
}

TEST_F(Recorded, TheSameLoopAgainInItsFrameMeansThatItWasLeft) {
    ASSERT_EQ(dispatch(0, 1000), 1);
    ASSERT_EQ(dispatch(0, 1000), 1);
    EXPECT_EQ(thread->depth, 1u);
    EXPECT_EQ(header().unfinished, 1u);
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
    EXPECT_EQ(header().event_count, 2u);
    EXPECT_STREQ(event(1).name, "second");
    thalweg_core other{};
    other.info = reinterpret_cast<thalweg_event_info *>(&first);
    EXPECT_EQ(dispatch(0, 1000, &other), 1);
    EXPECT_EQ(header().event_count, 2u);
    EXPECT_EQ(raises(0), 2u);
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

TEST_F(Recorded, unnamed_events_that_are_made_at_one_place_are_events_of_their_own) {
    thalweg_event_info_head info{"a.cc:12"};
    std::vector<thalweg_core> cores(2000);
    for (uint32_t i = 0; i < cores.size(); ++i)
        EXPECT_EQ(intern_event(thread->tables, reinterpret_cast<uint64_t>(&cores[i]), info.name), i);
    EXPECT_EQ(header().event_count, 2000u);
    EXPECT_EQ(event(7).address, reinterpret_cast<uint64_t>(&cores[7]));
    forget_event(thread->tables, reinterpret_cast<uint64_t>(&cores[7]));
    thalweg_core anew{};
    EXPECT_EQ(intern_event(thread->tables, reinterpret_cast<uint64_t>(&anew), info.name), 7u)
        << "one that is made where another was deleted goes on as that one";
}

TEST_F(Recorded, of_one_place_as_many_unnamed_events_are_told_apart_as_there_are) {
    thalweg_event_info_head info{"a.cc:12"};
    std::vector<thalweg_core> cores(20'000);
    for (thalweg_core &core : cores)
        intern_event(thread->tables, reinterpret_cast<uint64_t>(&core), info.name);
    EXPECT_EQ(header().event_count, cores.size());
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
    EXPECT_EQ(used<raw::Sequence>(raw::sequences)[0].truncated, 1u);
    EXPECT_EQ(used<raw::Sequence>(raw::sequences)[0].target_count, raw::targets_per_sequence);
}

TEST_F(Recorded, a_dispatch_that_is_truncated_asks_no_more_and_one_that_was_left_does_not_stand_in_the_way) {
    ASSERT_EQ(dispatch(0, 1000), 1);
    for (uint32_t i = 0; i < raw::targets_per_sequence; ++i)
        target(*thread, 0, 8, 0, 900);
    EXPECT_FALSE(is_kept_no_more(*thread, 900));
    run(1, 800, {24});
    target(*thread, 0, 8, 0, 900);
    EXPECT_TRUE(is_kept_no_more(*thread, 900));
    EXPECT_FALSE(is_kept_no_more(*thread, 1100)) << "its frame is gone: the one around it goes on";
    run(1, 800, {24});
    ASSERT_EQ(nestings().size(), 1u);
    EXPECT_EQ(nestings()[0].count[raw::noted], 1u) << "beyond what is kept nothing is nested";
    EXPECT_EQ(edge(1, 1), 1u);
    leave(*thread, 0, 900);
    EXPECT_FALSE(is_kept_no_more(*thread, 900));
}

// Each of so many lists is dispatched so often.
TEST_F(Recorded, thousands_of_lists_are_not_all_looked_at_closely_and_a_few_are) {
    constexpr uint32_t lists = 8192, times = 100;
    std::vector<raw::Slot> many_asking(lists);
    std::vector<SlotState> many_states(lists);
    ASSERT_TRUE(make_tables(thread->tables, chunks.source(), 1, lists, slot_count));
    thread->dispatches = {raw::dispatch_slots, nullptr, many_asking.data(), many_states.data(), 0, 0};
    begin(*thread, &slots, &entry_slots);
    const auto noted_of = [&](uint32_t first, uint32_t count) {
        const uint64_t before = header().recorded;
        for (uint32_t i = 0; i < times; ++i)
            for (uint32_t list = first; list < first + count; ++list)
                if (dispatch(0, 1000, nullptr, list) != 0)
                    leave(*thread, 0, 900);
        return header().recorded - before;
    };
    EXPECT_GE(noted_of(0, 8), 8 * first_dispatches);
    const uint64_t all = uint64_t{lists - 8} * times;
    EXPECT_LE(noted_of(8, lists - 8), noted_freely + (lists - 8) * first_dispatches_of_many + all / noted_share);
}

TEST_F(Recorded, thousands_of_lists_are_not_all_timed) {
    constexpr uint32_t lists = 4096;
    std::vector<raw::Slot> many_asking(lists);
    std::vector<SlotState> many_states(lists);
    ASSERT_TRUE(make_tables(thread->tables, chunks.source(), 1, lists, slot_count));
    thread->dispatches = {raw::dispatch_slots, nullptr, many_asking.data(), many_states.data(), exact_dispatches, 0};
    thread->timer.is_usable = true;
    begin(*thread, &slots, &entry_slots);
    uint64_t timed = 0, stood_for = 0;
    for (uint32_t i = 0; i < exact_dispatches; ++i)
        if (dispatch(0, 1000, nullptr, i % lists) != 0) {
            timed += thread->frames[0].timing.stands_for != 0;
            stood_for += thread->frames[0].timing.stands_for;
            leave(*thread, 0, 900);
        }
    EXPECT_LT(timed, timed_freely + exact_dispatches / timed_share + 2 * exact_dispatches / mean_gap_calls);
    EXPECT_NEAR(static_cast<double>(stood_for), exact_dispatches, 0.1 * exact_dispatches);
}

TEST_F(Recorded, what_is_given_up_is_timed_no_more_and_what_comes_next_is) {
    thread->timer.is_usable = true;
    ASSERT_EQ(dispatch(0, 1000), 1);
    ASSERT_TRUE(is_timing(thread->timer));
    give_up_timings(*thread);
    EXPECT_FALSE(is_timing(thread->timer));
    leave(*thread, 0, 900);
    EXPECT_EQ(used<raw::Raise>(raw::raises)[0].whole.timed, 0u);
    ASSERT_EQ(dispatch(0, 1000), 1);
    EXPECT_TRUE(is_timing(thread->timer));
}

TEST_F(Recorded, ExactAtFirstThenSamplesAndAllThatRanIsCounted) {
    constexpr uint64_t runs = 3000000;
    for (uint64_t i = 0; i < runs; ++i)
        run(0, 1000, {8});
    EXPECT_EQ(header().recorded + passed(raw::dispatch_slots, 0), runs);
    EXPECT_EQ(raises(0), header().recorded);
    const double share =
        static_cast<double>(header().recorded - exact_dispatches) / static_cast<double>(runs - exact_dispatches);
    EXPECT_GT(share, 0.0005);
    EXPECT_LT(share, 0.002);
}

TEST_F(Recorded, SamplesStandForAllThatPassedBeforeThem) {
    for (uint64_t i = 0; i < 3000000; ++i)
        run(0, 1000, {8});
    const raw::Slot &slot = thread->tables.slots(raw::dispatch_slots)[0];
    EXPECT_EQ(raises(0, raw::estimated), slot.attributed);
    EXPECT_LE(slot.attributed, passed(raw::dispatch_slots, 0));
    EXPECT_GT(slot.attributed + 2 * mean_gap_dispatches, passed(raw::dispatch_slots, 0));
    EXPECT_GT(slot.squares, 0);
}

TEST_F(Recorded, SamplesShowWhatRanNowAndThen) {
    for (uint64_t i = 0; i < 3000000; ++i)
        run(0, 1000, {i % 4 == 0 ? uint64_t{16} : uint64_t{8}});
    uint64_t total = 0, rare = 0;
    for (const raw::Sequence &entry : used<raw::Sequence>(raw::sequences)) {
        total += entry.count[raw::estimated];
        const raw::Target &target = thread->tables.table<raw::Target>(raw::targets)[entry.first_target];
        const raw::Opaque *opaques = thread->tables.table<raw::Opaque>(raw::opaques);
        rare += opaques[target.function & ~raw::opaque_bit].address == 16 ? entry.count[raw::estimated] : 0;
    }
    EXPECT_NEAR(static_cast<double>(rare) / static_cast<double>(total), 0.25, 0.05);
}

TEST_F(Recorded, a_site_that_comes_late_is_noted_from_its_first_dispatch_on) {
    end_the_exact_phase();
    for (uint64_t i = 0; i < 400000; ++i)
        run(0, 1000, {8});
    const uint32_t before = header().event_count;
    for (uint32_t i = 1; i < 10; ++i)
        run(i, 1000, {16});
    EXPECT_EQ(header().event_count, before + 9);
    for (uint64_t i = 0; i < 1000; ++i)
        run(10, 1000, {24});
    EXPECT_GE(raises(before + 9), first_dispatches);
    EXPECT_EQ(raises(before + 9) + passed(raw::dispatch_slots, 10), 1000u);
}

TEST_F(Recorded, a_phase_at_a_busy_site_is_noted_when_it_is_a_quarter_of_all) {
    end_the_exact_phase();
    for (uint64_t i = 0; i < 20000; ++i)
        run(0, 1000, {8});
    const size_t before = sequences();
    for (uint64_t i = 0; i < 20000; ++i)
        run(0, 1000, {16});
    EXPECT_EQ(sequences(), before + 1);
}

TEST_F(Recorded, a_dispatch_inside_a_late_sites_first_one_is_nested) {
    end_the_exact_phase();
    for (uint64_t i = 0; i < 400000; ++i)
        run(1, 1000, {8});
    ASSERT_EQ(dispatch(2, 1000), 1);
    target(*thread, 0, 16, 0, 900);
    run(1, 800, {8});
    leave(*thread, 2, 900);
    ASSERT_EQ(nestings().size(), 1u);
    EXPECT_EQ(nestings()[0].parent_site, 2u);
}

TEST_F(Recorded, neighbours_stand_for_others_in_the_long_run_alone) {
    end_the_exact_phase();
    const auto estimated = [&] {
        uint64_t sum = 0;
        for (const raw::Edge &entry : used<raw::Edge>(raw::edges))
            sum += entry.count[raw::estimated];
        return sum;
    };
    for (uint64_t i = 0; i < 100000; ++i)
        run(1, 1000, {8});
    EXPECT_EQ(estimated(), 0u);
    for (uint64_t i = 0; i < 1000000; ++i)
        run(1, 1000, {8});
    EXPECT_GT(estimated(), 0u);
}

TEST_F(Recorded, a_dispatch_is_timed_from_its_entry_to_its_end) {
    const auto times = [&] { return used<raw::Raise>(raw::raises)[0].whole; };
    thread->timer.is_usable = true;
    ASSERT_EQ(dispatch(0, 1000), 1);
    resume(thread->timer, 100);
    pause(thread->timer, 400);
    leave(*thread, 0, 900);
    EXPECT_EQ(times().timed, 1u);
    EXPECT_EQ(times().weights, 1);
    EXPECT_EQ(times().times, 300);
    EXPECT_FALSE(is_timing(thread->timer));
    ASSERT_EQ(dispatch(0, 1000), 1);
    run(1, 2000, {8});  // further out: the first one was left by an exception
    EXPECT_EQ(times().timed, 1u) << "nobody knows when it ended";
    EXPECT_FALSE(is_timing(thread->timer));
}

TEST_F(Recorded, what_is_dispatched_inside_is_no_part_of_a_dispatchs_own_time) {
    thread->timer.is_usable = true;
    ASSERT_EQ(dispatch(0, 1000), 1);
    resume(thread->timer, 0);
    pause(thread->timer, 100);
    ASSERT_EQ(dispatch(1, 800), 1);
    resume(thread->timer, 100);
    pause(thread->timer, 130);
    leave(*thread, 1, 700);
    resume(thread->timer, 130);
    pause(thread->timer, 150);
    leave(*thread, 0, 900);
    const auto raises = used<raw::Raise>(raw::raises);
    const raw::Raise &outer = raises[raises[0].event == 0 ? 0 : 1], &inner = raises[raises[0].event == 0 ? 1 : 0];
    EXPECT_EQ(outer.whole.times, 150);
    EXPECT_EQ(outer.own.times, 120);
    EXPECT_EQ(inner.whole.times, 30);
    EXPECT_EQ(inner.own.times, 30);
}

TEST_F(Recorded, a_dispatch_inside_of_which_some_were_not_noted_has_no_own_time) {
    thread->timer.is_usable = true;
    end_the_exact_phase();
    ASSERT_EQ(dispatch(2, 1000), 1);
    for (uint64_t i = 0; i < 10000; ++i)
        run(0, 800, {8});
    leave(*thread, 2, 900);
    for (const raw::Raise &raise : used<raw::Raise>(raw::raises))
        if (raise.slot == 2) {
            EXPECT_EQ(raise.whole.timed, 1u);
            EXPECT_EQ(raise.own.timed, 0u);
        }
}

TEST_F(Recorded, nothing_is_timed_without_a_clock) {
    run(0, 1000, {8});
    EXPECT_EQ(raises(0), 1u);
    EXPECT_EQ(used<raw::Raise>(raw::raises)[0].whole.timed, 0u);
}

TEST_F(Recorded, few_are_timed_and_stand_for_all) {
    thread->timer.is_usable = true;
    for (uint64_t i = 0; i < 3000000; ++i)
        run(0, 1000, {8});
    const raw::Times times = used<raw::Raise>(raw::raises)[0].whole;
    EXPECT_LT(times.timed, 3000u);
    EXPECT_NEAR(times.weights, 3e6, 2.5 * mean_gap_dispatches);
}

TEST_F(Recorded, ExactMeansEveryOne) {
    thread->all = true;
    for (uint64_t i = 0; i < exact_dispatches * 2; ++i)
        run(0, 1000, {8});
    EXPECT_EQ(header().recorded, exact_dispatches * 2);
    EXPECT_EQ(passed(raw::dispatch_slots, 0), 0u);
}

TEST_F(Recorded, tables_grow_and_nothing_is_lost) {
    thread->all = true;
    constexpr uint32_t functions = 1500;
    for (uint32_t round = 0; round < 2; ++round)
        for (uint64_t i = 1; i <= functions; ++i)
            run(static_cast<uint32_t>(i % slot_count), 1000, {i * 8, i * 16});
    EXPECT_EQ(header().lost, 0u);
    EXPECT_EQ(sequences(), functions);
    EXPECT_EQ(header().recorded, 2 * functions);
    EXPECT_EQ(header().magic, raw::magic);
    EXPECT_EQ(chunks.dropped + 1, chunks.made.size()) << "of each but the last there is a larger one";
    for (const raw::Sequence &entry : used<raw::Sequence>(raw::sequences))
        EXPECT_EQ(entry.count[raw::noted], 2u);
}

TEST_F(Recorded, where_no_larger_chunk_is_to_be_had_what_does_not_fit_is_lost_and_counted) {
    chunks.most = chunks.made.size();
    for (uint64_t i = 1; i <= 100 * raw::table_sizes[raw::opaques].first; ++i)
        run(0, 1000, {i * 8});
    EXPECT_EQ(header().opaque_count, raw::table_sizes[raw::opaques].first);
    EXPECT_GT(header().lost, 0u);
    EXPECT_LE(sequences(), raw::table_sizes[raw::sequences].first);
    EXPECT_LE(header().target_count, raw::table_sizes[raw::targets].first);
}

TEST_F(Recorded, counting_goes_on_in_the_larger_chunk) {
    end_the_exact_phase();
    for (uint64_t i = 0; i < 100000; ++i)
        run(0, 1000, {8});
    const uint64_t before = header().recorded + passed(raw::dispatch_slots, 0);
    ASSERT_TRUE(grow(thread->tables, raw::edges));
    for (uint64_t i = 0; i < 100000; ++i)
        run(0, 1000, {8});
    EXPECT_EQ(header().recorded + passed(raw::dispatch_slots, 0), before + 100000);
}

TEST_F(Recorded, notes_values_until_a_place_has_too_many) {
    for (uint64_t value : {7, 7, 8, 9, 10, 7})
        EXPECT_TRUE(note(*thread, 3, value, false));
    ASSERT_NE(fact(3), std::nullopt);
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
    EXPECT_FALSE(enter_at(5));
    EXPECT_TRUE(enter_at(5));
    EXPECT_FALSE(enter_at(6));
    EXPECT_EQ(entries(5), 2u);
    EXPECT_EQ(entries(6), 1u);
}

TEST_F(Recorded, a_functions_first_entries_are_noted_between_the_samples) {
    while (thread->entries.exact_left > 0)
        enter_at(5);
    for (uint64_t i = 0; i < 1000; ++i)
        enter_at(5);
    uint32_t noted = 0;
    for (uint32_t i = 0; i < 1000; ++i)
        noted += enter_at(7) ? 1 : 0;
    EXPECT_GE(noted, first_entries - 1);
    EXPECT_LT(noted, 2 * first_entries);
    EXPECT_EQ(entries(7), 1000u);
}

TEST_F(Recorded, all_entries_are_counted_and_samples_are_noted) {
    constexpr uint64_t all = 4'000'000;
    uint64_t noted = 0;
    for (uint64_t i = 0; i < all; ++i)
        noted += enter_at(5) ? 1 : 0;
    EXPECT_EQ(entries(5), all);
    EXPECT_LT(noted - exact_entries, all / 1000);
    EXPECT_GT(noted - exact_entries, all / 10000);
}

// An event as thalweg/tame.h has it, made at a line of a.cc.
struct MadeAt {
    thalweg_place place;
    thalweg_node_head node;

    explicit MadeAt(uint32_t line) : place{"a.cc", "f", line, 1}, node{nullptr, 1, 0, &place} {}
};

TEST_F(Recorded, what_goes_on_inside_of_a_trigger_is_its_handler) {
    const MadeAt made(12);
    ASSERT_EQ(enter_trigger(*thread, {3, 3, 1000}, &made.node), 1);
    ASSERT_EQ(enter_wait(*thread, {4, 4, 900}, 64), 1);
    leave(*thread, 4, 836);
    leave(*thread, 3, 936);
    ASSERT_EQ(header().event_count, 2u);
    EXPECT_EQ(event(0).site, 3u);
    EXPECT_STREQ(event(0).name, "a.cc:12");
    EXPECT_EQ(event(1).site, 4u);
    EXPECT_EQ(edge(0, 1, THALWEG_RAISE_SYNC), 1u);
    ASSERT_EQ(nestings().size(), 1u);
    EXPECT_EQ(nestings()[0].parent_event, 0u);
    EXPECT_EQ(nestings()[0].child_event, 1u);
    EXPECT_EQ(sequences(), 2u);
}

TEST_F(Recorded, what_goes_on_after_a_trigger_is_not_inside_of_it) {
    const MadeAt made(12);
    ASSERT_EQ(enter_trigger(*thread, {3, 3, 1000}, &made.node), 1);
    leave(*thread, 3, 936);
    ASSERT_EQ(enter_wait(*thread, {4, 4, 1000}, 64), 1);
    leave(*thread, 4, 936);
    EXPECT_EQ(edge(0, 1, THALWEG_RAISE_ASYNC), 1u);
    EXPECT_EQ(edge(0, 1, THALWEG_RAISE_SYNC), 0u);
    EXPECT_TRUE(nestings().empty());
}

TEST_F(Recorded, events_are_told_apart_by_where_they_were_made) {
    const MadeAt one(12), other(13), as_one(12);
    for (const MadeAt *made : {&one, &other, &as_one}) {
        ASSERT_EQ(enter_trigger(*thread, {3, 3, 1000}, &made->node), 1);
        leave(*thread, 3, 936);
    }
    ASSERT_EQ(header().event_count, 2u);
    EXPECT_EQ(raises(0), 2u);
    EXPECT_EQ(raises(1), 1u);
}

TEST_F(Recorded, the_place_of_an_event_that_a_source_will_trigger_is_the_sources) {
    MadeAt made(12);
    const thalweg_source_head source{nullptr, &made.place};
    made.node.origin = &source;
    made.node.flags = THALWEG_NODE_HAS_SOURCE;
    ASSERT_EQ(enter_trigger(*thread, {3, 3, 1000}, &made.node), 1);
    EXPECT_STREQ(event(0).name, "a.cc:12");
}

TEST_F(Recorded, of_a_long_path_the_end_is_kept) {
    const std::string file = std::string(300, 'd') + "/a.cc";
    MadeAt made(4'294'967'295);
    made.place.file = file.c_str();
    ASSERT_EQ(enter_trigger(*thread, {3, 3, 1000}, &made.node), 1);
    EXPECT_TRUE(std::string(event(0).name).ends_with("d/a.cc:4294967295"));
}

TEST_F(Recorded, an_event_without_a_place_is_one_without_a_file) {
    thalweg_node_head node{nullptr, 1, 0, nullptr};
    ASSERT_EQ(enter_trigger(*thread, {3, 3, 1000}, &node), 1);
    EXPECT_STREQ(event(0).name, ":0");
}

}  // namespace
}  // namespace thalweg::recorder
