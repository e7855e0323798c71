// report: the page is one closed document, whatever the names in the artefacts are.
#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace thalweg::report {
namespace {

using testing::HasSubstr;
using testing::Not;

model::Profile profile_with_event_named(const std::string &name) {
    model::Profile profile;
    profile.program = "./server";
    profile.events.push_back({.name = name, .raises = 7});
    return profile;
}

size_t count_of(const std::string &text, const std::string &part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

TEST(HtmlData, keeps_a_name_as_it_is) {
    const std::string name = "</script><!-- & \" \\ \xE2\x80\xA8 \xE2\x80\xA9 \n \x01 h\xC3\xA9";
    const auto profile = profile_with_event_named(name);
    const auto read = nlohmann::json::parse(html_data({.profile = &profile}));
    EXPECT_EQ(read["events"][0]["name"], name);
}

TEST(HtmlData, knows_no_time_where_nothing_was_timed) {
    auto profile = profile_with_event_named("a");
    EXPECT_EQ(nlohmann::json::parse(html_data({.profile = &profile}))["events"][0]["time"], nullptr);
    profile.events[0].time = {7, 900, 80, 600, model::unknown_error};
    const auto time = nlohmann::json::parse(html_data({.profile = &profile}))["events"][0]["time"];
    EXPECT_EQ(time["ownNs"], 600);
    EXPECT_EQ(time["insideErrorNs"], 80);
    EXPECT_EQ(time["ownErrorNs"], nullptr);
}

TEST(HtmlData, holds_nothing_that_could_end_or_open_an_element) {
    const auto profile = profile_with_event_named("</script><script>alert(1)</script><!--&lt;\xE2\x80\xA8");
    const std::string data = html_data({.profile = &profile});
    EXPECT_EQ(data.find_first_of("<>&"), std::string::npos);
    for (const char c : data)
        EXPECT_TRUE(c >= ' ' && c <= '~') << "byte " << static_cast<int>(c);
}

TEST(HtmlData, takes_bytes_that_are_no_text) {
    const auto profile = profile_with_event_named("\xFF\xFE caf\xE9 \xED\xA0\x80");
    const auto read = nlohmann::json::parse(html_data({.profile = &profile}));
    EXPECT_THAT(read["events"][0]["name"].get<std::string>(), HasSubstr(" caf"));
}

TEST(HtmlData, puts_the_source_of_layers_beside_what_became_of_it) {
    const model::Profile profile;
    const model::Outcome outcome{
        .decisions = {
            {.decision = 1,
             .applied = true,
             .functions = {{"_ZN3Net4sendEv", "a.c", "/src", 1, {{.line = 2, .evaluated = 3, .reasons = {"why"}}}}}}}};
    const Sources sources = {{{"/src", "a.c"}, {{"</script><script>alert(1)</script>", "caf\xE9 &<!--"}, {}}}};
    const std::string data = html_data({.profile = &profile, .outcome = &outcome, .sources = &sources});
    EXPECT_EQ(data.find_first_of("<>&"), std::string::npos);
    const auto function = nlohmann::json::parse(data)["outcome"]["decisions"][0]["functions"][0];
    EXPECT_EQ(function["function"], "Net::send");
    EXPECT_EQ(function["lines"][0]["text"], "</script><script>alert(1)</script>");
    EXPECT_EQ(function["lines"][0]["marks"], "");
    EXPECT_EQ(function["lines"][1]["text"], "caf\xEF\xBF\xBD &<!--");
    EXPECT_EQ(function["lines"][1]["marks"], "s");
    EXPECT_EQ(function["lines"][1]["evaluated"], 3);
    EXPECT_EQ(function["lines"][1]["reasons"][0], "why");
}

TEST(HtmlData, has_lines_without_text_where_no_source_was_read) {
    const model::Profile profile;
    const model::Outcome outcome{
        .decisions = {{.decision = 1, .functions = {{"send", "a.c", "/src", 1, {{.line = UINT32_MAX}}}}}}};
    const auto read = nlohmann::json::parse(html_data({.profile = &profile, .outcome = &outcome}));
    const auto function = read["outcome"]["decisions"][0]["functions"][0];
    EXPECT_EQ(function["problem"], "a.c was not read");
    EXPECT_EQ(function["lines"][0]["line"], UINT32_MAX);
    EXPECT_TRUE(function["lines"][0]["text"].is_null());
}

TEST(HtmlData, tells_of_each_fact_whether_it_is_trusted) {
    const model::Profile profile;
    model::Plan plan;
    const std::vector<model::Fact> two = {{.width = 4, .values = {{"", 5}}, .trusted = true},
                                          {.width = 8, .values = {{"ops", 0}}}};
    plan.decisions.push_back({.id = 1, .work = model::Specialize{two}});
    const auto facts = nlohmann::json::parse(html_data({.profile = &profile, .plan = &plan}))["decisions"][0]["facts"];
    EXPECT_EQ(facts[0]["text"], "arg0:4 = 5");
    EXPECT_EQ(facts[0]["trusted"], true);
    EXPECT_EQ(facts[1]["text"], "arg0 = &ops");
    EXPECT_EQ(facts[1]["trusted"], false);
}

TEST(HtmlData, says_whether_a_run_was_recorded) {
    const model::Profile profile;
    EXPECT_EQ(nlohmann::json::parse(html_data({.profile = &profile}))["recorded"], true);
    EXPECT_EQ(nlohmann::json::parse(html_data({.profile = &profile, .recorded = false}))["recorded"], false);
}

TEST(HtmlData, says_what_is_missing) {
    const auto profile = profile_with_event_named("Tick");
    const auto read = nlohmann::json::parse(html_data({.profile = &profile}));
    EXPECT_TRUE(read["decisions"].is_null());
    EXPECT_TRUE(read["outcome"].is_null());
    EXPECT_TRUE(read["comparison"].is_null());
    const model::Plan empty;
    EXPECT_TRUE(nlohmann::json::parse(html_data({.profile = &profile, .plan = &empty}))["decisions"].is_array());
}

TEST(HtmlData, shows_linker_names_as_people_write_them_and_leaves_others_alone) {
    model::Profile profile;
    profile.symbols = {{.name = "_ZN3net5Layer4pushEi"}, {.name = "_Zebra"}, {.name = "fec_sfu1"}};
    const auto read = nlohmann::json::parse(html_data({.profile = &profile}));
    EXPECT_EQ(read["symbols"][0]["name"], "net::Layer::push");
    EXPECT_EQ(read["symbols"][0]["fullName"], "net::Layer::push(int)");
    EXPECT_EQ(read["symbols"][1]["name"], "_Zebra");
    EXPECT_EQ(read["symbols"][2]["name"], "fec_sfu1");
}

TEST(HtmlData, writes_the_index_of_nothing_as_null) {
    model::Profile profile;
    profile.sequences.push_back({.targets = {{.function = model::none}, {.function = 0}}, .count = 3});
    profile.symbols.push_back({.name = "f"});
    const auto read = nlohmann::json::parse(html_data({.profile = &profile}));
    EXPECT_TRUE(read["sequences"][0]["event"].is_null());
    EXPECT_TRUE(read["sequences"][0]["targets"][0]["function"].is_null());
    EXPECT_EQ(read["sequences"][0]["targets"][1]["function"], 0);
}

TEST(HtmlReport, is_one_document_that_asks_nobody_for_anything) {
    const auto profile = profile_with_event_named("Tick");
    const std::string page = html_report({.profile = &profile});
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_EQ(count_of(page, "<script"), 2u);
    EXPECT_EQ(count_of(page, "</script"), 2u);
    EXPECT_THAT(page, HasSubstr("default-src 'none'"));
    EXPECT_THAT(page, HasSubstr(html_data({.profile = &profile})));
    EXPECT_THAT(page, Not(HasSubstr("src=")));
    EXPECT_THAT(page, Not(HasSubstr("<link")));
    EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(HtmlReport, without_data_is_small) {
    constexpr size_t largest = 400'000;  // bytes; a report is mailed and kept
    const model::Profile empty;
    EXPECT_LT(html_report({.profile = &empty}).size(), largest);
}

TEST(HtmlReport, of_the_same_artefacts_is_the_same_bytes) {
    const auto profile = profile_with_event_named("Tick");
    EXPECT_EQ(html_report({.profile = &profile}), html_report({.profile = &profile}));
}

}  // namespace
}  // namespace thalweg::report
