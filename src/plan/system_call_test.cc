// plan: tests of what becomes of system calls, each refusal with the neighbour that is not refused.
#include "plan/system_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

using model::Decision;
using model::DecisionKind;
using model::Plan;
using model::Profile;
using model::SiteKind;
using testing::HasSubstr;

enum Place : uint32_t { asks, gives_back, opens, looks, advises, reads, writes, journal };

// Reads 100 files of 20 blocks to a short end and copies some, with a buffer of its own for each; and writes a journal of three parts.
struct Program {
    Program() {
        const char *callees[] = {"aligned_alloc", "free", "open",  "fstat",
                                 "posix_fadvise", "read", "write", "pwrite64"};
        for (const char *callee : callees)
            profile.sites.push_back({"main",
                                     static_cast<uint32_t>(profile.sites.size()),
                                     7,
                                     SiteKind::call,
                                     {"copy.c", 10 + static_cast<uint32_t>(profile.sites.size()), 3},
                                     callee});
        profile.system_calls = {{asks, 100, 0, 0, 0, 100 * 135168, 0},
                                {opens, 100, 0, 0, 0, 0, 0},
                                {looks, 100, 0, 0, 0, 0, 0},
                                {advises, 100, 0, 0, 0, 0, 0},
                                {reads, 2100, 0, 100, 200, 2100 * 4096, 2000 * 4096},
                                {writes, 2000, 0, 0, 0, 2000 * 4096, 2000 * 4096},
                                {journal, 300, 0, 0, 0, 300 * 8, 300 * 8}};
        profile.system_call_edges = {{reads, writes, 2000, 0, 2000, 2000, 0}, {journal, journal, 200, 200, 0, 0, 200},
                                     {opens, looks, 100, 100, 0, 0, 0},       {looks, advises, 100, 100, 0, 0, 0},
                                     {advises, reads, 100, 100, 0, 0, 0},     {reads, reads, 100, 100, 100, 0, 0}};
        profile.releases = {{asks, gives_back, 100}};
    }
    Profile profile;
};

Plan plan_of(const Profile &profile, const Bounds &bounds = {},
             const std::vector<model::IndependentCalls> &independent = {}) {
    Plan plan;
    plan_system_calls(profile, {}, bounds, plan, independent);
    EXPECT_TRUE(model::validate(plan));
    return plan;
}

// "applied", the refusal's name, or "none".
std::string verdict(const Plan &plan, DecisionKind kind, Place place) {
    for (const Decision &decision : plan.decisions)
        if (decision.kind() == kind && decision.site.ordinal == place)
            return decision.refusal.empty() ? "applied" : decision.refusal;
    return "none";
}

const Decision &decision_of(const Plan &plan, DecisionKind kind) {
    return *std::find_if(plan.decisions.begin(), plan.decisions.end(),
                         [&](const Decision &one) { return one.kind() == kind; });
}

TEST(SystemCalls, what_is_asked_for_and_given_back_again_and_again_is_kept) {
    const Program program;
    const Plan plan = plan_of(program.profile);
    EXPECT_EQ(verdict(plan, DecisionKind::hoist, asks), "applied");
    const Decision &decision = decision_of(plan, DecisionKind::hoist);
    ASSERT_EQ(decision.group().size(), 1);
    EXPECT_EQ(decision.group()[0].callee, "free");
    EXPECT_EQ(decision.weight, 100);
    EXPECT_EQ(decision.event, "aligned_alloc in main");
    EXPECT_THAT(decision.reason, HasSubstr("100 of 100 blocks of 135168 bytes"));
}

TEST(SystemCalls, what_is_seldom_given_back_is_not_kept) {
    Program program;
    program.profile.releases[0].count = 40;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::hoist, asks), "not-given-back");
    program.profile.releases[0].count = 50;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::hoist, asks), "applied");
}

TEST(SystemCalls, a_loop_that_writes_what_it_reads_becomes_one_call) {
    const Program program;
    const Plan plan = plan_of(program.profile);
    EXPECT_EQ(verdict(plan, DecisionKind::fuse, reads), "applied");
    EXPECT_EQ(decision_of(plan, DecisionKind::fuse).group()[0].callee, "write");
}

