// report: what the summary of `thalweg auto` says, in how many lines, and that hostile names do no harm in it.
#include "report/summary.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg::report {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Sample {
    Sample() {
        profile.command = "./server --port 1";
        profile.sites = {{"_ZN3Net4sendEv", 0, 1, model::SiteKind::event, {"net.cc", 12, 3}},
                         {"copy", 0, 1, model::SiteKind::call, {"copy.c", 7, 1}, "read"}};
        profile.events = {{"Rare", model::SiteKind::event, 10}, {"Send", model::SiteKind::event, 990}};
        profile.sequences = {{0, 1, {}, false, 990}};
        profile.system_calls = {{.site = 1, .calls = 40}};
        profile.coverage.dispatches = 1000;
        for (uint32_t id = 1; id <= 6; ++id)
            plan.decisions.push_back({.id = id,
                                      .event = fmt::format("Event{}", id),
                                      .site = profile.sites[0],
                                      .predicted_gain_total_ms = static_cast<double>(id),
                                      .reason = "always the same. More of it."});
        for (const uint32_t id : {5u, 6u}) {
            plan.decisions[id - 1].verdict = model::Verdict::refuse;
            plan.decisions[id - 1].refusal = "too-cold";
            plan.decisions[id - 1].reason = fmt::format("refused {}", id);
        }
        outcome = {{{4, true, "4 targets merged", 60}}, 1000, 1060};
        comparison.metric = model::metric_cpu;
        comparison.summary = "outputs equal; 35.1 % less processor time than the original";
        comparison.measurement.cpu_ratio = comparison.measurement.wall_ratio = {0.649, 0.6, 0.7, 0.95, 10};
        parts = {{"system calls", 2, false, {1.001, 0.99, 1.01, 0.95, 10}, model::metric_cpu},
                 {"lines of events", 4, true, {0.6, 0.5, 0.7, 0.95, 10}, model::metric_cpu}};
    }
    SummaryData data() const {
        return {.profile = &profile,
                .plan = &plan,
                .outcome = &outcome,
                .comparison = &comparison,
                .parts = parts,
                .explain = "thalweg explain server.plan",
                .files = {{"report", "server.html"}}};
    }
    std::string text() const { return text_summary(data(), {}); }
    model::Profile profile;
    model::Plan plan;
    model::Outcome outcome;
    model::Comparison comparison;
    std::vector<MeasuredPart> parts;
};

TEST(Summary, says_what_ran_what_was_done_what_was_refused_and_what_it_brought) {
    const std::string text = Sample().text();
    EXPECT_THAT(text, HasSubstr("hottest    Send (net.cc:12, Net::send): 990 times, 99.0 % of all\n"));
    EXPECT_THAT(text, HasSubstr("read (copy.c:7, copy): 40 calls, 100.0 % of all\n"));
    EXPECT_THAT(text, HasSubstr("done       merge Event4 (net.cc:12, Net::send): 4 targets merged\n"));
    EXPECT_THAT(text, HasSubstr("merge Event3 (net.cc:12, Net::send): always the same\n"));
    EXPECT_THAT(text, HasSubstr("           2 more\n"));
    EXPECT_THAT(text, HasSubstr("taken out  system calls (2 decisions): did not pay, 1.001 (0.990 to 1.010) of the "
                                "processor time without\n"));
    EXPECT_THAT(text, HasSubstr("refused    merge Event6 (net.cc:12, Net::send): refused 6; 1 more: thalweg explain "
                                "server.plan\n"));
    EXPECT_THAT(text, HasSubstr("code       1,000 IR instructions before, 1,060 after (+6.0 %)\n"));
    EXPECT_THAT(text, HasSubstr("verdict    outputs equal; 35.1 % less processor time than the original\n"));
    EXPECT_THAT(text, HasSubstr("written    report server.html\n"));
}

TEST(Summary, says_what_each_kind_of_decision_brought_and_what_the_rest_did) {
    Sample sample;
    EXPECT_THAT(sample.text(), HasSubstr("shares     lines of events 0.600 (0.500 to 0.700), all else (link-time "
                                         "optimisation, the profile) ~1.082 of the processor time without\n"));
    sample.parts.pop_back();
    EXPECT_THAT(sample.text(), HasSubstr("shares     all else (link-time optimisation, the profile) ~0.649 of the "
                                         "processor time without\n"));
    sample.comparison.measurement = {};
    EXPECT_THAT(sample.text(), Not(HasSubstr("shares")));
}

TEST(Summary, names_as_hottest_what_costs_most_where_that_is_known) {
    Sample sample;
    sample.profile.events[0].time = {5, 9'000'000, 100'000, 8'000'000, 200'000};
    sample.profile.events[1].time = {50, 9000, 100, 9000, 100};
    EXPECT_THAT(sample.text(), HasSubstr("hottest    Rare: ~8 ms ±200 us in 10 dispatches\n"));
    EXPECT_THAT(sample.text(), Not(HasSubstr("990 times")));
}

TEST(Summary, has_at_most_fifteen_lines_whatever_there_is_to_say) {
    Sample sample;
    for (MeasuredPart &part : sample.parts)
        part.kept = false;
    sample.parts.push_back(sample.parts[0]);
    sample.parts.push_back(sample.parts[0]);
    sample.comparison.measurement.candidate_instructions = 1;
    sample.comparison.measurement.wall_ratio.n = 10;
    const std::string text = sample.text();
    EXPECT_LE(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')), most_summary_lines) << text;
}

TEST(Summary, does_not_list_what_was_taken_out_as_refused) {
    Sample sample;
    sample.plan.decisions[5].refusal = "does-not-pay";
    EXPECT_THAT(sample.text(), HasSubstr("refused 5\n"));
    EXPECT_THAT(sample.text(), Not(HasSubstr("refused 6")));
}

TEST(Summary, says_that_nothing_is_left) {
    Sample sample;
    for (model::Decision &decision : sample.plan.decisions)
        decision.verdict = model::Verdict::refuse;
    EXPECT_THAT(sample.text(), HasSubstr("done       nothing: no decision is left\n"));
}

TEST(Summary, of_a_run_without_events_names_the_function_that_was_entered_most) {
    Sample sample;
    sample.profile.events.clear();
    sample.profile.sequences.clear();
    sample.profile.functions = {{{.name = "_ZN3Net5writeEv"}, 7, 2}};
    EXPECT_THAT(sample.text(), HasSubstr("hottest    Net::write: ~7 ±2 entries\n"));
}

TEST(Summary, keeps_a_terminal_safe_from_names) {
    Sample sample;
    sample.profile.events[1].name = "a\033[2Jb";
    sample.plan.decisions[3].event = "c\nd";
    EXPECT_THAT(sample.text(), Not(HasSubstr("\033")));
    EXPECT_THAT(sample.text(), Not(HasSubstr("c\nd")));
}

TEST(Summary, is_one_json_document) {
    const auto json = nlohmann::json::parse(json_summary(Sample().data()));
    EXPECT_EQ(json.at("measured").at(0).at("what"), "system calls");
    EXPECT_EQ(json.at("measured").at(0).at("kept"), false);
    EXPECT_EQ(json.at("comparison").at("agreement"), "equal");
    EXPECT_EQ(json.at("files").at("report"), "server.html");
    EXPECT_EQ(json.at("instructions_after"), 1060);
}

}  // namespace
}  // namespace thalweg::report
