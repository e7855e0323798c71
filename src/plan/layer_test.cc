// plan: which functions are specialised, for profiles made by hand.
#include "plan/layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/arbitrary_test.h"

namespace thalweg::plan {
namespace {

using model::FactKind;
using model::none;
using model::NotedFact;
using model::Plan;
using model::Profile;
using model::Steers;
using model::Verdict;
using testing::HasSubstr;

// encode calls one, which calls put through a table and switches on a direction; main enters encode 100,000 times.
Profile layers() {
    Profile profile;
    profile.instructions = 1000;
    profile.symbols = {{"ops", false, true, 0, 0, {}}, {"put", true, true, 4, 9, {}}};
    profile.functions = {{{"encode", 1, 40, {"e.c", 4, 0}, {1}}, 100000},
                         {{"one", 2, 60, {"o.c", 8, 0}, {}}, 2000000},
                         {{"put", 4, 9, {}, {}}, 0}};
    profile.facts = {
        {0, FactKind::argument, 1, 4, Steers::branch, {}, 100, false, {{none, 5, 100}}},
        {1, FactKind::argument, 0, 8, Steers::call, {}, 100, true, {}},
        {1, FactKind::load, 0, 4, Steers::choice, {"o.c", 9, 1}, 100, false, {{none, 0, 3}, {none, 1, 97}}},
        {1, FactKind::load, 1, 8, Steers::call, {"o.c", 9, 2}, 100, false, {{0, 0, 100}}},
        {1, FactKind::load, 2, 8, Steers::call, {"o.c", 9, 2}, 100, false, {{1, 0, 100}}},
    };
    return profile;
}

Plan whole_plan_of(const Profile &profile, const Bounds &bounds = {}) {
    Plan plan;
    plan_layers(profile, {}, bounds, plan);
    EXPECT_TRUE(model::validate(plan));
    return plan;
}

// Without those that are made only where another can't be.
Plan plan_of(const Profile &profile, const Bounds &bounds = {}) {
    Plan plan = whole_plan_of(profile, bounds);
    std::erase_if(plan.decisions, [](const model::Decision &decision) { return decision.parent != 0; });
    return plan;
}

std::string refusal(const Plan &plan) {
    if (plan.decisions.size() != 1)
        return fmt::format("{} decisions", plan.decisions.size());
    return plan.decisions[0].verdict == Verdict::apply ? "applied" : plan.decisions[0].refusal;
}

TEST(Layer, specialises_the_outermost_function_with_what_holds_in_all_that_it_reaches) {
    const Plan plan = plan_of(layers());
    ASSERT_EQ(refusal(plan), "applied");
    const model::Decision &decision = plan.decisions[0];
    EXPECT_EQ(decision.kind(), model::DecisionKind::specialize);
    EXPECT_EQ(decision.site.function, "encode");
    EXPECT_EQ(decision.site.body_hash, 1u);
    EXPECT_EQ(decision.weight, 100000u);
    EXPECT_GT(decision.predicted_gain_ns, 20 * 2.4);
    EXPECT_EQ(decision.growth_instructions, most_times_the_growth * (layer_base_growth + 109 * layer_growth))
        << "the program's bound leaves room";
    ASSERT_EQ(decision.facts().size(), 4u);
    EXPECT_EQ(decision.facts()[0].function, "one");
    EXPECT_EQ(decision.facts()[0].body_hash, 2u);
    EXPECT_EQ(decision.facts()[0].values, (std::vector<model::FactValue>{{"ops", 0}}));
    EXPECT_EQ(decision.facts()[3].kind, FactKind::argument);
    EXPECT_EQ(decision.facts()[2].values, (std::vector<model::FactValue>{{"", 1}, {"", 0}}))
        << "the most frequent value first";
    EXPECT_THAT(decision.reason, HasSubstr("4 generic places in 3 functions"));
}

TEST(Layer, takes_the_only_caller_first_whatever_the_samples_say) {
    Profile profile = layers();
    profile.functions[0].entries = profile.functions[1].entries + 1;
    ASSERT_EQ(refusal(plan_of(profile)), "applied");
    EXPECT_EQ(plan_of(profile).decisions[0].site.function, "encode");
}

TEST(Layer, numbers_go_on_after_those_of_the_plan) {
    Plan plan;
    plan.decisions.push_back({.id = 7, .verdict = Verdict::refuse, .site = {.function = "f"}, .refusal = "too-cold"});
    plan_layers(layers(), {}, {}, plan);
    EXPECT_EQ(plan.decisions.at(1).id, 8u);
}

TEST(Layer, assumes_no_length_and_no_argument_of_a_layer) {
    Profile profile = layers();
    profile.facts[0].values = {{none, 2000, 100}};
    profile.facts[1] = {1, FactKind::argument, 0, 8, Steers::call, {}, 100, false, {{0, 0, 100}}};
    const Plan plan = plan_of(profile);
    ASSERT_EQ(refusal(plan), "applied");
    EXPECT_EQ(plan.decisions[0].facts().size(), 3u);
}

// Flags that layers read again and again; 100,000 entries of the root, 20 of the layer for each.
Profile flags() {
    Profile profile = layers();
    profile.facts = {{1, FactKind::load, 0, 4, Steers::branch, {}, 1000, false, {{none, 1, 1000}}}};
    profile.functions.erase(profile.functions.begin() + 2);
    return profile;
}

// Half of the layer's 60 instructions, at 0.17 ns.
constexpr double left_out_of_one_ns = 30 * 0.17;

TEST(Layer, specialises_for_a_flag_that_is_read_more_often_than_its_root_is_entered) {
    const Plan plan = plan_of(flags());
    ASSERT_EQ(refusal(plan), "applied");
    EXPECT_EQ(plan.decisions[0].site.function, "encode");
    EXPECT_NEAR(plan.decisions[0].predicted_gain_ns, 20 * (0.5 + left_out_of_one_ns) - 0.5, 1e-3);
}

TEST(Layer, a_flag_that_is_read_once_saves_what_it_leaves_out_and_costs_as_much_as_its_test) {
    Profile profile = flags();
    profile.functions[1].entries = profile.functions[0].entries;
    ASSERT_EQ(refusal(plan_of(profile)), "applied");
    EXPECT_NEAR(plan_of(profile).decisions[0].predicted_gain_ns, left_out_of_one_ns, 1e-3);
    profile.functions[1].body.instructions = 0;
    EXPECT_EQ(refusal(plan_of(profile)), "2 decisions");
    for (const model::Decision &decision : plan_of(profile).decisions)
        EXPECT_EQ(decision.refusal, "too-cold");
}

// A loop of main's, entered once, around encode: alternatives. The specialiser knows what each executes.
TEST(Layer, a_loop_around_layers_is_an_alternative_to_them) {
    Profile profile = layers();
    profile.functions.push_back({{"main", 7, 30, {"m.c", 2, 0}, {0}}, 1});
    const Plan plan = whole_plan_of(profile);
    ASSERT_GE(plan.decisions.size(), 2u);
    EXPECT_EQ(plan.decisions[0].site.function, "main");
    EXPECT_EQ(plan.decisions[0].verdict, Verdict::apply);
    EXPECT_EQ(plan.decisions[1].site.function, "encode");
    EXPECT_EQ(plan.decisions[1].verdict, Verdict::apply);
    EXPECT_EQ(plan.decisions[1].parent, plan.decisions[0].id);
}

TEST(Layer, a_loop_that_leads_to_a_part_of_a_layers_entries_is_none) {
    Profile profile = layers();
    profile.functions.push_back({{"main", 7, 30, {"m.c", 2, 0}, {0}}, 1});
    profile.functions.push_back({{"elsewhere", 8, 400000, {}, {0}}, 50});
    const Plan plan = whole_plan_of(profile);
    EXPECT_EQ(plan.decisions[0].site.function, "encode");
    EXPECT_EQ(plan.decisions[0].parent, 0u);
}

// One layer may have all the room that the bound leaves, and no more.
TEST(Layer, what_layers_may_grow_by_is_never_more_than_the_bound) {
    const Plan plan = plan_of(layers(), {.max_growth_percent = 60});
    ASSERT_EQ(refusal(plan), "applied");
    EXPECT_EQ(plan.decisions[0].growth_instructions, 600u);
}

TEST(Layer, a_large_number_is_a_fact_when_it_was_read_often_and_never_changed) {
    Profile profile = layers();
    NotedFact limit{1, FactKind::load, 3, 4, Steers::branch, {}, 1000, false, {{none, 2000, min_notes_of_constant}}};
    profile.facts.push_back(limit);
    EXPECT_EQ(plan_of(profile).decisions[0].facts().size(), 5u);
    profile.facts.back().values[0].count = min_notes_of_constant - 1;
    EXPECT_EQ(plan_of(profile).decisions[0].facts().size(), 4u);
    profile.facts.back().values = {{none, 2000, 1000}, {none, 2001, 1000}};
    EXPECT_EQ(plan_of(profile).decisions[0].facts().size(), 4u);
}

TEST(Layer, makes_a_layer_a_root_of_its_own_when_others_call_it_too) {
    Profile profile = layers();
    profile.functions.push_back({{"elsewhere", 8, 400000, {}, {1}}, 50});
    const Plan plan = plan_of(profile);
    ASSERT_EQ(plan.decisions.size(), 3u);
    EXPECT_EQ(plan.decisions[0].site.function, "encode");
    EXPECT_EQ(plan.decisions[1].site.function, "one");
    EXPECT_EQ(plan.decisions[1].verdict, Verdict::apply);
    EXPECT_EQ(plan.decisions[2].refusal, "too-cold");
}

TEST(Layer, refuses_what_varies) {
    Profile profile = layers();
    profile.functions.erase(profile.functions.begin());
    profile.functions[0].body.calls.clear();
    profile.facts.erase(profile.facts.begin());
    for (NotedFact &fact : profile.facts) {
        fact.function = 0;
        fact.varies = true;
        fact.values.clear();
    }
    const Plan plan = plan_of(profile);
    EXPECT_EQ(refusal(plan), "varies");
    EXPECT_THAT(plan.decisions[0].reason, HasSubstr("4 of its 4 generic places"));
}

TEST(Layer, refuses_what_is_too_cold) {
    Profile profile = layers();
    profile.functions[0].entries = 3;
    profile.functions[1].entries = 0;
    EXPECT_EQ(refusal(plan_of(profile)), "too-cold");
    profile = layers();
    profile.functions[1].entries = 0;
    EXPECT_EQ(refusal(plan_of(profile, {.eta = 100001})), "too-cold");
}

TEST(Layer, refuses_what_is_too_large) {
    Profile profile = layers();
    profile.functions[1].entries = 0;
    profile.functions[0].entries = 100;
    EXPECT_EQ(refusal(plan_of(profile, {.max_growth_percent = 49})), "too-cold");
    profile.functions[0].entries = 100000000;
    profile.facts[3].function = profile.facts[4].function = 0;
    EXPECT_EQ(refusal(plan_of(profile, {.max_growth_percent = 49})), "too-large");
    EXPECT_EQ(refusal(plan_of(profile, {.max_growth_percent = 50})), "applied");
    profile.functions[2].body.instructions = max_layer_instructions;
    EXPECT_EQ(refusal(plan_of(profile)), "too-large");
}

// Who reports an error leads to much: a layer leaves in front of it.
TEST(Layer, does_not_count_what_was_never_entered) {
    Profile profile = layers();
    profile.functions.push_back({{"report", 5, 2 * max_layer_instructions, {}, {}}, 0});
    profile.functions[1].body.calls.push_back(3);
    const auto all_are_too_large = [](const Plan &plan) {
        return std::ranges::all_of(plan.decisions, [](const auto &one) { return one.refusal == "too-large"; });
    };
    EXPECT_TRUE(all_are_too_large(plan_of(profile))) << "nobody counted";
    profile.counts = {{"ld-temp.o;encode", 1, {100000}},
                      {"ld-temp.o;one", 2, {2000000}},
                      {"put", 4, {2000000}},
                      {"ld-temp.o;report", 5, {0, 0}}};
    const Plan plan = plan_of(profile);
    ASSERT_EQ(refusal(plan), "applied");
    EXPECT_THAT(plan.decisions[0].reason, HasSubstr("in 3 functions"));
    profile.counts[3].counts = {1, 0};
    EXPECT_TRUE(all_are_too_large(plan_of(profile))) << "of a local function, whose name has its file in front";
}

TEST(Layer, of_any_profile_gives_a_valid_plan_that_is_the_same_twice) {
    EXPECT_TRUE(rc::check([] {
        const Profile profile = model::arbitrary::profile();
        if (!model::validate(profile))
            return;
        Plan plan;
        plan_layers(profile, {}, {}, plan);
        RC_ASSERT(bool(model::validate(plan)));
        Plan again;
        plan_layers(profile, {}, {}, again);
        RC_ASSERT(plan == again);
        for (const model::Decision &decision : plan.decisions)
            RC_ASSERT(!decision.reason.empty() && (decision.verdict == Verdict::apply) == decision.refusal.empty());
    }));
}

TEST(Layer, counts_what_a_shared_layer_saves_for_each_root_in_part) {
    const double alone = plan_of(layers()).decisions[0].predicted_gain_total_ms;
    Profile shared = layers();
    shared.functions.push_back({{"decode", 5, 40, {"d.c", 4, 0}, {1}}, 300000});
    const Plan plan = plan_of(shared);
    ASSERT_EQ(plan.decisions.size(), 2u);
    EXPECT_EQ(plan.decisions[0].verdict, Verdict::apply);
    EXPECT_EQ(plan.decisions[1].verdict, Verdict::apply);
    const double together = plan.decisions[0].predicted_gain_total_ms + plan.decisions[1].predicted_gain_total_ms;
    EXPECT_LE(together, alone * 1.001);
    EXPECT_GE(together, alone * 0.5);
}

TEST(Layer, is_made_on_its_own_only_where_the_outer_one_cannot_be) {
    const Plan plan = whole_plan_of(layers());
    ASSERT_EQ(plan.decisions.size(), 2u);
    EXPECT_EQ(plan.decisions[0].site.function, "encode");
    EXPECT_EQ(plan.decisions[0].parent, 0u);
    EXPECT_EQ(plan.decisions[1].site.function, "one");
    EXPECT_EQ(plan.decisions[1].verdict, Verdict::apply);
    EXPECT_EQ(plan.decisions[1].parent, plan.decisions[0].id);
    EXPECT_NEAR(plan.decisions[1].predicted_gain_total_ms, 0, 1e-9);
}

TEST(Layer, has_no_inner_one_that_would_not_gain_by_itself) {
    Profile cold = layers();
    cold.functions[1].entries = 10;
    for (NotedFact &fact : cold.facts)
        fact.notes = 10;
    EXPECT_EQ(whole_plan_of(cold).decisions.size(), plan_of(cold).decisions.size());
}

// Two roots share a layer that is entered more often than both: it is no root before them.
TEST(Layer, comes_after_those_that_lead_to_it) {
    Profile shared = layers();
    shared.functions.push_back({{"decode", 5, 40, {"d.c", 4, 0}, {1}}, 50000});
    const Plan plan = whole_plan_of(shared);
    ASSERT_GE(plan.decisions.size(), 3u);
    EXPECT_EQ(plan.decisions[0].site.function, "encode");
    EXPECT_EQ(plan.decisions[1].site.function, "decode");
    EXPECT_EQ(plan.decisions[2].site.function, "one");
    EXPECT_NE(plan.decisions[2].parent, 0u);
}

// encode, with calls through pointers of its own, calls one through middle, whose entries are not counted; so does something too large to
// be unfolded, half as often.
Profile called_through_another() {
    Profile profile = layers();
    profile.functions[0].entries = 2000000;
    profile.functions[0].body.calls = {3};
    for (uint32_t ordinal = 10; ordinal < 20; ++ordinal)
        profile.facts.push_back({0, FactKind::load, ordinal, 8, Steers::call, {}, 100, false, {{1, 0, 100}}});
    profile.functions.push_back({{"middle", 5, 10, {"m.c", 4, 0}, {1}}, 0});
    profile.functions.push_back({{"elsewhere", 8, 400000, {}, {1}}, 1000000});
    return profile;
}

// So many roots more, of the same growth as encode.
void add_roots(Profile &profile, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const auto root = static_cast<uint32_t>(profile.functions.size());
        profile.functions.push_back({{fmt::format("other_{}", i), 100 + i, 119, {"x.c", i, 0}, {}}, 20000000});
        for (uint32_t ordinal = 0; ordinal < 10; ++ordinal)
            profile.facts.push_back({root, FactKind::load, ordinal, 8, Steers::call, {}, 100, false, {{1, 0, 100}}});
    }
}

// "applied", or the refusal and its reason; empty: the plan says nothing of it.
std::string said_of(const Plan &plan, const char *function) {
    for (const model::Decision &decision : plan.decisions)
        if (decision.site.function == function)
            return decision.verdict == Verdict::apply ? "applied" : decision.refusal + ": " + decision.reason;
    return {};
}

TEST(Layer, is_refused_with_numbers_where_it_is_partly_in_another_and_has_no_room_beside_it) {
    Profile partly = called_through_another();
    Profile full = partly;
    add_roots(full, 3);
    const Plan plan = whole_plan_of(full, {.max_growth_percent = 60});
    EXPECT_EQ(said_of(plan, "encode"), "applied");
    EXPECT_THAT(
        said_of(plan, "one"),
        HasSubstr(
            "too-large: 340 instructions more, after 2268 that other decisions may add, in which 67 % of its entries "
            "are, are above the bound of 600, of which 4 times as much is asked for."));
    double growth = 0;
    for (const model::Decision &decision : plan.decisions)
        growth += decision.verdict == Verdict::apply && decision.parent == 0 ? decision.growth_instructions : 0;
    EXPECT_LE(growth, 600) << "all together keep to the bound";
    EXPECT_GT(growth, 590);
    EXPECT_EQ(said_of(whole_plan_of(partly, {.max_growth_percent = 90}), "one"), "applied");
    partly.functions.pop_back();
    EXPECT_EQ(said_of(whole_plan_of(partly, {.max_growth_percent = 60}), "one"), "") << "all its entries are inside";
}

TEST(Layer, is_asked_for_when_it_is_small_whatever_the_others_ask_for) {
    Profile full = called_through_another();
    add_roots(full, 20);
    // What is left saves least: 104 instructions in its function, of which each may become some; and 5.
    for (const auto &[name, instructions] : {std::pair("large", 104u), {"small", 5u}}) {
        const auto root = static_cast<uint32_t>(full.functions.size());
        full.functions.push_back({{name, 300 + root, instructions, {"x.c", root, 0}, {}}, 10000000});
        for (uint32_t ordinal = 0; ordinal < 2; ++ordinal)
            full.facts.push_back({root, FactKind::load, ordinal, 8, Steers::call, {}, 100, false, {{1, 0, 100}}});
    }
    const Plan plan = whole_plan_of(full, {.max_growth_percent = 200});
    EXPECT_EQ(said_of(plan, "small"), "applied");
    EXPECT_THAT(said_of(plan, "large"), HasSubstr("of which 4 times as much is asked for"));
}

TEST(Layer, passes_over_a_specialised_function_that_the_profile_does_not_know) {
    Plan plan;
    plan.decisions.push_back({.id = 1, .site = {.function = "unknown"}, .work = model::Specialize{}});
    plan_layers(layers(), {}, {}, plan);
    EXPECT_EQ(plan.decisions.size(), 3u);
    Profile looped = layers();
    looped.functions.push_back({{"main", 7, 30, {"m.c", 2, 0}, {0}}, 1});
    plan.decisions.resize(1);
    plan_layers(looped, {}, {}, plan);
    EXPECT_EQ(plan.decisions.size(), 4u) << "a loop around, too";
}

// A place that two calls of encode lead to: by the one it is always 1, by the other always 2.
Profile by_call(bool varies) {
    Profile profile = layers();
    NotedFact both{1, FactKind::load, 3, 4, Steers::choice, {"o.c", 9, 1}, 100, varies, {}};
    if (!varies)
        both.values = {{none, 1, 50}, {none, 2, 50}};
    profile.facts.push_back(both);
    both.varies = false;
    for (const uint32_t value : {1u, 2u}) {
        both.notes = 50;
        both.values = {{none, value, 50}};
        both.call = model::CallPlace{0, value, {"e.c", 5 + value, 1}};
        profile.facts.push_back(both);
    }
    return profile;
}

std::vector<model::Fact> of_load_3(const Plan &plan) {
    std::vector<model::Fact> found;
    for (const model::Fact &fact : plan.decisions.at(0).facts())
        if (fact.function == "one" && fact.ordinal == 3)
            found.push_back(fact);
    std::sort(found.begin(), found.end(), [](const model::Fact &a, const model::Fact &b) {
        return (a.call ? a.call->ordinal : 0) < (b.call ? b.call->ordinal : 0);
    });
    return found;
}

TEST(Layer, takes_what_each_call_led_to_where_all_together_vary) {
    const std::vector<model::Fact> facts = of_load_3(plan_of(by_call(true)));
    ASSERT_EQ(facts.size(), 2u);
    EXPECT_EQ(facts[0].call, (model::FactCall{"encode", 1, 1, {"e.c", 6, 1}}));
    EXPECT_EQ(facts[0].values, (std::vector<model::FactValue>{{"", 1}}));
    EXPECT_EQ(facts[1].values, (std::vector<model::FactValue>{{"", 2}}));
}

TEST(Layer, takes_it_besides_what_holds_whichever_call_led_there) {
    const std::vector<model::Fact> facts = of_load_3(plan_of(by_call(false)));
    ASSERT_EQ(facts.size(), 3u);
    EXPECT_FALSE(facts[0].call);
    EXPECT_EQ(facts[0].values.size(), 2u);
}

TEST(Layer, leaves_out_of_a_call_what_says_no_more_or_is_of_other_callers) {
    Profile same = by_call(false);
    for (size_t i = same.facts.size() - 2; i < same.facts.size(); ++i)
        same.facts[i].values = {{none, 1, 25}, {none, 2, 25}};
    EXPECT_EQ(of_load_3(plan_of(same)).size(), 1u);
    Profile elsewhere = by_call(true);
    elsewhere.functions.push_back({{"other", 9, 40, {}, {}}, 0});
    for (size_t i = elsewhere.facts.size() - 2; i < elsewhere.facts.size(); ++i)
        elsewhere.facts[i].call->caller = 3;
    EXPECT_EQ(of_load_3(plan_of(elsewhere)).size(), 0u);
}

}  // namespace
}  // namespace thalweg::plan
