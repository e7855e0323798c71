// model: plans are written and read back, and wrong ones are refused with the line.
#include "model/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/arbitrary_test.h"

namespace thalweg::model {
namespace {

using testing::HasSubstr;

Decision merge_decision() {
    return {.id = 1,
            .event = "Adapt",
            .site = {"raise_adapt", 0, 0xfedcba9876543210, SiteKind::event, {"adapt.cc", 12, 5}},
            .work = Merge{{{.function = "first"},
                           {.function = "second", .context = "state", .context_offset = 8, .ordinal = 1}}},
            .weight = 4000,
            .share = 0.99,
            .predicted_gain_ns = 3.25,
            .predicted_gain_total_ms = 13,
            .growth_instructions = 40,
            .guard = "the path \"word\" \\ of the event",
            .reason = "two handlers\nrun in the same order"};
}

Decision subsume_decision() {
    Decision decision = merge_decision();
    decision.id = 2;
    decision.work = Subsume{decision.targets(), 1, true};
    decision.parent = 1;
    return decision;
}

Decision specialize_decision() {
    Fact table{.kind = FactKind::load,
               .function = "xdr_long",
               .ordinal = 3,
               .width = 8,
               .body_hash = 0xfedcba9876543210,
               .values = {{.symbol = "ops", .bits = 16}, {.bits = UINT64_MAX}},
               .place = {"xdr.c", 70, 9}};
    Fact size{.kind = FactKind::argument, .function = "encode", .ordinal = 2, .width = 4, .values = {{.bits = 2000}}};
    Fact behind{.kind = FactKind::memory,
                .function = "encode",
                .path = {8, -16},
                .width = 4,
                .values = {{.bits = 0}},
                .trusted = true};
    Fact by_call = table;
    by_call.call = FactCall{"encode", 4, 17, {"arr.c", 5, 2}};
    return {.id = 3,
            .site = {"encode", 0, 7, SiteKind::list, {"arr.c", 3, 1}},
            .work = Specialize{{table, size, behind, by_call}}};
}

Decision cache_decision() {
    return {.id = 4, .site = {"set_key", 0, 9, SiteKind::list, {"key.c", 8, 0}}, .work = Cache{}};
}

Plan small_plan() {
    return {.program = "./server",
            .build_id = "abc",
            .decisions = {merge_decision(), subsume_decision(), specialize_decision(), cache_decision()}};
}

std::string problem_of(const std::string &text) {
    Result<Plan> plan = read_plan(text);
    return plan ? "none" : plan.error().message;
}

constexpr const char *head = "format = \"thalweg-plan\"\nversion = 1\n";

TEST(Plan, reads_back_what_was_written) {
    Plan plan = small_plan();
    ASSERT_TRUE(validate(plan));
    Result<Plan> back = read_plan(write_plan(plan));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, plan);
}

TEST(Plan, any_valid_one_reads_back) {
    EXPECT_TRUE(rc::check([] {
        Plan plan = arbitrary::plan();
        if (!validate(plan))
            return;
        std::string text = write_plan(plan);
        Result<Plan> back = read_plan(text);
        RC_ASSERT(bool(back));
        RC_ASSERT(*back == plan);
        RC_ASSERT(write_plan(*back) == text);
    }));
}

TEST(Plan, with_bytes_that_are_no_text_is_written_so_that_it_can_be_read) {
    Plan plan = small_plan();
    plan.decisions[0].reason = "caf\xe9 \xed\xa0\x80";
    Result<Plan> back = read_plan(write_plan(plan));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_THAT(back->decisions[0].reason, HasSubstr("caf\xef\xbf\xbd"));
}

TEST(Plan, is_valid_after_a_verdict_was_turned_or_a_decision_taken_out) {
    Plan plan = small_plan();
    plan.decisions[0].verdict = Verdict::refuse;
    EXPECT_TRUE(read_plan(write_plan(plan)));
    plan.decisions.erase(plan.decisions.begin());
    EXPECT_TRUE(read_plan(write_plan(plan)));
}

TEST(Plan, needs_no_more_of_a_decision_than_kind_verdict_site_and_targets) {
    Result<Plan> plan = read_plan(std::string(head) + "[[decision]]\nid = 3\nkind = 'merge'\nverdict = 'apply'\n"
                                                      "site = { function = 'f' }\ntargets = [ { function = 'g' } ]\n");
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->decisions[0].targets(), std::vector<PlannedTarget>{{.function = "g"}});
}

