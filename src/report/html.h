// report: the artefacts as one HTML file that needs no network, no server and no second file.
#pragma once

#include <string>

#include "model/graphs.h"
#include "model/plan.h"
#include "model/profile.h"
#include "model/verdict.h"
#include "report/layers.h"

namespace thalweg::report {

// What the page shows. Only the profile must be there; what is missing the page says is missing.
struct ReportData {
    const model::Profile *profile = nullptr;
    bool recorded = true;  // false: of a plan that a user declared; the profile has nothing but the program's name
    const model::Graphs *graphs = nullptr;  // null: no chains, no handler graph
    const model::Plan *plan = nullptr;        // null: no plan was made yet
    const model::Outcome *outcome = nullptr;  // null: nothing was optimised yet
    const model::Comparison *comparison = nullptr;  // null: nothing was compared yet
    const Sources *sources = nullptr;  // null: lines of layers have no text
};

// Names may hold any bytes: they are data of the page, never markup or script of it.
std::string html_report(const ReportData &data);

// Of docs/formats/report-data.md; a page refuses data of another one.
inline constexpr int data_version = 7;

// The page's data, as docs/formats/report-data.md describes it. ASCII, and free of `<`, `>` and `&`, so that nothing in it
// can end or open an element of the page that it is put into.
std::string html_data(const ReportData &data);

}  // namespace thalweg::report
