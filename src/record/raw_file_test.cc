// record: raw files, whole and broken.
#include "record/raw_file.h"

#include <cstring>

#include <gtest/gtest.h>

#include "model/limits.h"
#include "record/build_profile.h"
#include "record/estimate.h"

namespace thalweg::record {
namespace {

// A chunk whose tables have the sizes that they begin with, some of them slots.
class Chunk {
  public:
    explicit Chunk(uint32_t slots = 4) {
        uint32_t capacity[raw::table_count];
        for (uint32_t i = 0; i < raw::table_count; ++i)
            capacity[i] = raw::table_sizes[i].first;
        capacity[raw::dispatch_slots] = capacity[raw::entry_slots] = slots;
        words_.resize(raw::offset_of(capacity, raw::table_count) / sizeof(uint64_t));
        std::memcpy(header().capacity, capacity, sizeof capacity);
        header().magic = raw::magic;
        header().version = raw::version;
        header().kind = raw::chunk_file;
        header().symbol_count = 3;
        header().threads = 1;
    }
    raw::Header &header() { return *reinterpret_cast<raw::Header *>(words_.data()); }
    template <class Entry>
    Entry *table(raw::Table which) {
        return reinterpret_cast<Entry *>(reinterpret_cast<char *>(words_.data()) +
                                         raw::offset_of(header().capacity, which));
    }
    raw::Slot *slots() { return table<raw::Slot>(raw::dispatch_slots); }
    raw::Slot *entry_slots() { return table<raw::Slot>(raw::entry_slots); }
    raw::Event *events() { return table<raw::Event>(raw::events); }
    raw::Raise *raises() { return table<raw::Raise>(raw::raises); }
    raw::Edge *edges() { return table<raw::Edge>(raw::edges); }
    raw::Sequence *sequences() { return table<raw::Sequence>(raw::sequences); }
    raw::Target *targets() { return table<raw::Target>(raw::targets); }
    raw::Nesting *nestings() { return table<raw::Nesting>(raw::nestings); }
    raw::Opaque *opaques() { return table<raw::Opaque>(raw::opaques); }
    raw::Fact *facts() { return table<raw::Fact>(raw::facts); }
    raw::SystemCall *system_calls() { return table<raw::SystemCall>(raw::system_calls); }
    raw::SystemCallEdge *system_call_edges() { return table<raw::SystemCallEdge>(raw::system_call_edges); }
    raw::Release *releases() { return table<raw::Release>(raw::releases); }
    std::string bytes() const {
        return std::string(reinterpret_cast<const char *>(words_.data()), words_.size() * sizeof(uint64_t));
    }

