// report: what the texts and JSON say, and that hostile names do no harm in them.
#include "report/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/text_table.h"
#include "report/workload.h"

namespace thalweg::report {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

struct Sample {
    Sample() {
        profile.program = "./server";
        profile.sites = {{"_ZN3Net4sendEv", 0, 1, model::SiteKind::event, {"net.cc", 12, 3}}};
        profile.symbols = {{"_ZN3Net5checkEv", true, true, 1, 30, {}}, {"log", true, true, 1, 10, {}}};
        profile.events = {{"Send", model::SiteKind::event, 1234567, 2}, {"Sent", model::SiteKind::event, 5, 0}};
        profile.edges = {{0, 1, model::RaiseMode::async, 5}};
        profile.sequences = {{0, 0, {{0}, {1}}, false, 1234567}};
        profile.nestings = {{0, 0, 1, 1, 1, 0, model::RaiseMode::sync, 5}};
        profile.guards = {{1, "Send", 3, 1}};
        profile.coverage = {1234567, 1000000, 7, 1, 2, 3};
        graphs.eta = 1;
        graphs.event_graph = graphs.reduced = {2, profile.edges};
        graphs.chains = {{{0, 1}, 5}};
        graphs.subsumptions = {{0, 10, 0.5, true}};
        model::Decision merge{
            .id = 1,
            .event = "Send",
            .site = profile.sites[0],
            .work = model::Merge{{{.function = "_ZN3Net5checkEv", .context = "state", .context_offset = 8}}},
            .weight = 1234567,
            .share = 0.99,
            .predicted_gain_ns = 5,
            .predicted_gain_total_ms = 6.17,
            .growth_instructions = 64,
            .guard = "the path word",
            .reason = "always the same"};
        model::Decision refused = merge;
        refused.id = 2;
        refused.work = model::Subsume{merge.targets()};
        refused.parent = 1;
        refused.verdict = model::Verdict::refuse;
        refused.refusal = "too-cold";
        plan.decisions = {merge, refused};
        outcome = {{{1, true, "merged", 60}, {2, false, "stale", 0}}, 1000, 1060};
    }
    TextData data() const { return {.profile = &profile, .graphs = &graphs, .plan = &plan, .outcome = &outcome}; }
    model::Profile profile;
    model::Graphs graphs;
    model::Plan plan;
    model::Outcome outcome;
};

struct CopyProgram {
    CopyProgram() {
        profile.program = "./copy";
        profile.sites = {{"copy", 0, 1, model::SiteKind::call, {"copy.c", 12, 3}, "read"},
                         {"copy", 1, 1, model::SiteKind::call, {"copy.c", 13, 3}, "write"}};
        profile.system_calls = {{0, 1001, 0, 1, 2, 4100096, 4096000, 20, 31000}, {1, 1000, 3, 0, 0, 4096000, 4096000}};
        profile.system_call_edges = {{0, 1, 1000, 0, 1000, 999, 0, 40, 14000, 290}, {1, 0, 1000, 0, 0, 0, 0}};
        profile.releases = {{0, 1, 7}};
        profile.call_clock = model::CallClock::probes;
        graphs.system_calls = {1, profile.system_call_edges, {{{0, 1}, 1000, 1000}}};
    }
    model::Profile profile;
    model::Graphs graphs;
};

TEST(SystemCalls, TheTextTellsCountsDependencesSequencesAndBlocks) {
    const CopyProgram copy;
    const std::string text = text_system_calls(copy.profile, copy.graphs.system_calls, {});
    EXPECT_THAT(text, HasSubstr("1,001       0     1      2    4,100,096    4,096,000     1.55 us"));
    EXPECT_THAT(text, HasSubstr("read   copy.c:12, copy"));
    EXPECT_THAT(text, HasSubstr("read, copy.c:12, copy   write, copy.c:13, copy  same buffer, result is size 99.9 %"));
    EXPECT_THAT(text, HasSubstr("1,000            350 ns    290 ns     40  read, copy.c:12, copy   write"));
    EXPECT_THAT(text, HasSubstr("1,000           unknown   unknown      0  write, copy.c:13, copy  read"));
    EXPECT_THAT(text, HasSubstr("1,000     1,000  read -> write (copy.c:12, copy)"));
    EXPECT_THAT(text, HasSubstr("7  read, copy.c:12, copy  write, copy.c:13, copy"));
}

TEST(SystemCalls, TheTextTellsWhoseTimesTheyAre) {
    CopyProgram copy;
    EXPECT_THAT(text_system_calls(copy.profile, copy.graphs.system_calls, {}), HasSubstr("Times are of a sample"));
    copy.profile.call_clock = model::CallClock::strace;
    EXPECT_THAT(text_system_calls(copy.profile, copy.graphs.system_calls, {}), HasSubstr("measured under strace"));
    copy.profile.call_clock = model::CallClock::none;
    EXPECT_THAT(text_system_calls(copy.profile, copy.graphs.system_calls, {}), HasSubstr("is unknown"));
}

TEST(SystemCalls, OfAProgramWithoutAnyNothingIsSaid) {
    EXPECT_EQ(text_system_calls({}, {}, {}), "");
    const Sample sample;
    EXPECT_THAT(text_report({.profile = &sample.profile, .graphs = &sample.graphs}, {}), Not(HasSubstr("System")));
}

TEST(SystemCalls, StandInTheJsonWithTheirGraph) {
    const CopyProgram copy;
    const json report = json::parse(json_report({.profile = &copy.profile, .graphs = &copy.graphs}));
    EXPECT_EQ(report["profile"]["system_calls"][1]["errors"], 3);
    EXPECT_EQ(report["profile"]["releases"][0]["count"], 7);
    EXPECT_EQ(report["graphs"]["system_calls"]["edges"][0]["result_is_size"], 999);
    EXPECT_EQ(report["graphs"]["system_calls"]["edges"][0]["between_ns"], 14000);
    EXPECT_TRUE(report["graphs"]["system_calls"]["edges"][1]["between_ns"].is_null());
    EXPECT_EQ(report["profile"]["system_calls"][0]["inside_ns"], 31000);
    EXPECT_EQ(report["profile"]["call_clock"], "probes");
    EXPECT_EQ(report["graphs"]["system_calls"]["sequences"][0]["calls"][1]["callee"], "write");
}

TEST(SystemCalls, AreDrawnWithWhatTiesThem) {
    const CopyProgram copy;
    const std::string dot = dot_system_calls(copy.profile, copy.graphs.system_calls);
    EXPECT_THAT(
        dot,
        HasSubstr("c0 -> c1 [label=\"1000: same buffer, result is size 99.9 %; 350 ns between\", penwidth=5.00];"));
    EXPECT_THAT(dot, HasSubstr("c1 -> c0 [label=\"1000\", penwidth=5.00, style=dashed];"));
    EXPECT_THAT(
        csv_system_calls(copy.profile, copy.graphs.system_calls),
        HasSubstr("\"read\",\"copy.c:12, copy\",\"write\",\"copy.c:13, copy\",1000,0,1000,999,0,40,14000,290\r\n"));
}

TEST(TextReport, tells_events_graph_chains_sequences_plan_outcome_and_guards) {
    Sample sample;
    const std::string text = text_report(sample.data(), {});
    for (const char *part : {"1,000,000 of 1,234,574 dispatches in full (81.0 %); ~ marks what was estimated from "
                             "them, but for 7 that were lost",
                             "Event graph, eta 1: 1 of 1 edges", "async", "Send -> Sent", "net.cc:12, Net::send",
                             "Net::check, log", "Send: log (handler 2) -> Sent", "1 to apply, 1 refused (1 too-cold)",
                             "1 of 2 decisions applied; 1,000 instructions before, 1,060 after (+6.0 %)", "75.0 %"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST(TextReport, only_what_was_counted_looks_like_it) {
    Sample sample;
    sample.profile.events[0].raises = sample.profile.events[1].raises = 12345;
    sample.profile.events[0].error = 678;
    sample.profile.sequences[0].error = model::unknown_error;
    sample.plan.decisions[0].weight = 4321;
    sample.plan.decisions[0].weight_error = 9;
    const std::string text = text_report(sample.data(), {});
    EXPECT_THAT(text, HasSubstr("~12,345 ±678"));
    EXPECT_THAT(text, HasSubstr(" 12,345 "));
    EXPECT_THAT(text, HasSubstr("~4,321 ±9"));
    EXPECT_THAT(text, HasSubstr(" ~"));
    const json shown = json::parse(json_profile(sample.profile));
    EXPECT_EQ(shown["events"][0]["error"], 678);
    EXPECT_EQ(shown["events"][1]["error"], 0);
    EXPECT_TRUE(shown["sequences"][0]["error"].is_null()) << "nobody knows";
}

TEST(TextReport, says_first_what_was_lost) {
    Sample sample;
    EXPECT_TRUE(text_report(sample.data(), {}).starts_with("WARNING: 7 dispatches or calls were lost"));
    sample.profile.coverage.lost = 0;
    EXPECT_TRUE(text_report(sample.data(), {}).starts_with("Profile of"));
}

TEST(TextPlan, shows_what_applies_where_not_all_is_shown) {
    Sample sample;
    std::swap(sample.plan.decisions[0], sample.plan.decisions[1]);
    sample.plan.decisions[0].event = "Refused";
    EXPECT_THAT(text_plan(sample.plan, {.most_rows = 1}), HasSubstr("Send"));
    EXPECT_THAT(text_plan(sample.plan, {.most_rows = 1}), Not(HasSubstr("Refused")));
    const std::string whole = text_plan(sample.plan, {.most_rows = 2});
    EXPECT_LT(whole.find("Refused"), whole.find("Send"));
}

TEST(TextPlan, leaves_out_the_middle_of_a_name_that_is_wider_than_its_column) {
    Sample sample;
    const std::string longest = "ü" + std::string(70, 'n') + "z";  // 72 characters
    sample.plan.decisions[0].event = longest;
    EXPECT_THAT(text_plan(sample.plan, {}), HasSubstr(longest));
    sample.plan.decisions[0].event = "ü" + std::string(35, 'a') + std::string(40, 'x') + std::string(34, 'b') + "ü";
    EXPECT_THAT(text_plan(sample.plan, {}),
                HasSubstr("  ü" + std::string(35, 'a') + "…" + std::string(34, 'b') + "ü  "));
}

TEST(TextReport, tells_no_recorded_run_where_there_was_none) {
    Sample sample;
    TextData data = sample.data();
    data.profile = nullptr;
    data.graphs = nullptr;
    const std::string text = text_report(data, {});
    EXPECT_THAT(text, HasSubstr("1 to apply, 1 refused (1 too-cold)"));
    EXPECT_THAT(text, Not(HasSubstr("Event graph")));
    EXPECT_THAT(text, Not(HasSubstr("Layers")));
    const json report = json::parse(json_report(data));
    EXPECT_EQ(report["plan"]["decisions"][1]["refusal"], "too-cold");
    EXPECT_FALSE(report.contains("profile"));
}

TEST(TextReport, says_what_costs_most_and_what_was_done_about_it) {
    Sample sample;
    EXPECT_THAT(text_report(sample.data(), {}), Not(HasSubstr("What costs most")));
    sample.profile.events[0].time = {5, 9'000'000, 100'000, 8'000'000, 200'000};
    const std::string text = text_report(sample.data(), {});
    EXPECT_THAT(text, HasSubstr("What costs most\n"));
    EXPECT_THAT(text, HasSubstr("~8 ms ±200 us"));
    EXPECT_THAT(text, HasSubstr("applied (merge): merged"));
    TextData data = sample.data();
    data.plan = nullptr;
    data.outcome = nullptr;
    EXPECT_THAT(text_report(data, {}), HasSubstr("nothing is planned yet"));
}

TEST(TextReport, shows_the_lines_of_layers) {
    Sample sample;
    sample.outcome.decisions[0].functions = {{"send", "a.c", "/src", 1, {{.line = 1, .residual = 7}}}};
    const Sources sources = {{{"/src", "a.c"}, {{"go();"}, {}}}};
    TextData data = sample.data();
    data.sources = &sources;
    EXPECT_THAT(text_report(data, {}), HasSubstr("     1  d          0     7  go();\n"));
    EXPECT_THAT(text_report(sample.data(), {}), HasSubstr("lines without their text: a.c was not read"));
}

TEST(TextReport, counts_the_guards_that_were_not_tested_instead_of_calling_them_failed) {
    Sample sample;
    sample.profile.guards.push_back({2, "Sent", 0, 0});
    const std::string text = text_report(sample.data(), {});
    EXPECT_THAT(text, HasSubstr("1     3       1  75.0 %  Send"));
    EXPECT_THAT(text, HasSubstr("1 decisions had no test of their own"));
    EXPECT_THAT(text, Not(HasSubstr("Sent\n  1 decisions")));
}

TEST(TextReport, names_a_layer_among_the_guards_as_people_do_and_an_event_as_its_program_does) {
    Sample sample;
    sample.profile.guards = {{1, "_ZN3Net4sendEv", 90, 10}, {2, "send(data)", 3, 1}};
    const std::string text = text_report(sample.data(), {});
    EXPECT_THAT(text, HasSubstr("90      10  90.0 %  Net::send\n"));
    EXPECT_THAT(text, HasSubstr("75.0 %  send(data)\n"));
}

TEST(TextReport, leaves_out_what_is_not_there) {
    Sample sample;
    sample.profile.guards.clear();
    TextData data = sample.data();
    data.plan = nullptr;
    data.outcome = nullptr;
    const std::string text = text_report(data, {});
    EXPECT_THAT(text, Not(HasSubstr("Opportunities")));
    EXPECT_THAT(text, Not(HasSubstr("Guards")));
}

TEST(TextReport, counts_the_rows_that_it_does_not_show) {
    Sample sample;
    for (int i = 0; i < 30; ++i)
        sample.profile.events.push_back({"more", model::SiteKind::list, 1, 0});
    EXPECT_THAT(text_report(sample.data(), {}), HasSubstr("... and 12 more"));
    EXPECT_THAT(text_report(sample.data(), {.most_rows = SIZE_MAX}), Not(HasSubstr("... and")));
}

TEST(TextReport, lets_no_name_move_the_cursor) {
    Sample sample;
    sample.profile.events[0].name = "\033[2J\x9b"
                                    " evil\n\xc2\x9b";
    sample.plan.decisions[0].reason = "\033]0;title\a";
    const std::string text = text_report(sample.data(), {}) + text_decision(sample.plan.decisions[0], nullptr, {}) +
                             dot_events(sample.profile, sample.graphs.event_graph);
    EXPECT_THAT(text, Not(HasSubstr("\033")));
    EXPECT_THAT(text, Not(HasSubstr("\a")));
    EXPECT_THAT(text, Not(HasSubstr("\x9b")));
}

TEST(TextDecision, says_why_where_guard_and_what_happens_when_it_fails) {
    Sample sample;
    const std::string text = text_decision(sample.plan.decisions[0], &sample.outcome.decisions[0], {});
    for (const char *part : {"Decision 1: merge Send (apply)", "why      always the same",
                             "where    net.cc:12, Net::send", "1. Net::check on state + 8", "guard    the path word",
                             "if not   The original loop runs", "became   applied: merged"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, Not(HasSubstr("remedy")));
    const std::string refused = text_decision(sample.plan.decisions[1], nullptr, {});
    EXPECT_THAT(refused, HasSubstr("too-cold: always the same"));
    EXPECT_THAT(refused, HasSubstr("remedy   where the program runs longer than when it was recorded"));
    EXPECT_THAT(refused, HasSubstr("inside   handler 1 of decision 1"));
    EXPECT_THAT(refused, HasSubstr("Nothing changes"));
    EXPECT_THAT(refused, Not(HasSubstr("became")));
}

// As many decisions as parents are given; 0: none.
model::Plan layers(const std::vector<uint32_t> &parents) {
    model::Plan plan;
    for (const uint32_t parent : parents) {
        model::Decision decision{.work = model::Specialize{}};
        decision.id = static_cast<uint32_t>(plan.decisions.size()) + 1;
        decision.site.function = "_ZN3Net4sendEv";
        decision.parent = parent;
        plan.decisions.push_back(decision);
    }
    return plan;
}

TEST(TextDecision, names_the_layer_that_another_one_is_inside_of) {
    const model::Plan plan = layers({0, 1});
    EXPECT_THAT(text_plan(plan, {}), HasSubstr("in 1"));
    EXPECT_THAT(text_decision(plan.decisions[1], nullptr, {}),
                HasSubstr("inside   decision 1: made on its own only where that one can't be"));
    EXPECT_THAT(text_decision(plan.decisions[0], nullptr, {}), Not(HasSubstr("inside")));
}

TEST(JsonReport, names_the_layer_that_another_one_is_inside_of) {
    const model::Plan plan = layers({0, 1});
    const json decisions = json::parse(json_plan(plan))["decisions"];
    EXPECT_EQ(decisions[0]["parent"], nullptr);
    EXPECT_EQ(decisions[1]["parent"], 1);
}

TEST(JsonReport, has_everything_by_name) {
    Sample sample;
    const json report = json::parse(json_report(sample.data()));
    EXPECT_EQ(report["profile"]["events"][0]["raises"], 1234567);
    EXPECT_EQ(report["graphs"]["chains"][0]["events"], (json{"Send", "Sent"}));
    EXPECT_EQ(report["graphs"]["reduced"][0]["mode"], "async");
    EXPECT_EQ(report["plan"]["decisions"][1]["refusal"], "too-cold");
    EXPECT_EQ(report["plan"]["decisions"][0]["refusal"], nullptr);
    EXPECT_EQ(report["outcome"]["decisions"][1]["reason"], "stale");
    EXPECT_EQ(report["profile"]["sequences"][0]["targets"][0]["function"], "_ZN3Net5checkEv");
}

TEST(JsonReport, is_valid_whatever_the_bytes_of_a_name) {
    Sample sample;
    sample.profile.events[0].name = std::string("\xff\xfe\0\"", 4);
    EXPECT_FALSE(json::parse(json_report(sample.data()), nullptr, false).is_discarded());
    EXPECT_FALSE(json::parse(json_profile(sample.profile), nullptr, false).is_discarded());
}

TEST(Export, draws_asynchronous_edges_dashed) {
    Sample sample;
    const std::string dot = dot_events(sample.profile, sample.graphs.event_graph);
    EXPECT_THAT(dot, HasSubstr("e0 [label=\"Send\"]"));
    EXPECT_THAT(dot, HasSubstr("e0 -> e1 [label=\"5\", penwidth=5.00, style=dashed]"));
}

TEST(Export, quotes_what_csv_would_misread) {
    Sample sample;
    sample.profile.events[0].name = "=A\",B";
    EXPECT_EQ(csv_events(sample.profile, sample.graphs.event_graph),
              "from,to,mode,weight,error\r\n\"'=A\"\",B\",\"Sent\",async,5,0\r\n");
}

TEST(WorkloadText, says_class_reason_and_advice_and_does_no_harm) {
    model::Workload workload;
    workload.command = {"tar", "\033[31mx"};
    workload.kind = model::WorkClass::kernel_bound;
    workload.why = "s > u";
    workload.advice = {{model::AdviceKind::resolve, "caching"}, {model::AdviceKind::diagnose, "tracing"}};
    workload.usage.major_faults = 1234;
    workload.samples = {{100, 50, 100, 1}, {200, 0, 250, 1}};
    const std::string text = text_workload(workload, {});
    EXPECT_THAT(text, HasSubstr("kernel-bound\n  why      s > u\n  look at  tracing\n  ways out caching\n"));
    EXPECT_THAT(text, HasSubstr("1,234 from a disk"));
    EXPECT_THAT(text, HasSubstr("user   50\n    system ++\n"));
    EXPECT_THAT(text, Not(HasSubstr("\033")));
    EXPECT_THAT(text, Not(HasSubstr("System calls")));
    EXPECT_THAT(text, Not(HasSubstr("Threads")));
}

TEST(WorkloadText, has_a_table_of_calls_where_they_were_counted_and_of_threads_where_there_are_several) {
    model::Workload workload;
    workload.command = {"cat"};
    workload.traced = true;
    workload.calls = {{"openat", 2000, 4000000, 0, {{"ENOENT", 1500}}}};
    workload.threads = {{1, 1, "cat", 0, 0, 0, workload.calls}, {2, 2, "child", 0, 0, 0, {}}};
    const std::string text = text_workload(workload, {});
    EXPECT_THAT(text, HasSubstr("0.004000        2.0  2,000  openat  1,500 ENOENT"));
    EXPECT_THAT(text, HasSubstr("child"));
}

TEST(Diff, says_the_same_where_nothing_differs) {
    model::ProfileDiff diff;
    diff.events = {{"Send", 10, 20, 0.5, 0.25}};
    const std::string text = text_diff(diff, {});
    EXPECT_THAT(text, HasSubstr("10     20        50.0 %       25.0 %  Send"));
    EXPECT_THAT(text, HasSubstr("Event graph\n  the same"));
    EXPECT_EQ(json::parse(json_diff(diff))["events"][0]["share_after"], 0.25);
}

TEST(Numbers, are_grouped_by_thousands) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(UINT64_MAX), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace thalweg::report
