// record: LLVM's text of a profile, as llvm-profdata 19 writes it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/profdata_text.h"

namespace thalweg::record {
namespace {

using namespace model;

using testing::HasSubstr;

// llvm-profdata merge --text, of a program with one call through a pointer and one copy of varying size.
constexpr const char *of_llvm = R"(# IR level Instrumentation Flag
:ir
main
# Func Hash:
1112238374894678140
# Num Counters:
2
# Counter Values:
1000
1
# Num Value Kinds:
2
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
a.c;f:1000
# ValueKind = IPVK_MemOPSize:
1
# NumValueSites:
1
1
8:1000

a.c;f
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1000

)";

std::string problem_of(const std::string &text) {
    const auto counts = read_profdata_text(text);
    return counts ? "none" : counts.error().message;
}

TEST(ProfdataText, of_llvm_is_read_with_the_targets_of_calls_and_the_sizes_of_memory_operations) {
    const auto counts = read_profdata_text(of_llvm);
    ASSERT_TRUE(counts) << counts.error().message;
    EXPECT_EQ(*counts,
              (std::vector<FunctionCounts>{{"main", 1112238374894678140, {1000, 1}, {{{"a.c;f", 1000}}}, {{{8, 1000}}}},
                                           {"a.c;f", 742261418966908927, {1000}}}));
}

TEST(ProfdataText, is_read_back_as_it_was_written) {
    const std::vector<FunctionCounts> counts = {{"f", UINT64_MAX, {0, INT64_MAX}},
                                                {"_ZN1aE", 7, {3}, {{{"", 4}, {"a:b;c", INT64_MAX}}, {}, {{"f", 1}}}},
                                                {"g", 7, {3}, {}, {{{0, 2}, {513, 9}}, {}}},
                                                {"h", 7, {3}, {{{"f", 1}}}, {{{4, 2}}}}};
    const auto again = read_profdata_text(write_profdata_text(counts));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, counts);
}

TEST(ProfdataText, has_no_function_for_which_llvm_would_refuse_all_of_it) {
    const auto again = read_profdata_text(write_profdata_text(
        {{"a\nb", 1, {1}}, {"#c", 1, {1}}, {":ir", 1, {1}}, {"17", 1, {1}}, {"none", 1, {}}, {"d", 1, {1}}}));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, (std::vector<FunctionCounts>{{"d", 1, {1}}}));
}

TEST(ProfdataText, of_a_front_end_or_of_nothing_is_refused) {
    EXPECT_THAT(problem_of(""), HasSubstr("no profile of IR instrumentation"));
    EXPECT_THAT(problem_of("main\n1\n1\n5\n"), HasSubstr("no profile of IR instrumentation"));
}

TEST(ProfdataText, with_what_is_no_count_is_refused_with_its_line) {
    EXPECT_THAT(problem_of(":ir\nf\n1\n2\n5\nmany\n"), HasSubstr("line 6: not a count"));
    EXPECT_THAT(problem_of(":ir\nf\n1\n2\n5\n"), HasSubstr("not a count"));
    EXPECT_THAT(problem_of(":ir\nf\n1\n1\n-5\n"), HasSubstr("not a count"));
    EXPECT_THAT(problem_of(":ir\nf\n1\n1\n9223372036854775808\n"), HasSubstr("not a count"));
    EXPECT_THAT(problem_of(":ir\nf\n1\n18446744073709551615\n"), HasSubstr("not a number of counters"));
    EXPECT_THAT(problem_of(":ir\nf\n1\n0\n"), HasSubstr("a function without a counter"));
    EXPECT_THAT(problem_of(":ir\nf\n"), HasSubstr("not a hash"));
    EXPECT_THAT(problem_of(":ir\nf\n1\n1\n5\n1\n0\n1\n2\na:1\n"), HasSubstr("the values end too early"));
    for (const char *target : {"a", "a:", ":1", "17:1"})
        EXPECT_THAT(problem_of(fmt::format(":ir\nf\n1\n1\n5\n1\n0\n1\n1\n{}\n", target)), HasSubstr("line 10: not a "))
            << target;
    for (const char *size : {"8", "8:", ":1", "-8:1", "eight:1", "8:9223372036854775808"})
        EXPECT_THAT(problem_of(fmt::format(":ir\nf\n1\n1\n5\n1\n1\n1\n1\n{}\n", size)), HasSubstr("line 10: not a "))
            << size;
    EXPECT_THAT(problem_of(":ir\nf\n1\n1\n5\n1\n0\n1\n1\na:9223372036854775808\n"), HasSubstr("line 10: not a count"));
    EXPECT_THAT(problem_of(":ir\nf\n1\n1\n5\n1\n0\n18446744073709551615\n"), HasSubstr("not a number of sites"));
}

}  // namespace
}  // namespace thalweg::record
