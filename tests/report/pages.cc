// tests: usage: report_pages FOLDER: writes the reports that the browser test opens.
#include "pages.h"

#include <cstdio>
#include <fstream>
#include <string>

#include "graph/event.h"
#include "report/html.h"

namespace thalweg::tests {
namespace {

constexpr const char *attack =
    "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">"
    "<!-- \xE2\x80\xA8 ${document.title='broken'} \xFF";

bool write(const std::string &path, const Artefacts &all) {
    const model::Graphs graphs = graph::build(all.profile, graph::default_eta(all.profile));
    report::ReportData data{.profile = &all.profile, .graphs = &graphs};
    data.plan = all.plan ? &*all.plan : nullptr;
    data.outcome = all.outcome ? &*all.outcome : nullptr;
    data.comparison = all.comparison ? &*all.comparison : nullptr;
    data.sources = &all.sources;
    return static_cast<bool>(std::ofstream(path, std::ios::binary) << report::html_report(data));
}

// A specialised function, whose source and reasons are what its author liked.
void add_layers(Artefacts &all) {
    model::Decision decision{.id = 11};
    decision.site.function = attack;
    decision.work = model::Specialize{{{.values = {{attack, 0}}, .trusted = true}}};
    all.plan->decisions.push_back(decision);
    const std::vector<model::LineTimes> lines = {
        {.line = 1, .residual = 1, .reasons = {attack, "second", "third", "fourth"}},
        {.line = UINT32_MAX, .evaluated = UINT32_MAX, .tested = 1, .trusted = 1}};
    all.outcome->decisions.push_back(
        {.decision = 11,
         .applied = true,
         .reason = attack,
         .functions = {{attack, attack, attack, 1, {lines[0]}}, {attack, "gone.c", attack, UINT32_MAX, lines}}});
    all.sources[{attack, attack}].lines = {attack};
    all.sources[{attack, "gone.c"}].problem = attack;
}

// Every text of the video player's artefacts is one that would like to be markup.
Artefacts hostile() {
    Artefacts all = video();
    all.profile.program = all.profile.command = all.profile.build_id = attack;
    for (auto &event : all.profile.events)
        event.name += attack;
    for (auto &symbol : all.profile.symbols)
        symbol.name += attack;
    all.profile.sites.push_back({.kind = model::SiteKind::call});
    const uint32_t call = static_cast<uint32_t>(all.profile.sites.size()) - 1;
    all.profile.system_calls = {{.site = call, .calls = 2}};
    all.profile.system_call_edges = {{.from = call, .to = call, .weight = 1}};
    all.profile.output_calls = {{call, 3}};
    all.profile.block_calls = {{attack, 4, 3}};
    for (auto &site : all.profile.sites)
        site.place.file = site.function = site.callee = attack;
    for (auto &guard : all.profile.guards)
        guard.event += attack;
    for (auto &decision : all.plan->decisions) {
        decision.event += attack;
        decision.site.place.file = decision.reason = decision.guard = attack;
        if (decision.verdict == model::Verdict::refuse)
            decision.refusal = attack;
    }
    for (auto &one : all.outcome->decisions)
        one.reason = attack;
    add_layers(all);
    all.comparison->summary = all.comparison->ending = attack;
    all.comparison->agreement = model::Agreement::differ;
    all.comparison->compared = {attack};
    all.comparison->differences = {{.what = attack, .program = attack, .expected = attack, .found = attack}};
    return all;
}

// 3,000 edges, some heavy, most of them light; the same ones each time.
Artefacts large(uint32_t event_count) {
    constexpr uint32_t edge_count = 3000;
    Artefacts all;
    all.profile.program = "./large";
    uint64_t state = 42;
    const auto random = [&state](uint64_t below) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (state >> 33) % below;
    };
    for (uint32_t index = 0; index < event_count; ++index)
        all.profile.events.push_back({.name = "event_" + std::to_string(index), .raises = 1 + random(100'000)});
    for (uint32_t index = 0; index < edge_count; ++index) {
        const uint64_t weight = 1 + 1'000'000 / (1 + random(edge_count));
        all.profile.edges.push_back({static_cast<uint32_t>(random(event_count)),
                                     static_cast<uint32_t>(random(event_count)),
                                     static_cast<model::RaiseMode>(random(4)), weight});
    }
    all.profile.coverage = {
        .dispatches = 9'000'000, .recorded = 90'000, .lost = 12, .runs = 1, .processes = 1, .threads = 8};
    return all;
}

// A decision for each of 2,000 events.
Artefacts thousands() {
    Artefacts all = large(2000);
    all.profile.sites.push_back({.function = "raise", .kind = model::SiteKind::event, .place = {"large.cc", 12, 5}});
    model::Plan plan;
    for (uint32_t id = 1; id <= 2000; ++id)
        plan.decisions.push_back({.id = id,
                                  .event = all.profile.events[id - 1].name,
                                  .site = all.profile.sites[0],
                                  .weight = all.profile.events[id - 1].raises,
                                  .predicted_gain_total_ms = static_cast<double>(id * 7919 % 2003),
                                  .reason = "the same each time",
                                  .refusal = ""});
    all.plan = plan;
    return all;
}

// The paper's copy program: open, creat, a loop of read and write, two times close; and a block that is taken and given back.
Artefacts copying() {
    Artefacts all;
    all.profile.program = "./copy";
    uint32_t line = 10;
    for (const char *callee : {"open", "creat", "read", "write", "close", "close", "malloc", "free", "printf"})
        all.profile.sites.push_back({.function = "copy",
                                     .ordinal = line,
                                     .kind = model::SiteKind::call,
                                     .place = {"copy.c", line++, 3},
                                     .callee = callee});
    all.profile.system_calls = {{0, 1, 0, 0, 0, 0, 0},
                                {1, 1, 0, 0, 0, 0, 0},
                                {2, 501, 0, 1, 1, 2'052'096, 2'048'000, 20, 31'000},
                                {3, 500, 0, 0, 0, 2'048'000, 2'048'000},
                                {4, 1, 0, 0, 0, 0, 0},
                                {5, 1, 0, 0, 0, 0, 0}};
    all.profile.system_call_edges = {
        {0, 1, 1, 0, 0, 0, 0},     {1, 2, 1, 0, 0, 0, 0}, {2, 3, 500, 0, 500, 500, 0, 40, 14'000, 290},
        {3, 2, 500, 0, 500, 0, 0}, {2, 4, 1, 1, 0, 0, 0}, {4, 5, 1, 0, 0, 0, 0}};
    all.profile.releases = {{6, 7, 20}};
    all.profile.output_calls = {{8, 12'000}};
    all.profile.block_calls = {{"free", 5'000, 4'000}, {"malloc", 6'000, 4'500}};
    all.profile.call_clock = thalweg::model::CallClock::probes;
    all.profile.coverage = {.dispatches = 0, .recorded = 0, .lost = 0, .runs = 1, .processes = 1, .threads = 1};
    return all;
}

Artefacts planned() {
    Artefacts all = video();
    all.outcome.reset();
    all.comparison.reset();
    all.profile.guards.clear();
    return all;
}

}  // namespace
}  // namespace thalweg::tests

int main(int argc, char **argv) {
    using namespace thalweg::tests;
    if (argc != 2) {
        std::fprintf(stderr, "usage: report_pages FOLDER\n");
        return 2;
    }
    const std::string folder = std::string(argv[1]) + "/";
    const bool written = write(folder + "video.html", video()) && write(folder + "planned.html", planned()) &&
                         write(folder + "empty.html", {}) && write(folder + "hostile.html", hostile()) &&
                         write(folder + "large.html", large(500)) && write(folder + "thousands.html", thousands()) &&
                         write(folder + "copying.html", copying());
    if (!written)
        std::fprintf(stderr, "could not write into %s\n", folder.c_str());
    return written ? 0 : 7;
}