  private:
    std::vector<uint64_t> words_;
};

// Event A (of the runtime) and the list at site 1; A ran [f with context v + 8, opaque], and the list inside it.
Chunk example_chunk() {
    Chunk chunk;
    chunk.header().event_count = 2;
    chunk.events()[0] = {3, 0, 1, raw::none, "A"};
    chunk.events()[1] = {0, 0, 1, 1, ""};
    chunk.raises()[2] = {0, 0, 0, 1, {12, 0}, {4, 4, 400, 4, 400, 40000, 1, 100}, {}};
    chunk.raises()[5] = {1, 1, 1, 1, {12, 0}, {}, {}};
    chunk.edges()[7] = {0, 1, 0, 1, {12, 0}};
    chunk.header().target_count = 2;
    chunk.targets()[0] = {0, 2, 8, 0, 0};
    chunk.targets()[1] = {raw::opaque_bit | 0, raw::none, 0, 1, 0};
    chunk.header().opaque_count = 1;
    std::strcpy(chunk.opaques()[0].name, "puts");
    chunk.sequences()[3] = {0, 0, 0, 2, 0, 1, 99, {12, 0}};
    chunk.nestings()[5] = {0, 0, 0, 0, 1, 1, 0, 1, {12, 0}};
    chunk.header().recorded = 24;
    chunk.entry_slots()[3] = {2, 2, 52, 0, 0};
    chunk.facts()[4] = {0, 1, 2, 0, 7, {{0, 0, 0, 5}, {raw::none, 0, 6, 2}}};
    chunk.facts()[8] = {1, 1, 0, 1, 9, {}};
    chunk.system_calls()[2] = {.site = 2,
                               .used = 1,
                               .calls = 5,
                               .errors = 1,
                               .zeros = 1,
                               .shorts = 2,
                               .asked_bytes = 500,
                               .given_bytes = 250,
                               .timed = 2,
                               .inside_ns = 900};
    chunk.system_call_edges()[6] = {2, 3, 4, 4, 3, 2, 1, 3, 700, 90, 1, 0};
    chunk.releases()[1] = {3, 2, 6, 1, 0};
    return chunk;
}

model::SiteTable example_table() {
    model::SiteTable table;
    table.sites.push_back({.function = "raise", .kind = model::SiteKind::event});
    table.sites.push_back({.function = "fire", .place = {"a.cc", 12, 3}});
    table.sites.push_back({.function = "copy", .kind = model::SiteKind::call, .callee = "read"});
    table.sites.push_back({.function = "copy", .ordinal = 1, .kind = model::SiteKind::call, .callee = "write"});
    table.symbols.push_back({.name = "f"});
    table.symbols.push_back({.name = "never_called"});
    table.symbols.push_back({.name = "v", .is_function = false});
    table.functions = {{"put", 5, 9, {}, {}}, {"encode", 6, 90, {"e.c", 7, 0}, {0}}, {"main", 8, 20, {}, {1}}};
    table.fact_places = {{1, model::FactKind::load, 3, 8, model::Steers::call, {"e.c", 9, 2}},
                         {1, model::FactKind::argument, 0, 4, model::Steers::branch, {}},
                         {1, model::FactKind::load, 3, 8, model::Steers::call, {}, model::CallPlace{2, 6, {}}}};
    return table;
}

model::Profile profile_of(const Chunk &chunk, int times = 1) {
    const auto file = read_raw_file(chunk.bytes());
    EXPECT_TRUE(file) << file.error().message;
    auto profile =
        build_profile(std::vector<RawFile>(static_cast<size_t>(times), *file), example_table(), {"p", "id", "p x"});
    EXPECT_TRUE(profile) << profile.error().message;
    return *profile;
}

TEST(RawFile, OfAnotherKindVersionOrSizeIsRefused) {
    const std::string whole = Chunk().bytes();
    EXPECT_TRUE(read_raw_file(whole));
    EXPECT_FALSE(read_raw_file(""));
    EXPECT_FALSE(read_raw_file(std::string_view(whole).substr(0, whole.size() - 1)));
    for (const size_t member :
         {offsetof(raw::Header, magic), offsetof(raw::Header, version), offsetof(raw::Header, kind)}) {
        std::string broken = whole;
        broken[member] = 77;
        EXPECT_FALSE(read_raw_file(broken)) << member;
    }
}

TEST(RawFile, GivesTheFunctionsOfGenericCodeAndWhatWasNotedInThem) {
    const model::Profile profile = profile_of(example_chunk());
    ASSERT_EQ(profile.functions.size(), 2u);
    EXPECT_EQ(profile.functions[1].body.name, "encode");
    EXPECT_EQ(profile.functions[1].entries, 50u);
    EXPECT_EQ(profile.functions[1].body.calls, std::vector<uint32_t>{0});
    ASSERT_EQ(profile.facts.size(), 2u);
    const model::NotedFact &load = profile.facts[0];
    EXPECT_EQ(load.function, 1u);
    EXPECT_EQ(load.ordinal, 3u);
    EXPECT_EQ(load.notes, 7u);
    EXPECT_FALSE(load.varies);
    ASSERT_EQ(load.values.size(), 2u);
    EXPECT_EQ(profile.symbols[load.values[0].symbol].name, "f");
    EXPECT_EQ(load.values[1], (model::NotedValue{model::none, 6, 2}));
    EXPECT_TRUE(profile.facts[1].varies);
}

TEST(RawFile, WhatIsNotedByCallIsAPartOfWhatIsNotedAtAll) {
    Chunk chunk = example_chunk();
    chunk.facts()[5] = {2, 1, 1, 0, 4, {{raw::none, 0, 9, 4}}};
    const model::Profile profile = profile_of(chunk);
    ASSERT_EQ(profile.facts.size(), 3u);
    const model::NotedFact &all = profile.facts[0];
    EXPECT_EQ(all.notes, 7u + 4u);
    EXPECT_EQ(all.values.size(), 3u);
    EXPECT_FALSE(all.call);
    const model::NotedFact &by_call = profile.facts[2];
    EXPECT_EQ(by_call.notes, 4u);
    EXPECT_EQ(by_call.values, (std::vector<model::NotedValue>{{model::none, 9, 4}}));
    ASSERT_TRUE(by_call.call);
    EXPECT_EQ(profile.functions[by_call.call->caller].body.name, "main");
    EXPECT_EQ(by_call.call->ordinal, 6u);
}

TEST(RawFile, MoreValuesThanAFactHasInSeveralFilesVary) {
    Chunk chunk = example_chunk();
    chunk.facts()[4] = {0, 1, 3, 0, 3, {{raw::none, 0, 1, 1}, {raw::none, 0, 2, 1}, {raw::none, 0, 3, 1}}};
    Chunk other = example_chunk();
    other.facts()[4] = {0, 1, 2, 0, 2, {{raw::none, 0, 4, 1}, {raw::none, 0, 5, 1}}};
    const auto both = build_profile({*read_raw_file(chunk.bytes()), *read_raw_file(other.bytes())}, example_table(),
                                    {"p", "id", "p x"});
    ASSERT_TRUE(both) << both.error().message;
    EXPECT_TRUE(both->facts[0].varies);
    EXPECT_TRUE(both->facts[0].values.empty());
    EXPECT_EQ(both->facts[0].notes, 5u);
    EXPECT_FALSE(profile_of(chunk).facts[0].varies);
}

TEST(RawFile, FactsThatPointNowhereAreDroppedAndCounted) {
    Chunk chunk = example_chunk();
    const uint64_t lost = profile_of(chunk).coverage.lost;
    chunk.facts()[4].values[0].symbol = 3;
    chunk.facts()[8].place = 3;
    chunk.entry_slots()[3].owner = 4;
    const model::Profile profile = profile_of(chunk);
    EXPECT_TRUE(profile.facts.empty());
    EXPECT_TRUE(profile.functions.empty());
    EXPECT_EQ(profile.coverage.lost, lost + 3);
}

TEST(RawFile, GivesTheTimesOfAllThreads) {
    const model::Profile profile = profile_of(example_chunk(), 2);
    EXPECT_EQ(profile.events[0].time.timed, 8u);
    EXPECT_EQ(profile.events[0].time.inside_ns, 24u * 100);
    EXPECT_EQ(profile.events[1].time, model::EventTime{}) << "it was not timed";
}

TEST(RawFile, GivesTheSystemCallsOfAllThreads) {
    const model::Profile profile = profile_of(example_chunk(), 2);
    EXPECT_EQ(profile.system_calls, (std::vector<model::NotedSystemCall>{{2, 10, 2, 2, 4, 1000, 500, 4, 1800}}));
    EXPECT_EQ(profile.system_call_edges, (std::vector<model::SystemCallEdge>{{2, 3, 8, 8, 6, 4, 2, 6, 1400, 90}}));
    EXPECT_EQ(profile.releases, (std::vector<model::Release>{{3, 2, 12}}));
    EXPECT_EQ(profile.call_clock, model::CallClock::probes);
}

TEST(RawFile, WhatWasNotTimedHasNoTime) {
    Chunk chunk = example_chunk();
    chunk.system_calls()[2].timed = chunk.system_call_edges()[6].timed = 0;  // killed between a sum and its number
    const model::Profile profile = profile_of(chunk);
    EXPECT_EQ(profile.system_calls[0].inside_ns, 0u);
    EXPECT_EQ(profile.system_call_edges[0].between_ns, 0u);
    EXPECT_EQ(profile.system_call_edges[0].least_ns, 0u);
    EXPECT_EQ(profile.call_clock, model::CallClock::none);
}

TEST(RawFile, TheShortestTimeIsThatOfAllThreads) {
    Chunk chunk = example_chunk();
    chunk.system_call_edges()[7] = {2, 3, 1, 0, 0, 0, 0, 1, 40, 40, 1, 0};
    chunk.system_call_edges()[8] = {2, 3, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0};  // not timed
    EXPECT_EQ(profile_of(chunk).system_call_edges[0].least_ns, 40u);
}

TEST(RawFile, SystemCallsThatCannotBeAreDroppedAndCounted) {
    Chunk chunk = example_chunk();
    const uint64_t lost = profile_of(chunk).coverage.lost;
    chunk.system_calls()[2].site = 1;  // a list
    chunk.system_calls()[3] = {.site = 2, .used = 1, .calls = 5, .errors = 6};  // more errors than calls
    chunk.system_call_edges()[6].to = 4;
    chunk.system_call_edges()[7] = {2, 3, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0};
    chunk.system_calls()[4] = {.site = 2, .used = 1, .calls = 5, .timed = 6};  // more timed than made
    chunk.system_call_edges()[8] = {2, 3, 1, 0, 0, 0, 0, 1, 5, 6, 1, 0};  // the shortest longer than all
    chunk.releases()[1].from = 0;
    const model::Profile profile = profile_of(chunk);
    EXPECT_TRUE(profile.system_calls.empty());
    EXPECT_TRUE(profile.system_call_edges.empty());
    EXPECT_TRUE(profile.releases.empty());
    EXPECT_EQ(profile.coverage.lost, lost + 7);
}

TEST(RawFile, SystemCallsBeyondAllCountsStopAtTheLargest) {
    Chunk chunk = example_chunk();
    chunk.system_calls()[2] = {.site = 2,
                               .used = 1,
                               .calls = UINT64_MAX,
                               .errors = 1,
                               .zeros = 1,
                               .shorts = 2,
                               .asked_bytes = UINT64_MAX,
                               .given_bytes = UINT64_MAX,
                               .timed = UINT64_MAX,
                               .inside_ns = UINT64_MAX};
    chunk.system_call_edges()[6] = {2, 3, UINT64_MAX, 0, 0, 0, 0, 1, UINT64_MAX, UINT64_MAX, 1, 0};
    const model::Profile profile = profile_of(chunk, 2);
    EXPECT_EQ(profile.system_calls[0].calls, model::max_count);
    EXPECT_EQ(profile.system_calls[0].given_bytes, model::max_count);
}

TEST(RawFile, EntriesThatPointNowhereAreDroppedAndCounted) {
    Chunk chunk = example_chunk();
    chunk.edges()[8] = {0, 2, 0, 1, {1, 0}};
    chunk.edges()[9] = {0, 1, 9, 1, {1, 0}};
    chunk.sequences()[4] = {0, 0, raw::table_sizes[raw::targets].first - 1, 2, 0, 1, 0, {1, 0}};
    chunk.nestings()[6] = {0, 0, 0, raw::opaque_bit | 1, 1, 1, 0, 1, {1, 0}};
    chunk.targets()[1].function = 3;
    const auto file = read_raw_file(chunk.bytes());
    ASSERT_TRUE(file);
    EXPECT_EQ(file->dropped, 5u);
    EXPECT_EQ(file->edges.size(), 1u);
    EXPECT_EQ(file->sequences.size(), 0u);
}

TEST(RawFile, UnusedEntriesAreNotThere) {
    Chunk chunk;
    chunk.edges()[8] = {50, 60, 70, 0, {1, 0}};
    const auto file = read_raw_file(chunk.bytes());
    EXPECT_EQ(file->dropped, 0u);
    EXPECT_TRUE(file->edges.empty());
}

TEST(BuildProfile, NamesEventsListsSymbolsAndKeepsOnlyThoseThatRan) {
    const model::Profile profile = profile_of(example_chunk());
    ASSERT_EQ(profile.events.size(), 2u);
    EXPECT_EQ(profile.events[0].name, "A");
    EXPECT_EQ(profile.events[0].binding_changes, 3u);
    EXPECT_EQ(profile.events[1].name, "a.cc:12 fire");
    EXPECT_EQ(profile.events[1].kind, model::SiteKind::list);
    std::vector<std::string> names;
    for (const model::Symbol &symbol : profile.symbols)
        names.push_back(symbol.name);
    EXPECT_EQ(names, (std::vector<std::string>{"f", "v", "puts"}));
    EXPECT_FALSE(profile.symbols[2].has_body);
    ASSERT_EQ(profile.sequences.size(), 1u);
    EXPECT_EQ(profile.sequences[0].targets, (std::vector<model::Target>{{0, 1, 8, 0}, {2, model::none, 0, 1}}));
    ASSERT_EQ(profile.nestings.size(), 1u);
    EXPECT_EQ(profile.nestings[0].handler, 0u);
}

TEST(BuildProfile, OfWhatWasNotedInFullAllCountsAreExact) {
    const model::Profile profile = profile_of(example_chunk());
    EXPECT_EQ(profile.coverage.dispatches, 24u);
    EXPECT_EQ(profile.coverage.recorded, 24u);
    EXPECT_EQ(profile.events[0].raises, 12u);
    EXPECT_EQ(profile.edges[0].weight, 12u);
    EXPECT_EQ(profile.sequences[0].count, 12u);
    EXPECT_EQ(profile.nestings[0].count, 12u);
    EXPECT_EQ(profile.events[0].error + profile.edges[0].error + profile.sequences[0].error, 0u);
}

// Of the list 1,000 dispatches passed unnoted, of which samples were attributed 900.
Chunk sampled_chunk() {
    Chunk chunk = example_chunk();
    chunk.slots()[1] = {24, 2, 1024, 900, 9 * 100.0 * 100.0};
    chunk.raises()[5].count[raw::estimated] = 900;
    chunk.header().target_count = 3;
    chunk.targets()[2] = {0, raw::none, 0, 0, 0};
    chunk.sequences()[4] = {1, 1, 2, 1, 0, 1, 98, {9, 600}};
    chunk.sequences()[5] = {1, 1, 0, 0, 0, 1, 97, {3, 300}};
    return chunk;
}

TEST(BuildProfile, AListsDispatchesAreCountedAndWhatTheyRanIsEstimated) {
    const model::Profile profile = profile_of(sampled_chunk());
    EXPECT_EQ(profile.coverage.dispatches, 1024u);
    EXPECT_EQ(profile.events[1].raises, 12u + 1000u);
    EXPECT_EQ(profile.events[1].error, 0u) << "each dispatch at its site is its own";
    ASSERT_EQ(profile.sequences.size(), 3u);
    const auto found = [&](size_t targets) {
        for (const model::Sequence &one : profile.sequences)
            if (one.event == 1 && one.targets.size() == targets)
                return one;
        return model::Sequence{};
    };
    EXPECT_NEAR(static_cast<double>(found(1).count), 9 + 600 + 100 * 609 / 912.0, 1);
    EXPECT_NEAR(static_cast<double>(found(0).count), 3 + 300 + 100 * 303 / 912.0, 1);
    EXPECT_EQ(found(0).count + found(1).count, 1012u);
    // Ten samples of 100 each: Wilson's interval for a third at three standard errors.
    EXPECT_NEAR(static_cast<double>(found(0).error), error_of_share(1000, 1 / 3.0, 10), 2);
}

TEST(BuildProfile, WhatPassedInASlotIsSharedOutAmongTheEventsThatWereNotedThere) {
    Chunk chunk = example_chunk();
    chunk.header().event_count = 3;
    chunk.events()[2] = {0, 0, 1, raw::none, "B"};
    chunk.slots()[0] = {0, 1, 2000, 2000, 20 * 100.0 * 100.0};
    chunk.raises()[2].count[raw::estimated] = 1500;
    chunk.raises()[9] = {2, 0, 0, 1, {4, 500}, {}, {}};
    const model::Profile profile = profile_of(chunk);
    EXPECT_EQ(profile.events[0].raises, 12u + 1500u);
    EXPECT_EQ(profile.events[2].raises, 4u + 500u);
    EXPECT_NEAR(static_cast<double>(profile.events[0].error), error_of_share(2000, 0.75, 20), 2);
    EXPECT_NEAR(static_cast<double>(profile.events[2].error), error_of_share(2000, 0.25, 20), 2);
    EXPECT_GT(profile.events[1].error + 1, 0u);
}

TEST(BuildProfile, EdgesOfSamplesStandForTheOthersThatLeadToTheirEvent) {
    Chunk chunk = sampled_chunk();
    chunk.edges()[7].count[raw::estimated] = 300;
    chunk.edges()[8] = {1, 1, 0, 1, {0, 100}};
    const model::Profile profile = profile_of(chunk);
    ASSERT_EQ(profile.edges.size(), 2u);
    EXPECT_EQ(profile.edges[0].weight + profile.edges[1].weight, 1012u);
    EXPECT_EQ(profile.edges[1].weight, 250u);
    EXPECT_GT(profile.edges[1].error, 0u);
}

TEST(BuildProfile, UnnamedEventsOfOnePlaceAreNumberedInEachProcess) {
    Chunk chunk = example_chunk();
    chunk.header().event_count = 4;
    chunk.events()[2] = {0, 0x1000, 1, raw::none, "a.cc:12"};
    chunk.events()[3] = {0, 0x2000, 1, raw::none, "a.cc:12"};
    Chunk other = chunk;
    other.header().pid = 7;
    other.events()[2].address = 0x5000;
    other.events()[3].address = 0x6000;
    const auto profile = build_profile({*read_raw_file(chunk.bytes()), *read_raw_file(other.bytes())}, example_table(),
                                       {"p", "id", "p x"});
    ASSERT_TRUE(profile);
    ASSERT_EQ(profile->events.size(), 4u);
    EXPECT_EQ(profile->events[2].name, "a.cc:12");
    EXPECT_EQ(profile->events[3].name, "a.cc:12 #2");
}

TEST(Estimate, AnErrorShrinksWithTheSamplesAndIsThereAtShares0And1) {
    EXPECT_EQ(error_of_share(0, 0.5, 10), 0);
    EXPECT_EQ(error_of_share(1000, 0.5, 0), 1000) << "no sample: it may be none or all";
    EXPECT_NEAR(error_of_share(1000, 1, 9), 500, 1) << "9 samples that all agree, z = 3";
    EXPECT_NEAR(error_of_share(1000, 0, 9), 500, 1);
    EXPECT_NEAR(error_of_share(1000, 0.5, 10000), 15, 0.1) << "3 * sqrt(0.25 / 10000)";
    EXPECT_EQ(independent_samples(1000, 10 * 100.0 * 100.0, 0), 10);
    EXPECT_EQ(independent_samples(1000, 0, 1000), 1) << "no sample came";
}

TEST(BuildProfile, ChunksOfSeveralThreadsAddUp) {
    const model::Profile profile = profile_of(example_chunk(), 3);
    EXPECT_EQ(profile.events.size(), 2u);
    EXPECT_EQ(profile.edges.size(), 1u);
    EXPECT_EQ(profile.edges[0].weight, 36u);
    EXPECT_EQ(profile.coverage.threads, 3u);
}

TEST(BuildProfile, ATableWithoutTheSiteLosesItAndSaysSo) {
    Chunk chunk = example_chunk();
    chunk.events()[1].site = 40;
    const model::Profile profile = profile_of(chunk);
    EXPECT_EQ(profile.events.size(), 1u);
    EXPECT_GT(profile.coverage.lost, 0u);
}

TEST(BuildProfile, GuardsOfAllProcessesAddUpByDecision) {
    RawFile file;
    file.header.kind = raw::process_file;
    file.guards = {{9, 9}, {5, 1}, {7, 2}};
    const std::vector<GuardName> names = {{}, {1, "A"}, {2, "B"}};
    const auto profile = build_profile({file, file}, {}, {"p", "", "p"}, names);
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->guards, (std::vector<model::GuardCount>{{1, "A", 10, 2}, {2, "B", 14, 4}}));
    EXPECT_EQ(profile->coverage.processes, 2u);
}

// A counter file of one process with these counters.
std::string counter_file(std::vector<uint64_t> counters, uint32_t told) {
    raw::Header header{};
    header.magic = raw::magic;
    header.version = raw::version;
    header.kind = raw::counter_file;
    header.counter_count = told;
    std::string bytes(raw::counters_offset, '\0');
    std::memcpy(bytes.data(), &header, sizeof header);
    bytes.append(reinterpret_cast<const char *>(counters.data()), counters.size() * sizeof(uint64_t));
    return bytes;
}

TEST(BuildProfile, CountersOfAllProcessesAddUpFunctionByFunction) {
    const auto file = read_raw_file(counter_file({1, 2, 3}, 3));
    ASSERT_TRUE(file) << file.error().message;
    model::SiteTable table;
    table.counted = {{"second", 7, 2}, {"first", 8, 1}};
    const auto profile = build_profile({*file, *file}, table, {"p", "", "p"}, {});
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->counts, (std::vector<model::FunctionCounts>{{"first", 8, {6}}, {"second", 7, {2, 4}}}));
    EXPECT_EQ(profile->coverage.processes, 0u);
}