TEST(Plan, names_the_line_of_what_does_not_fit) {
    EXPECT_THAT(problem_of("format = 'thalweg-plan'\nversion = 'one'\n"),
                HasSubstr("line 2: version is not a whole number"));
    EXPECT_THAT(problem_of(std::string(head) + "colour = 1\n"), HasSubstr("line 3: colour is not known here"));
    EXPECT_THAT(problem_of(std::string(head) + "program = \n"), HasSubstr("line 3"));
    EXPECT_THAT(
        problem_of(std::string(head) + "[[decision]]\nid = 1\nkind = 'melt'\nverdict = 'apply'\nsite = {function='f'}"),
        HasSubstr("kind is neither merge, subsume, specialize, cache, elide, hoist, coalesce, fuse, overlap, expand "
                  "nor reuse"));
    EXPECT_THAT(problem_of(std::string(head) + "[[decision]]\nid = 1\nkind = 'merge'\nverdict = 'apply'\n"
                                               "provenance = 'guessed'\nsite = {function='f'}"),
                HasSubstr("provenance is neither recorded, declared nor edited"));
}

TEST(Plan, is_read_where_a_refusal_was_turned_round_that_has_nothing_to_apply) {
    for (const char *kind :
         {"kind = 'merge'\nsite = {function=''}", "kind = 'subsume'\nparent = 7\nsite = {function='f'}",
          "kind = 'specialize'\nsite = {function=''}", "kind = 'cache'\nsite = {function=''}",
          "kind = 'overlap'\nsite = {function='f', kind='call'}"}) {
        const Result<Plan> plan =
            read_plan(std::string(head) + "[[decision]]\nid = 1\nverdict = 'apply'\nrefusal = 'too-cold'\n" + kind);
        EXPECT_TRUE(plan) << kind << ": " << plan.error().message;
    }
}

TEST(Plan, tells_facts_that_were_declared_from_recorded_ones_that_may_not_grow) {
    const auto provenance_of = [](const std::string &words) {
        const Result<Plan> plan = read_plan(std::string(head) +
                                            "[[decision]]\nid = 1\nkind = 'specialize'\n"
                                            "verdict = 'apply'\nsite = {function='f'}\n" +
                                            words);
        return plan ? plan->decisions[0].provenance : Provenance::edited;
    };
    EXPECT_EQ(provenance_of("growth_instructions = 0\nprovenance = 'recorded'"), Provenance::recorded);
    EXPECT_EQ(provenance_of("growth_instructions = 9\nprovenance = 'declared'"), Provenance::declared);
    // As plans were written that have no such word.
    EXPECT_EQ(provenance_of("growth_instructions = 0"), Provenance::declared);
    EXPECT_EQ(provenance_of("growth_instructions = 9"), Provenance::recorded);
}

TEST(Plan, of_another_version_is_refused_with_what_to_do) {
    EXPECT_THAT(problem_of("format = 'thalweg-plan'\nversion = 2\n"), HasSubstr("run `thalweg plan` again"));
}

