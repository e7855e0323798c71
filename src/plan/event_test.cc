// plan: decisions and refusals for profiles made by hand, and what holds for those of any profile.
#include "plan/event.h"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "abi/raw_format.h"
#include "model/arbitrary_test.h"
#include "plan/event_shapes.h"

namespace thalweg::plan {
namespace {

namespace arbitrary = model::arbitrary;
using model::Decision;
using model::DecisionKind;
using model::Nesting;
using model::none;
using model::Plan;
using model::Profile;
using model::RaiseMode;
using model::SiteKind;
using model::Verdict;
using testing::HasSubstr;

// The graphs as the graph room would give them for these profiles; this room knows that room's values, not its code.
model::Graphs graphs_of(const Profile &profile, bool chain = false) {
    model::Graphs graphs;
    graphs.reduced = {static_cast<uint32_t>(profile.events.size()), profile.edges};
    std::sort(graphs.reduced.edges.begin(), graphs.reduced.edges.end());
    for (uint32_t i = 0; i < profile.nestings.size(); ++i) {
        const Nesting &nesting = profile.nestings[i];
        uint64_t ran = 0;
        for (const model::Sequence &sequence : profile.sequences)
            if (sequence.site == nesting.parent_site && sequence.event == nesting.parent_event &&
                nesting.position < sequence.targets.size() &&
                sequence.targets[nesting.position].function == nesting.handler)
                ran = saturating_add(ran, sequence.count);
        if (nesting.mode == RaiseMode::sync && nesting.count > 0)
            graphs.subsumptions.push_back({i, ran, 1, chain});
    }
    return graphs;
}

Plan plan_of(const Profile &profile, const Bounds &bounds = {}, bool chain = false) {
    return plan_events(profile, graphs_of(profile, chain), {}, bounds);
}

// Events 0, 1, ... with their own sites 0, 1, ...; event i runs `handlers` handlers, count times.
class Program {
  public:
    explicit Program(uint32_t events, uint32_t handlers = 2, uint64_t count = 10000) {
        for (uint32_t i = 0; i < events; ++i) {
            profile.sites.push_back({fmt::format("raise_{}", i), 0, 7, SiteKind::event, {"a.cc", i, 1}});
            profile.events.push_back({fmt::format("E{}", i), SiteKind::event, count, 0});
            profile.sequences.push_back({i, i, {}, false, count});
            for (uint32_t h = 0; h < handlers; ++h) {
                profile.sequences.back().targets.push_back({static_cast<uint32_t>(profile.symbols.size())});
                profile.symbols.push_back({fmt::format("h{}_{}", i, h), true, true, 5, 30, {}});
            }
        }
        profile.instructions = 100000;
    }
    // Handler number `position` of `parent` raises `child` every time.
    Program &nest(uint32_t parent, uint32_t position, uint32_t child, RaiseMode mode = RaiseMode::sync) {
        const model::Sequence &outer = profile.sequences[parent];
        uint32_t handler = outer.targets[position].function;
        profile.nestings.push_back({parent, parent, position, handler, child, child, mode, outer.count});
        return *this;
    }
    Profile profile;
};

std::string refusal(const Plan &plan, size_t decision = 0) {
    return plan.decisions.at(decision).verdict == Verdict::apply ? "applied" : plan.decisions[decision].refusal;
}

TEST(PlanEvents, merges_the_handlers_of_an_event_that_always_runs_the_same) {
    Plan plan = plan_of(Program(1, 4).profile);
    ASSERT_EQ(plan.decisions.size(), 1u);
    const Decision &decision = plan.decisions[0];
    EXPECT_EQ(refusal(plan), "applied");
    EXPECT_EQ(decision.kind(), DecisionKind::merge);
    EXPECT_EQ(decision.targets().size(), 4u);
    EXPECT_EQ(decision.targets()[3].function, "h0_3");
    EXPECT_EQ(decision.weight, 10000u);
    EXPECT_EQ(decision.share, 1.0);
    EXPECT_NEAR(decision.predicted_gain_ns, 4 * 2.4 + 4 * 0.55 - 0.9, 0.001);
    EXPECT_EQ(decision.growth_instructions, 4 * (30 + target_overhead_instructions));
    EXPECT_THAT(decision.guard, HasSubstr("path word"));
    EXPECT_THAT(decision.reason, HasSubstr("4 handlers ran in this order in 100.0 % of 10,000 dispatches"));
    EXPECT_TRUE(model::validate(plan));
}

TEST(PlanEvents, merges_an_event_with_a_single_handler_too) {
    EXPECT_EQ(refusal(plan_of(Program(1, 1).profile)), "applied");
}

TEST(PlanEvents, compares_each_pointer_of_a_list_that_is_not_ours) {
    Program program(1);
    program.profile.sites[0].kind = SiteKind::list;
    Plan plan = plan_of(program.profile);
    EXPECT_EQ(refusal(plan), "applied");
    EXPECT_THAT(plan.decisions[0].guard, HasSubstr("the pointer is the recorded one"));
    EXPECT_NEAR(plan.decisions[0].predicted_gain_ns, 2 * 2.4 + 2 * 0.55 - 2 * 0.5, 0.001);
}

TEST(PlanEvents, offers_frequent_alternatives_in_the_order_of_their_weights) {
    Program program(1);
    Profile &profile = program.profile;
    profile.sequences[0].count = 3000;
    profile.sequences.push_back({0, 0, {{1}, {0}}, false, 6000});
    profile.sequences.push_back({0, 0, {{1}}, false, 1000});
    Plan plan = plan_of(profile);
    ASSERT_EQ(plan.decisions.size(), 2u);
    EXPECT_EQ(plan.decisions[0].alternative, 0u);
    EXPECT_EQ(plan.decisions[0].weight, 6000u);
    EXPECT_EQ(plan.decisions[1].alternative, 1u);
    EXPECT_EQ(plan.decisions[1].share, 0.3);
    EXPECT_THAT(plan.decisions[1].reason, HasSubstr("3 different orders were seen"));
}

TEST(PlanEvents, keeps_events_apart_that_are_raised_at_one_place) {
    Program program(2);
    program.profile.sequences[1].site = 0;
    program.profile.sequences[1].count = 500;
    Plan plan = plan_of(program.profile);
    ASSERT_EQ(plan.decisions.size(), 2u);
    EXPECT_EQ(plan.decisions[1].event, "E1");
    EXPECT_EQ(plan.decisions[1].share, 1.0);
    EXPECT_EQ(refusal(plan, 1), "applied");
}

TEST(PlanEvents, names_a_context_only_where_it_was_always_the_same) {
    Program program(1);
    Profile &profile = program.profile;
    profile.symbols.push_back({"state", false, true, 0, 0, {}});
    profile.symbols.push_back({"other", false, true, 0, 0, {}});
    profile.sequences = {{0, 0, {{0, 2, 8}, {1, 2, 0}}, false, 6000}, {0, 0, {{0, 2, 8}, {1, 3, 0}}, false, 4000}};
    Plan plan = plan_of(profile);
    ASSERT_EQ(plan.decisions.size(), 1u);
    EXPECT_EQ(plan.decisions[0].share, 1.0);
    EXPECT_EQ(plan.decisions[0].targets()[0], (model::PlannedTarget{"h0_0", "state", 8, 0}));
    EXPECT_EQ(plan.decisions[0].targets()[1], (model::PlannedTarget{"h0_1", "", 0, 0}));
}

TEST(PlanEvents, tells_handlers_behind_one_thunk_apart_by_their_context) {
    Program program(1);
    program.profile.sequences = {{0, 0, {{0, 1, 0}}, false, 6000}, {0, 0, {{0, 0, 0}}, false, 4000}};
    Plan plan = plan_of(program.profile);
    ASSERT_EQ(plan.decisions.size(), 2u);
    EXPECT_EQ(plan.decisions[0].targets()[0].context, "h0_1");
    EXPECT_EQ(plan.decisions[1].targets()[0].context, "h0_0");
}

TEST(PlanEvents, takes_in_what_a_handler_raises_and_marks_a_chain) {
    Plan plan = plan_of(Program(2, 4).nest(0, 2, 1).profile, {}, true);
    ASSERT_EQ(plan.decisions.size(), 3u);
    const Decision &child = plan.decisions[2];
    const auto &inside = std::get<model::Subsume>(child.work);
    EXPECT_EQ(child.parent, 1u);
    EXPECT_EQ(inside.position, 2u);
    EXPECT_TRUE(inside.chain);
    EXPECT_EQ(child.weight, 10000u);
    EXPECT_EQ(refusal(plan, 2), "applied");
    EXPECT_THAT(child.reason, HasSubstr("form an event chain"));
    // The line stands there with and without what was taken in.
    EXPECT_EQ(child.growth_instructions, 2 * 4 * (30 + target_overhead_instructions));
    // The event's own line stays, for when the guard fails; it gains nothing as long as it holds.
    EXPECT_EQ(plan.decisions[1].predicted_gain_total_ms, 0);
    EXPECT_THAT(plan.decisions[1].reason, HasSubstr("10000 of them are taken into other super-handlers"));
}

TEST(PlanEvents, follows_chains_of_five_events_and_more) {
    Program program(6);
    for (uint32_t i = 0; i < 5; ++i)
        program.nest(i, 1, i + 1);
    Plan plan = plan_of(program.profile);
    std::map<uint32_t, const Decision *> by_id;
    for (const Decision &decision : plan.decisions)
        by_id[decision.id] = &decision;
    size_t deepest = 0;
    for (const Decision &decision : plan.decisions) {
        EXPECT_EQ(decision.verdict, Verdict::apply) << decision.id << decision.reason;
        size_t depth = 0;
        for (const Decision *at = &decision; at->parent != 0; at = by_id.at(at->parent))
            ++depth;
        deepest = std::max(deepest, depth);
    }
    EXPECT_EQ(deepest, 5u);
    EXPECT_EQ(plan.decisions.size(), 6u + 5 + 4 + 3 + 2 + 1);
}

TEST(PlanEvents, counts_each_dispatch_of_a_chain_once_in_what_it_gains) {
    Program program(5);
    for (uint32_t i = 0; i < 4; ++i)
        program.nest(i, 1, i + 1);
    double total = 0;
    for (const Decision &decision : plan_of(program.profile).decisions)
        total += decision.predicted_gain_total_ms;
    const double head = 10000 * (2 * 2.4 + 2 * 0.55 - 0.9) / 1e6, inside = 10000 * (2 * 2.4 + 2 * 0.55 + 1.0) / 1e6;
    EXPECT_NEAR(total, head + 4 * inside, 0.005);
}

TEST(PlanEvents, counts_what_a_ring_of_events_gains_once) {
    double total = 0;
    for (const Decision &decision : plan_of(Program(2).nest(0, 0, 1).nest(1, 0, 0).profile).decisions)
        total += decision.predicted_gain_total_ms;
    EXPECT_LE(total, 20000 * (2 * 2.4 + 2 * 0.55 + 1.0) / 1e6);
    EXPECT_GT(total, 0);
}

TEST(PlanEvents, weighs_what_is_raised_inside_by_how_often_that_parent_ran) {
    Program program(2);
    Profile &profile = program.nest(0, 0, 1).profile;
    profile.sequences.push_back({0, 0, {{0}}, false, 30000});  // the same handler runs first in another order too
    profile.nestings[0].count = 20000;                         // in half of all its runs it raises E1
    Plan plan = plan_of(profile);
    for (const Decision &decision : plan.decisions)
        if (decision.kind() == DecisionKind::subsume)
            EXPECT_EQ(decision.weight, plan.decisions[decision.parent - 1].weight / 2);
}

TEST(PlanEvents, refuses_what_is_raised_asynchronously_or_with_a_delay) {
    EXPECT_EQ(refusal(plan_of(Program(2).nest(0, 0, 1, RaiseMode::async).profile), 2), "asynchronous-edge");
    EXPECT_EQ(refusal(plan_of(Program(2).nest(0, 0, 1, RaiseMode::timed).profile), 2), "timed-edge");
}

TEST(PlanEvents, says_where_the_event_graph_leads_on_asynchronously) {
    Program program(2);
    program.profile.edges = {{0, 1, RaiseMode::async, 900}, {1, 0, RaiseMode::external, 900}};
    Plan plan = plan_of(program.profile);
    ASSERT_EQ(plan.decisions.size(), 3u);
    EXPECT_EQ(refusal(plan, 2), "asynchronous-edge");
    EXPECT_THAT(plan.decisions[2].reason, HasSubstr("E1 came right after E0 900 times"));
}

TEST(PlanEvents, takes_a_recursive_raise_in_once) {
    Plan plan = plan_of(Program(2).nest(0, 0, 1).nest(1, 0, 0).profile);
    size_t recursive = 0;
    for (const Decision &decision : plan.decisions)
        recursive += decision.refusal == "recursive" ? 1 : 0;
    EXPECT_EQ(recursive, 2u);
    EXPECT_EQ(plan.decisions.size(), 6u);
}

// ---- refusals: each with the neighbour that is not refused ----

TEST(Refusal, handler_rebinds_when_bindings_change_more_than_once_in_ten_raises) {
    Program program(1);
    program.profile.events[0].binding_changes = 1000;
    EXPECT_EQ(refusal(plan_of(program.profile)), "applied");
    program.profile.events[0].binding_changes = 1001;
    EXPECT_EQ(refusal(plan_of(program.profile)), "handler-rebinds");
}

TEST(Refusal, too_cold_when_less_is_saved_than_loading_the_code_costs) {
    // 2 handlers save 5 ns a dispatch; 84 instructions cost 462 ns.
    EXPECT_EQ(refusal(plan_of(Program(1, 2, 95).profile)), "applied");
    EXPECT_EQ(refusal(plan_of(Program(1, 2, 90).profile)), "too-cold");
}

TEST(PlanEvents, says_where_the_error_of_an_estimate_could_turn_a_verdict) {
    const auto reason = [](uint64_t count, uint64_t error, Bounds bounds) {
        Program program(1, 2, count);
        program.profile.sequences[0].error = error;
        return plan_of(program.profile, bounds).decisions[0].reason;
    };
    const Bounds bounds{.eta = 5000};
    EXPECT_THAT(reason(6000, 2000, bounds), HasSubstr("may be off by 2000, which would turn this verdict"));
    EXPECT_THAT(reason(4000, 2000, bounds), HasSubstr("may be off by 2000, which would turn this verdict"));
    EXPECT_THAT(reason(4000, model::unknown_error, bounds), HasSubstr("nobody said how far"));
    EXPECT_THAT(reason(8000, 2000, bounds), testing::Not(HasSubstr("turn this verdict")));
    EXPECT_THAT(reason(6000, 0, bounds), testing::Not(HasSubstr("turn this verdict")));
}

TEST(Refusal, too_cold_below_the_eta_that_the_user_names) {
    EXPECT_EQ(refusal(plan_of(Program(1).profile, {.eta = 10000})), "applied");
    EXPECT_EQ(refusal(plan_of(Program(1).profile, {.eta = 10001})), "too-cold");
}

TEST(Refusal, too_large_beyond_the_growth_that_the_user_allows) {
    Program program(2);  // two decisions of 84 instructions each, in a program of 100,000
    Plan both = plan_of(program.profile, {.max_growth_percent = 0.168});
    EXPECT_EQ(refusal(both, 1), "applied");
    Plan one = plan_of(program.profile, {.max_growth_percent = 0.167});
    EXPECT_EQ(refusal(one, 0), "applied");
    EXPECT_EQ(refusal(one, 1), "too-large");
    EXPECT_THAT(one.decisions[1].reason, HasSubstr("the bound is 167 (100000 in the program)"));
    program.profile.instructions = 0;  // not recorded: four handlers of 30 instructions are what is known
    EXPECT_THAT(plan_of(program.profile, {.max_growth_percent = 50}).decisions[0].reason,
                HasSubstr("the bound is 60 (120 in its handlers"));
}

TEST(Refusal, too_large_for_a_list_longer_than_a_straight_line_may_be) {
    EXPECT_EQ(refusal(plan_of(Program(1, raw::targets_per_sequence).profile)), "applied");
    EXPECT_EQ(refusal(plan_of(Program(1, raw::targets_per_sequence + 1).profile)), "too-large");
}

TEST(Refusal, opaque_code_when_a_handler_is_no_function_of_the_program) {
    Program program(1);
    program.profile.sequences[0].targets[1].function = none;
    EXPECT_EQ(refusal(plan_of(program.profile)), "opaque-code");
}

TEST(Refusal, not_for_a_handler_without_a_body_which_is_called_directly) {
    Program program(1);
    program.profile.symbols[1].has_body = false;
    Plan plan = plan_of(program.profile);
    EXPECT_EQ(refusal(plan), "applied");
    EXPECT_THAT(plan.decisions[0].reason, HasSubstr("1 handler called only"));
    EXPECT_EQ(plan.decisions[0].growth_instructions, 30 + 2 * target_overhead_instructions);
}

TEST(Refusal, opaque_code_for_what_is_raised_inside_a_handler_without_a_body) {
    Program program(2);
    program.nest(0, 1, 1).profile.symbols[1].has_body = false;
    Plan plan = plan_of(program.profile);
    EXPECT_EQ(refusal(plan, 2), "opaque-code");
    EXPECT_THAT(plan.decisions[2].reason, HasSubstr("h0_1, has no body"));
}

TEST(Refusal, unpredictable_when_no_order_is_frequent_enough) {
    Program program(1, 6);
    Profile &profile = program.profile;
    profile.sequences.clear();
    for (uint32_t i = 0; i < 6; ++i)
        profile.sequences.push_back({0, 0, {{i}, {(i + 1) % 6}}, false, 1000});
    EXPECT_EQ(refusal(plan_of(profile)), "unpredictable");
    EXPECT_EQ(plan_of(profile).decisions.size(), 1u);
    EXPECT_EQ(refusal(plan_of(profile, {.min_share = 0.16})), "applied");
}

TEST(Refusal, truncated_when_the_recorder_kept_only_the_beginning) {
    Program program(1);
    program.profile.sequences[0].truncated = true;
    EXPECT_EQ(refusal(plan_of(program.profile)), "truncated");
}

TEST(Refusal, body_changed_when_the_profile_knows_two_bodies_of_the_function) {
    Program program(1);
    program.profile.sites.push_back(program.profile.sites[0]);
    EXPECT_EQ(refusal(plan_of(program.profile)), "applied");
    program.profile.sites.back().body_hash = 8;
    EXPECT_EQ(refusal(plan_of(program.profile)), "body-changed");
}

TEST(Refusal, body_changed_is_not_what_a_system_call_of_the_function_shows) {
    Program program(1, 2);
    program.profile.sites.push_back(program.profile.sites.front());
    program.profile.sites.back().body_hash = 8;
    program.profile.sites.back().kind = model::SiteKind::call;
    program.profile.sites.back().callee = "read";
    EXPECT_EQ(refusal(plan_of(program.profile)), "applied");
}

TEST(Refusal, no_handlers_when_nothing_was_bound) {
    Program program(1);
    program.profile.sequences[0].targets.clear();
    EXPECT_EQ(refusal(plan_of(program.profile)), "no-handlers");
}

// As LLVM's promotion has it: once it is counted, and where the loop calls nothing else and hands over nothing.
TEST(PlanEvents, takes_no_loop_over_one_function_for_a_list) {
    Program program(1, 3);
    program.profile.sites[0].kind = SiteKind::list;
    for (model::Target &target : program.profile.sequences[0].targets)
        target.function = 0;
    EXPECT_EQ(refusal(plan_of(program.profile)), "applied") << "nothing was counted: nothing is promoted";
    program.profile.counts = {{"main", 1, {1}}};
    EXPECT_EQ(refusal(plan_of(program.profile)), "one-function");
    program.profile.sequences[0].targets[2].context = 1;
    EXPECT_EQ(refusal(plan_of(program.profile)), "applied") << "one has an object";
    for (model::Target &target : program.profile.sequences[0].targets)
        target.context = 1;
    EXPECT_EQ(refusal(plan_of(program.profile)), "one-function") << "all have the same";
    program.profile.sequences[0].targets[1].context_offset = 8;
    EXPECT_EQ(refusal(plan_of(program.profile)), "applied") << "one has another part of it";
    program.profile.sequences[0].targets[1].context_offset = 0;
    program.profile.sequences[0].targets[1].function = 1;
    EXPECT_EQ(refusal(plan_of(program.profile)), "applied") << "one is of another function";
}

// ---- what holds for any profile ----

TEST(PlanEvents, of_any_profile_is_valid_explained_and_the_same_twice) {
    EXPECT_TRUE(rc::check([] {
        Profile profile = arbitrary::profile();
        Bounds bounds{.eta = arbitrary::below(100), .min_share = arbitrary::below(100) / 100.0};
        if (arbitrary::small() == 0)
            bounds.max_growth_percent = arbitrary::below(100);
        Plan plan = plan_of(profile, bounds);
        RC_ASSERT(bool(model::validate(plan)));
        RC_ASSERT(model::write_plan(plan) == model::write_plan(plan_of(profile, bounds)));
        for (size_t i = 0; i < plan.decisions.size(); ++i) {
            const Decision &decision = plan.decisions[i];
            RC_ASSERT(decision.id == i + 1);
            RC_ASSERT(decision.parent < decision.id);
            RC_ASSERT(!decision.reason.empty());
            RC_ASSERT(!decision.guard.empty());
            RC_ASSERT((decision.verdict == Verdict::refuse) == !decision.refusal.empty());
            if (decision.parent != 0)
                RC_ASSERT(plan.decisions[decision.parent - 1].verdict == Verdict::apply);
        }
    }));
}

TEST(PlanEvents, speaks_of_every_event_at_every_place) {
    EXPECT_TRUE(rc::check([] {
        Profile profile = arbitrary::profile();
        Plan plan = plan_of(profile);
        for (const model::Sequence &sequence : profile.sequences) {
            if (sequence.count == 0)
                continue;
            if (!model::is_of_handlers(profile.sites[sequence.site].kind)) {
                RC_ASSERT(std::none_of(plan.decisions.begin(), plan.decisions.end(), [&](const Decision &decision) {
                    return decision.site == profile.sites[sequence.site];
                }));
                continue;
            }
            RC_ASSERT(std::any_of(plan.decisions.begin(), plan.decisions.end(), [&](const Decision &decision) {
                return decision.site == profile.sites[sequence.site] &&
                       decision.event == profile.events[sequence.event].name;
            }));
        }
    }));
}

TEST(PlanEvents, never_grows_beyond_the_bound) {
    EXPECT_TRUE(rc::check([] {
        Profile profile = arbitrary::profile();
        uint64_t percent = arbitrary::below(50);
        Plan plan = plan_of(profile, {.max_growth_percent = static_cast<double>(percent)});
        uint64_t instructions = profile.instructions;
        for (const model::Symbol &symbol : profile.symbols)
            if (profile.instructions == 0 && symbol.is_function)
                instructions += symbol.instructions;
        RC_ASSERT(growth_of(plan) * 100 <= instructions * percent);
    }));
}

TEST(GrowthOf, counts_a_layer_inside_another_only_where_that_one_is_not_made) {
    Plan plan;
    plan.decisions.resize(3);
    for (uint32_t i = 0; i < 3; ++i) {
        plan.decisions[i].id = i + 1;
        plan.decisions[i].work = model::Specialize{};
        plan.decisions[i].growth_instructions = std::vector<uint32_t>{1, 20, 300}[i];
    }
    plan.decisions[1].parent = 1;
    EXPECT_EQ(growth_of(plan), 301);
    plan.decisions[0].verdict = model::Verdict::refuse;
    EXPECT_EQ(growth_of(plan), 320) << "refused by hand";
    plan.decisions.erase(plan.decisions.begin());
    EXPECT_EQ(growth_of(plan), 320) << "taken out by hand";
    plan.decisions[0].verdict = model::Verdict::refuse;
    EXPECT_EQ(growth_of(plan), 300);
}

TEST(GrowthOf, counts_what_a_merged_line_takes_in_beside_it) {
    Plan plan;
    plan.decisions.resize(2);
    plan.decisions[0].id = 1;
    plan.decisions[0].growth_instructions = 10;
    plan.decisions[1].id = 2;
    plan.decisions[1].work = model::Subsume{};
    plan.decisions[1].parent = 1;
    plan.decisions[1].growth_instructions = 5;
    EXPECT_EQ(growth_of(plan), 15);
}

TEST(PlanEvents, of_a_hostile_profile_ends) {
    // Every event raises every event, each handler all of them: trees without end.
    Program program(12, 8, 1000000);
    for (uint32_t parent = 0; parent < 12; ++parent)
        for (uint32_t position = 0; position < 8; ++position)
            for (uint32_t child = 0; child < 12; ++child)
                program.nest(parent, position, child);
    program.profile.instructions = 1ull << 60;
    Plan plan = plan_of(program.profile);
    EXPECT_EQ(plan.decisions.size(), max_decisions + 1);
    EXPECT_THAT(plan.decisions.back().reason, HasSubstr("lighter ones are left out"));
    EXPECT_TRUE(model::validate(plan));
}

} // namespace
} // namespace thalweg::plan