TEST(BuildProfile, TargetsOfCallsAddUpByTheNamesThatLlvmKnowsThemBy) {
    raw::Call call{};
    call.targets[0] = {0x1000, 1, 5};
    call.targets[1] = {0x2000, 3, 4};  // a variable
    call.targets[2] = {0x3000, 9, 3};  // beyond the list
    call.targets[3] = {0x4000, 2, 2};
    call.others = 1;
    std::vector<uint64_t> words = {7, 8};
    words.resize(2 + 2 * raw::words_of_call);
    std::memcpy(&words[2 + raw::words_of_call], &call, sizeof call);
    const auto file = read_raw_file(counter_file(words, static_cast<uint32_t>(words.size())));
    ASSERT_TRUE(file) << file.error().message;
    model::SiteTable table;
    table.symbols.resize(3);
    for (size_t i = 0; i < 3; ++i)
        table.symbols[i].name = std::array{"first", "second", "table"}[i];
    table.counted = {{"a.c;first", 7, 1, 1}, {"second", 8, 1, 1}};
    model::SiteTable odd = table;
    odd.symbols[0].name = odd.counted[0].name = "#first";
    EXPECT_TRUE(build_profile({*file}, odd, {"p", "", "p"}, {})) << "a name that LLVM's text can't hold";
    const auto profile = build_profile({*file, *file}, table, {"p", "", "p"}, {});
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->counts,
              (std::vector<model::FunctionCounts>{
                  {"a.c;first", 7, {14}, {{}}}, {"second", 8, {16}, {{{"", 16}, {"a.c;first", 10}, {"second", 4}}}}}));
}