TEST(Plan, refuses_what_contradicts_itself) {
    auto problem = [](auto change) {
        Plan plan = small_plan();
        change(plan);
        Status status = validate(plan);
        return status ? "none" : status.error().message;
    };
    EXPECT_THAT(problem([](Plan &plan) { plan.decisions[1].id = 1; }), HasSubstr("stands there twice"));
    EXPECT_THAT(problem([](Plan &plan) { plan.decisions[1].parent = 2; }), HasSubstr("among its own parents"));
    EXPECT_THAT(problem([](Plan &plan) { std::get<Subsume>(plan.decisions[1].work).position = 2; }),
                HasSubstr("has 2 targets"));
    EXPECT_THAT(problem([](Plan &plan) { plan.decisions[0].parent = 2; }), HasSubstr("for kinds subsume and spec"));
    EXPECT_EQ(problem([](Plan &plan) { plan.decisions[0].work = Merge{}; }),
              "none");  // told where it would be carried out
    EXPECT_THAT(problem([](Plan &plan) { plan.decisions[0].share = 1.5; }), HasSubstr("share"));
    EXPECT_THAT(problem([](Plan &plan) { plan.decisions[3].parent = 3; }), HasSubstr("for kinds subsume and spec"));
    EXPECT_EQ(problem([](Plan &plan) { plan.decisions[2].work = Specialize{}; }),
              "none");  // the program's own constants decide
    EXPECT_EQ(problem([](Plan &plan) { plan.decisions[2].parent = 1; }), "none");  // made where that one can't be
    EXPECT_THAT(problem([](Plan &plan) { plan.decisions[2].parent = 3; }), HasSubstr("does not come before it"));
}

TEST(Plan, refuses_what_another_kind_of_decision_has) {
    const auto problem = [](const char *kind, const char *line) {
        return problem_of(fmt::format("{}[[decision]]\nid = 1\nkind = '{}'\nverdict = 'apply'\nsite = {{ function = "
                                      "'f' }}\n{}\n",
                                      head, kind, line));
    };
    for (const auto &[kind, line] : {std::pair("merge", "facts = []"),
                                     {"merge", "position = 1"},
                                     {"merge", "group = []"},
                                     {"specialize", "targets = []"},
                                     {"specialize", "chain = true"},
                                     {"cache", "targets = []"},
                                     {"cache", "facts = []"},
                                     {"elide", "independent = []"}})
        EXPECT_THAT(problem(kind, line),
                    HasSubstr("line 8: " + std::string(line).substr(0, std::string_view(line).find(' ')) +
                              " is not known here"));
    EXPECT_EQ(problem("merge", "targets = []"), "none");
    EXPECT_EQ(problem("specialize", "facts = []"), "none");
}

TEST(Plan, refuses_a_fact_that_contradicts_itself) {
    auto problem = [](auto change) {
        Plan plan = small_plan();
        change(std::get<Specialize>(plan.decisions[2].work).facts[1]);
        Status status = validate(plan);
        return status ? "none" : status.error().message;
    };
    EXPECT_THAT(problem([](Fact &fact) { fact.values[0].bits = uint64_t{1} << 32; }),
                HasSubstr("decision 3: fact 2 of 4: 4294967296 does not fit into 4 bytes"));
    EXPECT_THAT(problem([](Fact &fact) { fact.values[0].symbol = "ops"; }), HasSubstr("has 8 bytes"));
    EXPECT_THAT(problem([](Fact &fact) { fact.values.clear(); }), HasSubstr("0 values"));
    EXPECT_THAT(problem([](Fact &fact) { fact.width = 9; }), HasSubstr("9 bytes"));
    EXPECT_THAT(problem([](Fact &fact) { fact.path = {8}; }), HasSubstr("path"));
    EXPECT_THAT(problem([](Fact &fact) { fact.kind = FactKind::memory; }), HasSubstr("path"));
    EXPECT_THAT(problem([](Fact &fact) { fact.function.clear(); }), HasSubstr("names no function"));
    EXPECT_THAT(problem([](Fact &fact) { fact.call = FactCall{"main", 1, 0, {}}; }), HasSubstr("is for kind load"));
    EXPECT_EQ(problem([](Fact &fact) { fact.ordinal = 9; }), "none");
}

