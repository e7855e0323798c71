// report: strings as graphviz and spreadsheets want them; private to what is exported.
#pragma once

#include <string>

namespace thalweg::report {

std::string dot_string(const std::string &text);
// RFC 4180. A cell that a spreadsheet would take for a formula gets a quote in front.
std::string csv_string(const std::string &text);

// How thick an edge is in a drawing of graphviz, in points.
double pen_width(uint64_t weight, uint64_t heaviest);

}  // namespace thalweg::report
