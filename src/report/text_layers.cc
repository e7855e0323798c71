// report: the source of a specialised function and its layers as text: each line with its letters and counts, reasons below.
#include <fmt/format.h>

#include "report/layers.h"
#include "report/text.h"
#include "report/text_table.h"

namespace thalweg::report {

namespace {

// Below the line that they are about, as compilers do it.
void add_notes(const model::LineTimes &times, TextTable &table) {
    const auto note = [&](const std::string &words) { table.row({"", "", "", "", "    ^ " + words}); };
    if (times.trusted != 0)
        note(plural(times.trusted, "fact") + " TRUSTED: not tested");
    if (times.tested != 0)
        note(plural(times.tested, "fact") + " tested here");
    for (const std::string &reason : times.reasons)
        note(reason);
}

std::string lines_of(const LayerFunction &function, const TextStyle &style) {
    TextTable table({">line", "kind", ">static", ">left", "source"});
    uint32_t before = function.lines.empty() ? 0 : function.lines.front().times.line;
    for (const LayerLine &line : function.lines) {
        const model::LineTimes &times = line.times;
        if (line.has_text && times.line > before + 1)
            table.row({"...", "", "", "", ""});
        before = times.line;
        const std::string marks = marks_of(times);
        table.row({times.line == 0 ? "-" : std::to_string(times.line), marks,
                   marks.empty() ? "" : grouped(times.evaluated), marks.empty() ? "" : grouped(times.residual),
                   times.line == 0 ? "(code of no line)" : line.text});
        add_notes(times, table);
    }
    return table.text(style);
}

}  // namespace

std::string text_layers(const model::DecisionOutcome &outcome, const Sources &sources, const TextStyle &style) {
    const std::vector<LayerFunction> functions = layer_functions(outcome, sources);
    if (functions.empty())
        return {};
    std::string text = "\n  s: static, done when the program was specialised; d: dynamic, left; g: a fact is guarded; "
                       "t: a fact is TRUSTED\n";
    for (const LayerFunction &function : functions) {
        text +=
            heading(fmt::format("{}{}: {} static, {} left, {} tested{}", harmless(short_name(function.function)),
                                function.place.empty() ? "" : fmt::format(" ({})", harmless(function.place)),
                                grouped(function.evaluated), grouped(function.residual), grouped(function.tested),
                                function.trusted == 0 ? "" : fmt::format(", {} TRUSTED", grouped(function.trusted))),
                    style);
        if (!function.problem.empty())
            text += fmt::format("  lines without their text: {}\n", harmless(function.problem));
        text += lines_of(function, style);
    }
    return text;
}

}  // namespace thalweg::report