TEST(BuildProfile, SizesOfMemoryOperationsLieBehindTheCallsOfTheirFunctionAndAddUp) {
    const size_t first = 2 + raw::words_of_call;
    std::vector<uint64_t> words(first + 2 * raw::words_of_memory_operation);
    words[first + 8] = 5;
    words[first + 9] = 1;
    words[first + raw::words_of_memory_operation + 21] = INT64_MAX;
    const auto file = read_raw_file(counter_file(words, static_cast<uint32_t>(words.size())));
    ASSERT_TRUE(file) << file.error().message;
    model::SiteTable table;
    table.counted = {{"first", 7, 1, 1, 1}, {"second", 8, 1, 0, 1}};
    const auto profile = build_profile({*file, *file}, table, {"p", "", "p"}, {});
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->counts, (std::vector<model::FunctionCounts>{{"first", 7, {0}, {{}}, {{{8, 10}, {9, 2}}}},
                                                                   {"second", 8, {0}, {}, {{{513, INT64_MAX}}}}}));
    // One that ends too early has what is there.
    words.resize(first + 1);
    const auto shorter = read_raw_file(counter_file(words, static_cast<uint32_t>(words.size())));
    ASSERT_TRUE(shorter) << shorter.error().message;
    const auto some = build_profile({*shorter}, table, {"p", "", "p"}, {});
    ASSERT_TRUE(some);
    EXPECT_EQ(some->counts[0].memory_sites, std::vector<std::vector<model::MemorySize>>(1));
}