TEST(SystemCalls, a_loop_that_writes_something_else_or_another_size_stays) {
    for (uint64_t model::SystemCallEdge::*part :
         {&model::SystemCallEdge::result_is_size, &model::SystemCallEdge::same_buffer}) {
        Program program;
        program.profile.system_call_edges[0].*part = 1799;
        EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::fuse, reads), "none");
        program.profile.system_call_edges[0].*part = 1800;
        EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::fuse, reads), "applied");
    }
}

TEST(SystemCalls, a_loop_of_one_round_is_not_worth_the_guard) {
    Program program;
    program.profile.system_calls[4] = {reads, 200, 0, 100, 100, 200 * 4096, 100 * 500};
    program.profile.system_call_edges[0] = {reads, writes, 100, 0, 100, 100, 0};
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::fuse, reads), "costs-no-more");
}

// Accepts 100 connections, and makes two calls for the flags of each.
struct Server {
    enum Place : uint32_t { accepts, gets, sets, receives };
    Server() {
        for (const char *callee : {"accept", "fcntl", "fcntl", "recv"})
            profile.sites.push_back({"main",
                                     static_cast<uint32_t>(profile.sites.size()),
                                     7,
                                     SiteKind::call,
                                     {"server.c", 10 + static_cast<uint32_t>(profile.sites.size()), 3},
                                     callee});
        profile.system_calls = {{accepts, 110, 10, 0, 0, 0, 0},
                                {gets, 100, 0, 0, 0, 0, 0},
                                {sets, 100, 0, 0, 0, 0, 0},
                                {receives, 100, 0, 0, 0, 400, 400}};
        profile.system_call_edges = {{accepts, gets, 100, 100, 0, 0, 0},
                                     {gets, sets, 100, 100, 0, 0, 0},
                                     {sets, receives, 100, 100, 0, 0, 0},
                                     {receives, accepts, 100, 0, 0, 0, 0}};
    }
    Profile profile;
};

TEST(SystemCalls, a_descriptor_is_made_with_the_flags_that_the_calls_behind_set) {
    const Server server;
    const Plan plan = plan_of(server.profile);
    ASSERT_EQ(plan.decisions.size(), 1);
    const Decision &decision = plan.decisions[0];
    EXPECT_EQ(decision.kind(), DecisionKind::fuse);
    EXPECT_EQ(decision.site.ordinal, Server::accepts);
    ASSERT_EQ(decision.group().size(), 2);
    EXPECT_EQ(decision.group()[0].ordinal, Server::gets);
    EXPECT_EQ(decision.group()[1].ordinal, Server::sets);
    EXPECT_EQ(decision.weight, 100);
    EXPECT_DOUBLE_EQ(decision.predicted_gain_ns, 2 * CostTable{}.system_call_ns);
}

TEST(SystemCalls, a_descriptor_that_is_seldom_given_flags_is_made_without) {
    Server server;
    server.profile.system_call_edges[0].weight = 89;
    EXPECT_TRUE(plan_of(server.profile).decisions.empty());
    server.profile.system_call_edges[0].weight = 90;
    EXPECT_EQ(plan_of(server.profile).decisions.size(), 1);
}

TEST(SystemCalls, fcntl_is_followed_where_it_makes_a_descriptor) {
    Server server;
    server.profile.sites[Server::accepts].callee = "fcntl";
    EXPECT_TRUE(plan_of(server.profile).decisions.empty());
    server.profile.system_call_edges[0].same_descriptor = 0;
    EXPECT_EQ(plan_of(server.profile).decisions.size(), 1);
}

TEST(SystemCalls, the_read_that_finds_the_end_and_advice_for_small_files_are_left_out) {
    const Program program;
    const Plan plan = plan_of(program.profile);
    EXPECT_EQ(verdict(plan, DecisionKind::elide, reads), "applied");
    EXPECT_EQ(verdict(plan, DecisionKind::elide, advises), "applied");
    for (const Decision &decision : plan.decisions)
        if (decision.kind() == DecisionKind::elide && decision.site.ordinal == reads) {
            EXPECT_EQ(decision.weight, 100);
            ASSERT_EQ(decision.group().size(), 2);
            EXPECT_EQ(decision.group()[0].callee, "open");
            EXPECT_EQ(decision.group()[1].callee, "fstat");
        }
}

