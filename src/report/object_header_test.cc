// report: what the header of a specialised function says, and that names do no harm in it.
#include "report/object_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/facts.h"

namespace thalweg::report {
namespace {

using testing::HasSubstr;
using testing::Not;

model::Fact behind_handle(bool trusted) {
    model::Fact fact{.kind = model::FactKind::memory, .function = "send", .path = {0, 16}, .width = 8};
    fact.values = {{.symbol = "operations", .bits = 24}};
    fact.trusted = trusted;
    return fact;
}

std::string header_for(model::Fact fact, model::ObjectFunction object) {
    model::Decision decision{.id = 1, .site = {.function = "send"}, .work = model::Specialize{{std::move(fact)}}};
    object.symbol = "send_special";
    object.prototype = "int send_special(struct sink *arg0)";
    return object_header(decision, {.decision = 1, .applied = true, .reason = "1 branches decided"}, object, "./prog");
}

TEST(FactWords, are_those_that_the_command_line_takes) {
    EXPECT_EQ(fact_words(behind_handle(false)), "arg0->0->16 = &operations+24");
    model::Fact number{.kind = model::FactKind::argument, .ordinal = 2, .width = 4};
    number.values = {{.bits = 5}, {.bits = 0xffffffff}};
    EXPECT_EQ(fact_words(number), "arg2:4 = 5 | 0xffffffff");
    model::Fact load{.kind = model::FactKind::load, .function = "weigh", .ordinal = 3, .width = 8};
    load.values = {{.bits = 7}};
    EXPECT_EQ(fact_words(load), "load weigh#3 = 7");
}

TEST(ObjectHeader, declares_the_function_for_c_and_cpp) {
    const std::string header = header_for(behind_handle(false), {.from_debug_info = true, .tags = {"struct sink"}});
    EXPECT_THAT(header, HasSubstr("extern \"C\" {"));
    EXPECT_THAT(header, HasSubstr("struct sink;\nint send_special(struct sink *arg0);\n"));
    EXPECT_THAT(header, HasSubstr("#ifndef THALWEG_SEND_SPECIAL_H\n#define THALWEG_SEND_SPECIAL_H\n"));
}

TEST(ObjectHeader, tells_of_a_trusted_fact_that_it_is_not_tested) {
    EXPECT_THAT(header_for(behind_handle(true), {}), HasSubstr("TRUSTED: not tested"));
    EXPECT_THAT(header_for(behind_handle(true), {}), HasSubstr("anything may happen"));
    EXPECT_THAT(header_for(behind_handle(false), {}), Not(HasSubstr("TRUSTED")));
}

TEST(ObjectHeader, tests_a_fact_with_two_values_though_it_is_marked_trusted) {
    model::Fact fact = behind_handle(true);
    fact.values.push_back({.bits = 0});
    EXPECT_THAT(header_for(fact, {}), Not(HasSubstr("TRUSTED")));
}

TEST(ObjectHeader, tells_what_to_link_and_what_to_declare_before) {
    const std::string header = header_for(
        behind_handle(false), {.by_value = {"struct point"}, .copies = {"weigh"}, .externals = {"operations", "log"}});
    EXPECT_THAT(header, HasSubstr("linked with what defines:\n *    operations log\n"));
    EXPECT_THAT(header, HasSubstr("copied into the object:\n *    weigh\n"));
    EXPECT_THAT(header, HasSubstr("declared in full:\n *    struct point\n"));
    EXPECT_THAT(header, HasSubstr("from the types of the compiled code"));
}

TEST(ObjectHeader, no_name_ends_its_comment) {
    model::Fact fact = behind_handle(false);
    fact.values.front().symbol = "odd*/name";
    const std::string header = header_for(fact, {});
    EXPECT_EQ(header.find("*/"), header.rfind("*/"));
}

}  // namespace
}  // namespace thalweg::report
