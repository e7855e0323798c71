// plan: each form of a declared fact, and what is said of those that are none.
#include "plan/declared.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg::plan {
namespace {

using model::Fact;
using model::FactKind;
using testing::HasSubstr;

Fact read(const std::string &text) {
    const auto fact = declared_fact(text, "send");
    EXPECT_TRUE(fact) << (fact ? "" : fact.error().message);
    return fact ? *fact : Fact{};
}

std::string complaint(const std::string &text) {
    const auto fact = declared_fact(text, "send");
    return fact ? "understood" : fact.error().message;
}

TEST(DeclaredFact, SpeaksOfAnArgument) {
    const Fact fact = read("arg2 = 5 | -1");
    EXPECT_EQ(fact.kind, FactKind::argument);
    EXPECT_EQ(fact.function, "send");
    EXPECT_EQ(fact.ordinal, 2u);
    EXPECT_EQ(fact.values, (std::vector<model::FactValue>{{"", 5}, {"", UINT64_MAX}}));
}

TEST(IndependentCalls, NameAProgramItsVersionAndProcedures) {
    const auto calls = declared_independent("0x20000199:1: 1, 2,30");
    ASSERT_TRUE(calls) << calls.error().message;
    EXPECT_EQ(*calls, (model::IndependentCalls{0x20000199, 1, {1, 2, 30}}));
}

TEST(IndependentCalls, AreNotUnderstoodWhereAPartIsMissing) {
    for (const char *text : {"", "1", "1:2", "1:2:", "1:2:3,", "1:2:x", "-1:2:3", "1:2:4294967296", "1:2:3 4"})
        EXPECT_FALSE(declared_independent(text)) << text;
    EXPECT_THAT(declared_independent("1:2:3,x").error().message, HasSubstr("at \"x\": here stands a procedure"));
}

TEST(DeclaredFact, SpeaksOfWhatIsBehindAPointer) {
    const Fact fact = read("arg0->8->-16:4=0x10|&operations+24");
    EXPECT_EQ(fact.kind, FactKind::memory);
    EXPECT_EQ(fact.path, (std::vector<int64_t>{8, -16}));
    EXPECT_EQ(fact.width, 4u);
    EXPECT_EQ(fact.values, (std::vector<model::FactValue>{{"", 16}, {"operations", 24}}));
}

TEST(DeclaredFact, SpeaksOfALoad) {
    const Fact fact = read("load xdr_long#3:2 = -1");
    EXPECT_EQ(fact.kind, FactKind::load);
    EXPECT_EQ(fact.function, "xdr_long");
    EXPECT_EQ(fact.ordinal, 3u);
    EXPECT_EQ(fact.values, (std::vector<model::FactValue>{{"", 0xffff}}));
}

TEST(DeclaredFact, SpeaksOfALoadWhereOneCallLedThere) {
    const Fact fact = read("load xdr_long#3:4 from xdr_pair#1 = 2");
    EXPECT_EQ(fact.function, "xdr_long");
    EXPECT_EQ(fact.call, (model::FactCall{"xdr_pair", 1, 0, {}}));
    EXPECT_EQ(fact.values, (std::vector<model::FactValue>{{"", 2}}));
}

TEST(DeclaredFact, SpeaksOfWhatACallGives) {
    const Fact fact = read("result main#3:4 = 8");
    EXPECT_EQ(fact.kind, model::FactKind::result);
    EXPECT_EQ(fact.function, "main");
    EXPECT_EQ(fact.ordinal, 3u);
    EXPECT_EQ(fact.values, (std::vector<model::FactValue>{{"", 8}}));
}

TEST(DeclaredFact, SaysWhatIsNotUnderstood) {
    EXPECT_THAT(complaint("result #3 = 1"), HasSubstr("result FUNCTION#NUMBER"));
    EXPECT_THAT(complaint("result f#3->8 = 1"), HasSubstr("= is missing"));
    EXPECT_THAT(complaint("load f#1 from g = 1"), HasSubstr("write from CALLER#NUMBER"));
    EXPECT_THAT(complaint("arg0 from g#1 = 1"), HasSubstr("= is missing"));
    EXPECT_THAT(complaint(""), HasSubstr("it begins with argN"));
    EXPECT_THAT(complaint("argument0 = 1"), HasSubstr("which argument?"));
    EXPECT_THAT(complaint("arg0"), HasSubstr("= is missing"));
    EXPECT_THAT(complaint("arg0 = "), HasSubstr("a value is a number or &SYMBOL"));
    EXPECT_THAT(complaint("arg0 = 1 2"), HasSubstr("at \"2\""));
    EXPECT_THAT(complaint("arg0-> = 1"), HasSubstr("an offset in bytes"));
    EXPECT_THAT(complaint("arg0:9 = 1"), HasSubstr("1 to 8 bytes"));
    EXPECT_THAT(complaint("arg0 = &"), HasSubstr("a symbol's linker name"));
    EXPECT_THAT(complaint("load #3 = 1"), HasSubstr("load FUNCTION#NUMBER"));
    EXPECT_THAT(complaint("arg0 = 99999999999999999999"), HasSubstr("a value is a number"));
}

}  // namespace
}  // namespace thalweg::plan