TEST(SystemCalls, the_end_is_not_known_where_others_saw_a_call_between_or_nobody_asked_for_the_size) {
    const auto without = [](auto change) {
        Program program;
        change(program.profile);
        return verdict(plan_of(program.profile), DecisionKind::elide, reads);
    };
    EXPECT_EQ(without([](Profile &profile) { profile.system_call_edges.resize(2); }), "not-known");
    EXPECT_EQ(without([](Profile &profile) { profile.system_calls[4].shorts = 100; }), "not-known");
    EXPECT_EQ(without([](Profile &profile) { profile.system_call_edges[5].from = writes; }), "not-known");
    EXPECT_EQ(without([](Profile &profile) {
                  profile.system_call_edges[5].to = looks;
                  profile.system_call_edges.push_back({looks, reads, 100, 100, 0, 0, 0});
              }),
              "applied");
    EXPECT_EQ(without([](Profile &profile) { profile.system_calls[2].calls = 15; }), "not-known");
    EXPECT_EQ(without([](Profile &profile) { profile.system_calls[1].errors = 85; }), "not-known");
    EXPECT_EQ(without([](Profile &profile) { profile.system_calls[1].errors = 84; }), "applied");
}

TEST(SystemCalls, advice_about_another_file_than_the_last_that_was_opened_is_given) {
    Program program;
    program.profile.system_call_edges[3].same_descriptor = 15;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::elide, advises), "not-known");
    program.profile.system_call_edges[3].same_descriptor = 16;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::elide, advises), "applied");
}

TEST(SystemCalls, a_call_left_out_must_save_more_than_asking_for_the_file_system) {
    Program program;
    program.profile.coverage.processes = 39;  // 100 calls of 168 ns, 430 ns a process
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::elide, reads), "applied");
    program.profile.coverage.processes = 40;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::elide, reads), "costs-no-more");
}

TEST(SystemCalls, all_decisions_together_must_save_more_than_the_question_before_them) {
    Program program;
    Plan plan;
    plan_system_calls(program.profile, {.start_question_ns = 1e6}, {}, plan);
    EXPECT_EQ(verdict(plan, DecisionKind::fuse, reads), "applied");
    Plan none;
    plan_system_calls(program.profile, {.start_question_ns = 1e7}, {}, none);
    EXPECT_EQ(verdict(none, DecisionKind::fuse, reads), "costs-no-more");
    EXPECT_EQ(verdict(none, DecisionKind::hoist, asks), "costs-no-more");
    program.profile.coverage.processes = 10;
    Plan in_many_processes;
    plan_system_calls(program.profile, {.start_question_ns = 1e6}, {}, in_many_processes);
    EXPECT_EQ(verdict(in_many_processes, DecisionKind::fuse, reads), "costs-no-more");
}

TEST(SystemCalls, reads_that_never_find_the_end_stay) {
    Program program;
    program.profile.system_calls[4].zeros = 0;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::elide, reads), "none");
}

TEST(SystemCalls, writes_that_go_on_where_the_one_before_ended_become_one) {
    Program program;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::coalesce, journal), "applied");
    program.profile.system_call_edges[1].adjacent = 0;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::coalesce, journal), "none");
}

TEST(SystemCalls, writes_are_not_joined_where_asking_costs_what_it_saves) {
    const Program program;
    Plan plan;
    plan_system_calls(program.profile, {.join_guard_ns = 796}, {}, plan);
    EXPECT_EQ(verdict(plan, DecisionKind::coalesce, journal), "costs-no-more");
}

TEST(SystemCalls, what_was_seldom_called_is_too_cold) {
    Program program;
    program.profile.system_calls[3].calls = 15;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::elide, advises), "too-cold");
    program.profile.system_calls[3].calls = 16;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::elide, advises), "applied");
    EXPECT_EQ(verdict(plan_of(program.profile, {.eta = 17}), DecisionKind::elide, advises), "too-cold");
}