TEST(BuildProfile, WithoutCountersThereAreNoCountsOfZero) {
    model::SiteTable table;
    table.counted = {{"f", 7, 2}};
    const auto profile = build_profile({}, table, {"p", "", "p"}, {});
    ASSERT_TRUE(profile);
    EXPECT_TRUE(profile->counts.empty());
}

// Parts as the recorder puts them there; one that is null was dropped.
std::string reserve_with(const std::vector<std::string> &parts) {
    raw::Reserve reserve{};
    reserve.header.magic = raw::magic;
    reserve.header.version = raw::version;
    reserve.header.kind = raw::reserve_file;
    std::string bytes(raw::reserve_page, '\0');
    const auto fill_page = [&] {
        bytes.resize((bytes.size() + raw::reserve_page - 1) / raw::reserve_page * raw::reserve_page);
    };
    for (const std::string &part : parts) {
        const uint64_t size = part.size();
        bytes.append(reinterpret_cast<const char *>(&size), sizeof size);
        fill_page();
        bytes += part;
        fill_page();
    }
    reserve.used = bytes.size();
    std::memcpy(bytes.data(), &reserve, sizeof reserve);
    return bytes;
}

TEST(Reserve, HoldsTheFilesThatAreReady) {
    const std::string chunk = example_chunk().bytes();
    const std::string dropped(chunk.size(), '\0');
    const std::string bytes = reserve_with({chunk, dropped, counter_file({1, 2}, 2)});
    const std::vector<std::string_view> files = raw_files_in(bytes);
    ASSERT_EQ(files.size(), 2u);
    EXPECT_EQ(files[0], chunk);
    EXPECT_TRUE(read_raw_file(files[0]));
    EXPECT_TRUE(read_raw_file(files[1]));
    EXPECT_EQ(used_of_reserve(bytes.substr(0, raw::reserve_page)), bytes.size());
    EXPECT_EQ(used_of_reserve(chunk), std::nullopt);
}