TEST(Plan, names_the_line_of_a_fact_that_does_not_fit) {
    auto problem = [](const std::string &fact) {
        return problem_of(std::string(head) +
                          "[[decision]]\nid = 1\nkind = 'specialize'\nverdict = 'apply'\n"
                          "site = { function = 'f' }\nfacts = [\n" +
                          fact + "\n]\n");
    };
    EXPECT_EQ(problem("{ kind = 'argument', function = 'f', width = 4, values = [ { bits = 3 } ] }"), "none");
    EXPECT_THAT(problem("{ kind = 'shape', function = 'f', width = 4 }"),
                HasSubstr("line 9: kind is neither argument, load, result nor memory"));
    EXPECT_THAT(problem("{ kind = 'load', function = 'f' }"), HasSubstr("line 9: width is missing"));
    EXPECT_THAT(problem("{ kind = 'load', function = 'f', width = 4, values = [ { bits = -3 } ] }"),
                HasSubstr("line 9: bits is not a whole number"));
    EXPECT_THAT(problem("{ kind = 'load', function = 'f', width = 4, values = [ { bits = 'x' } ] }"),
                HasSubstr("line 9: bits is not \"0x\""));
    EXPECT_THAT(problem("{ kind = 'memory', function = 'f', width = 4, path = 8 }"),
                HasSubstr("line 9: path is not a list"));
    EXPECT_THAT(problem("{ kind = 'memory', function = 'f', width = 4, path = ['a'] }"),
                HasSubstr("line 9: path has an entry that is not a whole number"));
    EXPECT_THAT(problem("7"), HasSubstr("line 9: facts has an entry that is not { ... }"));
}

TEST(Plan, refuses_nests_that_would_exhaust_a_parser) {
    EXPECT_THAT(problem_of(std::string(head) + "x = " + std::string(100000, '[')), HasSubstr("nested deeper"));
    std::string dotted = "a";
    for (int i = 0; i < 100000; ++i)
        dotted += ".a";
    EXPECT_THAT(problem_of(dotted + " = 1"), HasSubstr("dotted keys"));
    EXPECT_THAT(problem_of("x = \"\"\" \" \"\"\" [[["), HasSubstr("strings of several lines"));
}

TEST(Outcome, reads_back_what_was_written) {
    Outcome outcome{.decisions = {{.decision = 1, .applied = true, .growth_instructions = 7, .saved_instructions = 90},
                                  {.decision = 2, .reason = "handler \"f\" has no body"}},
                    .instructions_before = 100,
                    .instructions_after = 107,
                    .float_environment = "fesetround"};
    Result<Outcome> back = read_outcome(write_outcome(outcome));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, outcome);
}

TEST(Outcome, reads_back_binding_times) {
    Outcome outcome{.decisions = {{.decision = 1, .applied = true}}};
    FunctionTimes send{.function = "send", .file = "send.c", .directory = "/src", .first_line = 7};
    send.lines = {{.line = 8, .evaluated = 3, .residual = 1, .tested = 1},
                  {.line = 9, .residual = 2, .trusted = 1, .reasons = {"no fact about arg0->8", "volatile"}}};
    outcome.decisions[0].functions = {send, {.function = "put"}};
    Result<Outcome> back = read_outcome(write_outcome(outcome));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, outcome);
}

TEST(Outcome, names_the_line_that_does_not_fit) {
    Result<Outcome> outcome = read_outcome(
        R"({"format":"thalweg-outcome","version":1,"decisions":[{"decision":1,"functions":[{"function":"f","lines":[{"line":-1}]}]}]})");
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message, HasSubstr("decisions[0].functions[0].lines[0].line is not a whole number"));
}

TEST(Outcome, reads_back_the_function_of_an_object) {
    Outcome outcome{.decisions = {{.decision = 1, .applied = true}}};
    outcome.object = {.symbol = "send_special",
                      .prototype = "int send_special(struct sink *arg0)",
                      .from_debug_info = true,
                      .tags = {"struct sink"},
                      .by_value = {"struct point"},
                      .copies = {"weigh"},
                      .externals = {"log"}};
    Result<Outcome> back = read_outcome(write_outcome(outcome));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, outcome);
}

