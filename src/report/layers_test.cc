// report: lines of an outcome beside the text of the source, whatever an outcome names and whatever stands in the file.
#include "report/layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/text.h"

namespace thalweg::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char *folder = "/src";

model::FunctionTimes function_with(std::vector<model::LineTimes> lines, uint32_t first_line = 1) {
    return {"put", "sink.c", folder, first_line, std::move(lines)};
}

Sources source_of(std::vector<std::string> lines) { return {{{folder, "sink.c"}, {std::move(lines), {}}}}; }

std::vector<std::string> numbered(size_t count) {
    std::vector<std::string> lines;
    for (size_t line = 1; line <= count; ++line)
        lines.push_back("text " + std::to_string(line));
    return lines;
}

LayerFunction layer_of(const model::FunctionTimes &function, const Sources &sources) {
    return layer_functions({.decision = 1, .applied = true, .functions = {function}}, sources).at(0);
}

std::vector<uint32_t> numbers_of(const LayerFunction &function) {
    std::vector<uint32_t> numbers;
    for (const LayerLine &line : function.lines)
        numbers.push_back(line.times.line);
    return numbers;
}

TEST(Layers, put_each_line_beside_its_text_and_what_stands_between) {
    const auto layer = layer_of(function_with({{.line = 4, .residual = 2}, {.line = 2, .evaluated = 1}}, 1),
                                source_of({"int put() {", "a;", "b;", "c;", "}"}));
    EXPECT_EQ(layer.problem, "");
    EXPECT_EQ(layer.place, "sink.c:1");
    EXPECT_THAT(numbers_of(layer), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(layer.lines[1].text, "a;");
    EXPECT_EQ(layer.lines[2].text, "b;");
    EXPECT_EQ(marks_of(layer.lines[0].times), "");
    EXPECT_EQ(marks_of(layer.lines[1].times), "s");
    EXPECT_EQ(marks_of(layer.lines[3].times), "d");
}

TEST(Layers, leave_out_lines_that_are_far_from_code) {
    const auto layer =
        layer_of(function_with({{.line = 20, .residual = 1}, {.line = 27, .residual = 1}}, 1), source_of(numbered(40)));
    EXPECT_THAT(numbers_of(layer), ElementsAre(1, 2, 3, 4, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27));
}

TEST(Layers, have_a_letter_for_each_that_applies) {
    EXPECT_EQ(marks_of({.evaluated = 1, .residual = 1, .tested = 1, .trusted = 1}), "sdgt");
    EXPECT_EQ(marks_of({.tested = 2}), "g");
    EXPECT_EQ(marks_of({.reasons = {"no fact"}}), "");
}

TEST(Layers, come_with_the_most_residual_function_first_and_none_without_lines) {
    model::FunctionTimes light = function_with({{.line = 1, .residual = 1}});
    model::FunctionTimes heavy = function_with({{.line = 2, .residual = 5}, {.line = 0, .residual = 4}});
    light.function = "light";
    heavy.function = "heavy";
    const auto layers = layer_functions({.functions = {light, function_with({}), heavy}}, source_of(numbered(2)));
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[0].function, "heavy");
    EXPECT_EQ(layers[0].residual, 9U);
    EXPECT_EQ(layers[0].lines.back().times.line, 0U);
    EXPECT_EQ(layers[1].function, "light");
}

TEST(Layers, name_a_file_without_detours) {
    model::FunctionTimes function = function_with({{.line = 1, .residual = 1}}, 9);
    function.file = "/usr/lib/gcc/../../include/vector";
    EXPECT_EQ(layer_of(function, {}).place, "/usr/include/vector:9");
}

TEST(Layers, show_text_as_a_terminal_would) {
    const auto layer = layer_of(function_with({{.line = 1, .residual = 1}, {.line = 2, .residual = 1}}),
                                source_of({"\tput;\tx\r", "caf\xE9 \xED\xA0\x80"}));
    EXPECT_EQ(layer.lines[0].text, "        put;    x");
    EXPECT_THAT(layer.lines[1].text, HasSubstr("caf\xEF\xBF\xBD"));
}