TEST(Reserve, IsReadNoFurtherThanItIsUsedNorThanItGoes) {
    const std::string chunk = example_chunk().bytes();
    std::string bytes = reserve_with({chunk, chunk});
    EXPECT_EQ(raw_files_in(std::string_view(bytes).substr(0, bytes.size() - raw::reserve_page)).size(), 1u);
    const uint64_t far = UINT64_MAX;
    std::memcpy(bytes.data() + offsetof(raw::Reserve, used), &far, sizeof far);
    EXPECT_EQ(raw_files_in(bytes).size(), 2u);
    EXPECT_EQ(used_of_reserve(bytes), raw::reserve_size);
    std::memcpy(bytes.data() + raw::reserve_page, &far, sizeof far);
    EXPECT_TRUE(raw_files_in(bytes).empty());
}

TEST(Reserve, IsNoneOfAnotherVersionNorAnotherKindOfFile) {
    const std::string chunk = example_chunk().bytes();
    EXPECT_EQ(raw_files_in(chunk), std::vector<std::string_view>{chunk});
    std::string bytes = reserve_with({chunk});
    bytes[offsetof(raw::Header, version)] = 1;
    EXPECT_EQ(raw_files_in(bytes).size(), 1u);
    EXPECT_FALSE(read_raw_file(raw_files_in(bytes)[0]));
}

TEST(RawFile, OfFewerCountersThanItTellsIsRefused) {
    EXPECT_FALSE(read_raw_file(counter_file({1, 2, 3}, 4)));
    EXPECT_FALSE(read_raw_file(counter_file({}, 3).substr(0, sizeof(raw::Header))));
}

}  // namespace
}  // namespace thalweg::record
