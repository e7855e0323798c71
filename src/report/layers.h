// report: the source of specialised functions line by line, with what became of each line. For text and HTML alike.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/plan.h"

namespace thalweg::report {

// A file of the program's source as it was read for the report.
struct SourceText {
    std::vector<std::string> lines;  // line 1 first; any bytes
    std::string problem;  // why there are no lines; empty: there are
};

// By directory and file, as an outcome names them.
using Sources = std::map<std::pair<std::string, std::string>, SourceText>;

struct LayerLine {
    model::LineTimes times;  // all 0: no compiled code belongs to this line
    std::string text;  // UTF-8, tabs expanded, cut short when very long
    bool has_text = false;
};

struct LayerFunction {
    std::string function;  // linker name
    std::string place;  // "sink.c:24", or empty
    std::string problem;  // why its lines have no text; empty: they have
    uint64_t evaluated = 0, residual = 0, tested = 0, trusted = 0;  // of all its lines
    std::vector<LayerLine> lines;  // in order; what has no code and is far from code is left out; line 0 is the last
};

// Functions with lines, those of which most is left first.
std::vector<LayerFunction> layer_functions(const model::DecisionOutcome &outcome, const Sources &sources);

// One letter for each that applies, in this order: s static, d dynamic, g guarded, t trusted.
std::string marks_of(const model::LineTimes &times);

}  // namespace thalweg::report