TEST(Layers, cut_a_line_that_nobody_reads) {
    const auto layer = layer_of(function_with({{.line = 1, .residual = 1}}), source_of({std::string(1 << 20, 'x')}));
    EXPECT_LT(layer.lines[0].text.size(), 300U);
    EXPECT_THAT(layer.lines[0].text, testing::EndsWith("x..."));
}

// ---- no text: each says why, and the lines are still listed ----

TEST(Layers, say_that_a_file_is_not_there) {
    const Sources sources = {{{folder, "sink.c"}, {{}, "/src/sink.c is not there"}}};
    const auto layer = layer_of(function_with({{.line = 7, .residual = 1}, {.line = 900, .residual = 1}}), sources);
    EXPECT_EQ(layer.problem, "/src/sink.c is not there");
    EXPECT_THAT(numbers_of(layer), ElementsAre(7, 900));
    EXPECT_FALSE(layer.lines[0].has_text);
}

TEST(Layers, say_that_a_file_is_shorter_than_the_one_that_was_compiled) {
    const auto layer = layer_of(function_with({{.line = 2, .residual = 1}, {.line = UINT32_MAX, .residual = 1}}),
                                source_of(numbered(3)));
    EXPECT_THAT(layer.problem, HasSubstr("sink.c has 3 lines, and code belongs to line 4294967295"));
    EXPECT_THAT(numbers_of(layer), ElementsAre(2, UINT32_MAX));
}

TEST(Layers, say_that_there_is_no_debug_information) {
    const auto layer = layer_of({"put", "", "", 0, {{.line = 0, .evaluated = 3}}}, {});
    EXPECT_THAT(layer.problem, HasSubstr("without debug information"));
    EXPECT_EQ(layer.place, "");
    EXPECT_THAT(numbers_of(layer), ElementsAre(0));
}

TEST(Layers, take_a_function_that_begins_behind_its_lines_and_a_line_that_is_named_twice) {
    const auto layer = layer_of(function_with({{.line = 3, .residual = 1}, {.line = 3, .residual = 2}}, UINT32_MAX),
                                source_of(numbered(3)));
    EXPECT_THAT(numbers_of(layer), ElementsAre(3, 3));
    EXPECT_EQ(layer.lines[1].text, "text 3");
}

// ---- as text ----

std::string text_of(const model::FunctionTimes &function, const Sources &sources) {
    return text_layers({.decision = 1, .applied = true, .functions = {function}}, sources, {});
}

TEST(TextLayers, show_source_counts_and_reasons) {
    const std::string text = text_of(
        function_with({{.line = 2, .evaluated = 6, .residual = 4, .tested = 2, .reasons = {"no fact about arg0->8"}}}),
        source_of({"int put() {", "    go();"}));
    EXPECT_THAT(text, HasSubstr("put (sink.c:1): 6 static, 4 left, 2 tested\n"));
    EXPECT_THAT(text, HasSubstr("     2  sdg        6     4      go();\n"));
    EXPECT_THAT(text, HasSubstr("^ 2 facts tested here\n"));
    EXPECT_THAT(text, HasSubstr("^ no fact about arg0->8\n"));
    EXPECT_THAT(text, Not(HasSubstr("not tested\n")));
}

TEST(TextLayers, shout_what_is_trusted) {
    EXPECT_THAT(text_of(function_with({{.line = 1, .trusted = 1}}), source_of({"x"})),
                HasSubstr("^ 1 fact TRUSTED: not tested\n"));
}

TEST(TextLayers, are_empty_without_lines) { EXPECT_EQ(text_layers({.decision = 1}, {}, {}), ""); }

TEST(TextLayers, let_no_byte_of_the_source_reach_the_terminal_that_would_control_it) {
    const std::string text =
        text_of(function_with({{.line = 1, .residual = 1}}), source_of({"\x1b[31m \x07 \xC2\x9B"}));
    EXPECT_EQ(text.find_first_of("\x1b\x07"), std::string::npos);
    EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::report
