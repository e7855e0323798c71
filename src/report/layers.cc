// report: an outcome's lines laid beside the text of the source.
#include "report/layers.h"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include <fmt/format.h>

#include "base/utf8.h"

namespace thalweg::report {

namespace {

// As wide as a terminal shows a tab.
constexpr size_t tab_columns = 8;
// Of a line of source; as names in a table, what is longer is generated and not read.
constexpr size_t longest_line = 240;
// So many lines without code are shown beside those with code, as diff shows changes, so that a loop's head stays with its body.
constexpr uint32_t lines_around = 3;

std::string printable(const std::string &line) {
    std::string text;
    for (const char c : line.substr(0, longest_line)) {
        if (c == '\t')
            text.append(tab_columns - text.size() % tab_columns, ' ');
        else if (c != '\r')
            text += c;
    }
    text = valid_utf8(text);
    return line.size() > longest_line ? text + "..." : text;
}

// The lines to show: those of the outcome, the function's first, and a few around each.
class Layout {
  public:
    Layout(const model::FunctionTimes &function, const SourceText *source) : function_(function), source_(source) {
        for (const model::LineTimes &line : function.lines)
            (line.line == 0 ? without_line_ : told_).push_back(&line);
        std::sort(told_.begin(), told_.end(), [](const model::LineTimes *a, const model::LineTimes *b) {
            return a->line != b->line ? a->line < b->line : a < b;
        });
    }

    std::string problem() const {
        if (function_.file.empty())
            return "compiled without debug information (-g), so that one line stands for all of it";
        if (source_ == nullptr)
            return fmt::format("{} was not read", function_.file);
        if (!source_->problem.empty())
            return source_->problem;
        if (!told_.empty() && told_.back()->line > source_->lines.size())
            return fmt::format("{} has {} lines, and code belongs to line {}: it is not the file that was compiled",
                               function_.file, source_->lines.size(), told_.back()->line);
        return {};
    }

    std::vector<LayerLine> lines() const {
        const bool has_text = problem().empty();
        std::vector<LayerLine> lines;
        uint32_t next = function_.first_line;  // the first line that is not there yet
        const bool starts_above = !told_.empty() && next != 0 && next < told_.front()->line;
        if (has_text && starts_above)
            lines.push_back(line_at(next++));
        for (const model::LineTimes *told : told_) {
            if (has_text && !lines.empty())
                fill(next, told->line, lines);
            lines.push_back({*told, has_text ? text_of(told->line) : "", has_text});
            next = told->line + 1;
        }
        for (const model::LineTimes *told : without_line_)
            lines.push_back({*told, "", false});
        return lines;
    }

  private:
    // Lines from `first` up to `end`: all, or some after what stands before and some before what comes.
    void fill(uint32_t first, uint32_t end, std::vector<LayerLine> &lines) const {
        for (uint32_t line = first; line < end; ++line) {
            if (line == first + lines_around && end - line > lines_around)
                line = end - lines_around;
            lines.push_back(line_at(line));
        }
    }

    std::string text_of(uint32_t line) const { return printable(source_->lines[line - 1]); }
    LayerLine line_at(uint32_t line) const { return {{.line = line}, text_of(line), true}; }

    const model::FunctionTimes &function_;
    const SourceText *source_;
    std::vector<const model::LineTimes *> told_;
    std::vector<const model::LineTimes *> without_line_;
};

LayerFunction layer_function(const model::FunctionTimes &times, const Sources &sources) {
    const auto source = sources.find({times.directory, times.file});
    const Layout layout(times, source == sources.end() ? nullptr : &source->second);
    LayerFunction function{.function = times.function, .problem = layout.problem(), .lines = layout.lines()};
    if (!times.file.empty())
        function.place =
            fmt::format("{}:{}", std::filesystem::path(times.file).lexically_normal().string(), times.first_line);
    for (const model::LineTimes &line : times.lines) {
        function.evaluated += line.evaluated;
        function.residual += line.residual;
        function.tested += line.tested;
        function.trusted += line.trusted;
    }
    return function;
}

}  // namespace

std::vector<LayerFunction> layer_functions(const model::DecisionOutcome &outcome, const Sources &sources) {
    std::vector<LayerFunction> functions;
    for (const model::FunctionTimes &times : outcome.functions)
        if (!times.lines.empty())
            functions.push_back(layer_function(times, sources));
    std::sort(functions.begin(), functions.end(), [](const LayerFunction &a, const LayerFunction &b) {
        return std::tie(b.residual, a.place, a.function) < std::tie(a.residual, b.place, b.function);
    });
    return functions;
}

std::string marks_of(const model::LineTimes &times) {
    std::string marks;
    for (const auto &[count, mark] : {std::pair(times.evaluated, 's'), std::pair(times.residual, 'd'),
                                      std::pair(times.tested, 'g'), std::pair(times.trusted, 't')})
        if (count != 0)
            marks += mark;
    return marks;
}

}  // namespace thalweg::report
