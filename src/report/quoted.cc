// report: strings as graphviz and spreadsheets want them.
#include "report/quoted.h"

#include <string_view>

#include "report/names.h"

namespace thalweg::report {

std::string dot_string(const std::string &text) {
    std::string out = "\"";
    for (char c : harmless(text)) {
        if (c == '"' || c == '\\')
            out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string csv_string(const std::string &text) {
    std::string out = "\"";
    if (!text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos)
        out += '\'';
    for (char c : text) {
        if (c == '"')
            out += '"';
        out += c;
    }
    return out + "\"";
}

}  // namespace thalweg::report