TEST(SystemCalls, stand_behind_what_the_plan_has_and_those_that_save_most_first) {
    const Program program;
    Plan plan;
    plan.decisions.push_back({.id = 3, .site = {.function = "main"}, .work = model::Specialize{}});
    plan_system_calls(program.profile, {}, {}, plan);
    ASSERT_GT(plan.decisions.size(), 2);
    EXPECT_EQ(plan.decisions[1].id, 4);
    EXPECT_EQ(plan.decisions[1].kind(), DecisionKind::fuse);
    for (size_t i = 2; i < plan.decisions.size(); ++i)
        EXPECT_LE(plan.decisions[i].predicted_gain_total_ms, plan.decisions[i - 1].predicted_gain_total_ms);
}

// Closes the numbers from 3 to 1023, ten times.
struct Closer {
    Closer() {
        profile.sites = {{"main", 0, 7, SiteKind::call, {"close.c", 3, 3}, "close"}};
        profile.system_calls = {{0, 10210, 10000, 0, 0, 0, 0}};
        profile.system_call_edges = {{0, 0, 10200, 0, 0, 0, 0}};
    }
    Profile profile;
};

TEST(SystemCalls, closes_of_numbers_that_are_not_open_are_left_out) {
    const Closer program;
    const Plan plan = plan_of(program.profile);
    EXPECT_EQ(verdict(plan, DecisionKind::elide, asks), "applied");
    EXPECT_EQ(decision_of(plan, DecisionKind::elide).weight, 10000);
    EXPECT_THAT(decision_of(plan, DecisionKind::elide).reason, HasSubstr("10000 of 10210 calls failed, 1000 a loop"));
}

TEST(SystemCalls, closes_of_descriptors_are_no_decision) {
    Closer program;
    program.profile.system_calls[0].errors = 4000;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::elide, asks), "none");
}

TEST(SystemCalls, closes_that_are_not_repeated_are_no_decision) {
    Closer program;
    program.profile.system_call_edges = {};
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::elide, asks), "none");
}

TEST(SystemCalls, closes_of_short_loops_cost_less_than_to_ask) {
    Closer program;
    program.profile.system_call_edges[0].weight = 10060;
    EXPECT_EQ(verdict(plan_of(program.profile), DecisionKind::elide, asks), "costs-no-more");
}

// Two stubs, the second of which is called more often.
Profile remote_calls() {
    Profile profile;
    for (const char *stub : {"lookup_1", "read_1"})
        profile.sites.push_back({stub, 0, 7, SiteKind::call, {"stubs.c", 10, 3}, "clnt_call"});
    profile.system_calls = {{0, 3000, 0, 0, 0, 0, 0}, {1, 5000, 0, 0, 0, 0, 0}};
    return profile;
}

TEST(Overlap, IsForRemoteCallsThatTheUserDeclares) {
    const std::vector<model::IndependentCalls> declared = {{0x20000199, 1, {1, 2}}};
    const Decision decision = decision_of(plan_of(remote_calls(), {}, declared), DecisionKind::overlap);
    EXPECT_EQ(decision.verdict, model::Verdict::apply);
    EXPECT_EQ(std::get<model::Overlap>(decision.work).independent, declared);
    EXPECT_EQ(decision.site.function, "read_1");
    ASSERT_EQ(decision.group().size(), 1u);
    EXPECT_EQ(decision.group()[0].function, "lookup_1");
    EXPECT_EQ(decision.weight, 8000u);
}

TEST(Overlap, IsRefusedWithoutADeclarationAndSaysWhatToDeclare) {
    const Decision decision = decision_of(plan_of(remote_calls()), DecisionKind::overlap);
    EXPECT_EQ(decision.refusal, "not-declared");
    EXPECT_THAT(decision.reason, HasSubstr("--independent PROGRAM:VERSION:PROCEDURE"));
}

TEST(Overlap, IsNothingForAProgramWithoutRemoteCalls) {
    const Plan plan = plan_of(Program().profile, {}, {{1, 1, {1}}});
    EXPECT_TRUE(std::none_of(plan.decisions.begin(), plan.decisions.end(),
                             [](const Decision &one) { return one.kind() == DecisionKind::overlap; }));
}

}  // namespace
}  // namespace thalweg::plan
