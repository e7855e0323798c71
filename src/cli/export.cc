// cli: `thalweg export`, a profile's graphs for other tools.
#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "graph/event.h"
#include "model/limits.h"
#include "model/profile.h"
#include "report/text.h"

namespace thalweg::cli {

namespace {

struct Options {
    std::string profile;
    std::string output;
    std::string format = "dot";
    std::string graph = "events";
    uint64_t eta = 1;
    bool json = false;
};

void declare(CLI::App &app, Options &options) {
    app.add_option("profile", options.profile, "what `thalweg record` wrote")->required();
    app.add_option("--format", options.format, "dot for graphviz, csv for tables, json for the whole profile")
        ->check(CLI::IsMember({"dot", "csv", "json"}))
        ->capture_default_str();
    app.add_option("--graph", options.graph, "which graph (dot, csv)")
        ->check(CLI::IsMember({"events", "handlers"}))
        ->capture_default_str();
    app.add_option("--eta", options.eta, "only edges of the event graph of at least this weight")
        ->check(CLI::Range(uint64_t{1}, model::max_count))
        ->capture_default_str();
    app.add_option("-o,--output", options.output, "where it goes (else to stdout)");
    app.add_flag("--json", options.json, "the same as --format json");
}

std::string exported(const model::Profile &profile, const Options &options) {
    if (options.format == "json" || options.json)
        return report::json_profile(profile);
    const bool dot = options.format == "dot";
    if (options.graph == "handlers") {
        const model::HandlerGraph handlers = graph::handler_graph_of(profile);
        return dot ? report::dot_handlers(profile, handlers) : report::csv_handlers(profile, handlers);
    }
    const model::EventGraph reduced = graph::reduce(graph::event_graph_of(profile), options.eta);
    return dot ? report::dot_events(profile, reduced) : report::csv_events(profile, reduced);
}

}  // namespace

int run_export(const Words &words) {
    Options options;
    CLI::App app("Writes a profile's event graph or handler graph for other tools, or all of it as JSON.",
                 "thalweg export");
    declare(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    const Result<model::Profile> profile = model::read_profile(options.profile);
    if (!profile)
        return report_error("export", profile.error());
    const std::string text = exported(*profile, options);
    if (options.output.empty()) {
        std::fputs(text.c_str(), stdout);
        return 0;
    }
    if (const Status status = write_file(options.output, text); !status)
        return report_error("export", status.error());
    const bool dot = options.format == "dot" && !options.json;
    if (dot)
        next_command(fmt::format("dot -Tsvg {}", shell_word(options.output)));
    return 0;
}

}  // namespace thalweg::cli
