// report: any bytes as a source, and lines of an outcome that the same bytes choose: shown as text and in the page, whatever they are.
#include <cstdlib>
#include <utility>

#include "model/profile.h"
#include "report/html.h"
#include "report/text.h"

namespace {

using namespace thalweg;

// Four bytes a line of the outcome, until one is 0; the rest is the file.
model::FunctionTimes take_lines(const uint8_t *&data, const uint8_t *end) {
    model::FunctionTimes function{.function = "f", .file = "f.c", .directory = "/"};
    for (; end - data >= 4 && data[0] != 0; data += 4) {
        const uint32_t line = data[1] == 0xff ? UINT32_MAX - data[2] : uint32_t{data[1]} * data[2];
        function.lines.push_back({.line = line, .evaluated = data[3] & 3u, .residual = uint32_t{data[3]} << 24});
        function.first_line = data[0] == 0xff ? UINT32_MAX : data[0];
    }
    return function;
}

report::SourceText take_source(const uint8_t *data, const uint8_t *end) {
    report::SourceText source;
    std::string line;
    for (; data != end; ++data) {
        if (*data != '\n')
            line += static_cast<char>(*data);
        else
            source.lines.push_back(std::exchange(line, {}));
    }
    source.lines.push_back(line);
    return source;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *end = data + size;
    model::Outcome outcome{.decisions = {{.decision = 1}}};
    outcome.decisions[0].functions = {take_lines(data, end)};
    const report::Sources sources = {{{"/", "f.c"}, take_source(data, end)}};
    const model::Profile profile;
    const std::string page = report::html_data({.profile = &profile, .outcome = &outcome, .sources = &sources});
    const std::string text = report::text_layers(outcome.decisions[0], sources, {});
    if (page.find_first_of("<>&") != std::string::npos || text.find('\x1b') != std::string::npos)
        std::abort();
    return 0;
}
