// report: puts the data into the page that the build bundled from web/.
#include "report/html.h"

#include <string_view>

namespace thalweg::report {

// Written by web/bundle.mjs: the page before the data, and after it.
extern const std::string_view page_head;
extern const std::string_view page_tail;

std::string html_report(const ReportData &data) {
    const std::string json = html_data(data);
    std::string page;
    page.reserve(page_head.size() + json.size() + page_tail.size());
    return page.append(page_head).append(json).append(page_tail);
}

}  // namespace thalweg::report