TEST(Outcome, names_what_does_not_fit_in_its_object) {
    Result<Outcome> outcome = read_outcome(
        R"({"format":"thalweg-outcome","version":1,"object":{"symbol":"a","prototype":"b","copies":[1]}})");
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message, HasSubstr("object.copies[0] is not a string"));
}

TEST(Outcome, names_what_does_not_fit) {
    Result<Outcome> outcome = read_outcome(R"({"format":"thalweg-outcome","version":1,"decisions":[{"decision":-1}]})");
    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().message, HasSubstr("decisions[0].decision is not a whole number"));
}

TEST(SiteTable, reads_back_what_was_written) {
    SiteTable table{.program = "server",
                    .instructions = 12345,
                    .sites = {{"f", 1, UINT64_MAX, SiteKind::event, {"a.cc", 3, 4}}},
                    .inlined = {"_Z1hv"},
                    .symbols = {{"g", true, false, 5, 6, {}}, {"state", false, true, 0, 0, {"b.cc", 1, 1}}},
                    .functions = {{"f", UINT64_MAX, 40, {"a.cc", 1, 0}, {1, 0}}, {"h", 1, 4, {}, {}}},
                    .fact_places = {{1, FactKind::load, 3, 8, Steers::call, {"a.cc", 2, 9}},
                                    {1, FactKind::load, 3, 8, Steers::call, {}, CallPlace{0, 7, {"a.cc", 4, 1}}},
                                    {0, FactKind::argument, 0, 4, Steers::choice, {}}}};
    Result<SiteTable> back = read_site_table(write_site_table(table));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, table);
}

TEST(SiteTable, any_valid_one_reads_back) {
    EXPECT_TRUE(rc::check([] {
        SiteTable table{.program = arbitrary::name(), .instructions = arbitrary::weight()};
        table.sites = arbitrary::several(5, arbitrary::site);
        table.symbols = arbitrary::several(5, [] { return arbitrary::entry<Symbol>({}); });
        table.functions = arbitrary::several(5, [] { return arbitrary::entry<FunctionBody>({}); });
        if (!table.functions.empty())
            table.fact_places = arbitrary::several(5, [&] { return arbitrary::fact_place(table.functions.size()); });
        Result<SiteTable> back = read_site_table(write_site_table(table));
        RC_ASSERT(bool(back));
        RC_ASSERT(*back == table);
    }));
}

TEST(SiteTable, is_refused_when_it_is_something_else) {
    for (
        const char *text :
        {"", "{", "[]", "null", R"({"format":"thalweg-job","version":1})",
         R"({"format":"thalweg-site-table","version":1,"sites":[{}]})",
         R"({"format":"thalweg-site-table","version":1,"sites":[{"function":"f"}],"inlined":["g","h"]})",
         R"({"format":"thalweg-site-table","version":1,"functions":[{}]})",
         R"({"format":"thalweg-site-table","version":1,"functions":[{"name":"f","calls":[1]}]})",
         R"({"format":"thalweg-site-table","version":1,"functions":[{"name":"f","calls":["f"]}]})",
         R"({"format":"thalweg-site-table","version":1,"fact_places":[{"function":0,"width":8}]})",
         R"({"format":"thalweg-site-table","version":1,"functions":[{"name":"f"}],"fact_places":[{"function":0,"width":9}]})",
         R"({"format":"thalweg-site-table","version":1,"functions":[{"name":"f"}],"fact_places":[{"function":0,"width":8,"kind":"x"}]})",
         R"({"format":"thalweg-site-table","version":1,"functions":[{"name":"f"}],"fact_places":[{"function":0,"width":8,"call":{"caller":1,"ordinal":0}}]})",
         R"({"format":"thalweg-site-table","version":1,"functions":[{"name":"f"}],"fact_places":[{"function":0,"width":8,"call":{"caller":0}}]})",
         R"({"format":"thalweg-site-table","version":1,"sites":[{"function":"f","body_hash":"12"}]})"})
        EXPECT_FALSE(read_site_table(text)) << text;
}

} // namespace
} // namespace thalweg::model
