// cli: `thalweg export`, a profile's graphs or a run's functions for other tools.
#include <cstdio>
#include <string_view>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/profdata.h"
#include "graph/event.h"
#include "graph/functions.h"
#include "graph/system_call.h"
#include "model/functions.h"
#include "model/limits.h"
#include "model/profile.h"
#include "report/functions_export.h"
#include "report/text.h"

namespace thalweg::cli {

using namespace driver;

namespace {

using model::CallGraph;
using model::FunctionProfile;

struct ExportOptions {
    std::string profile;
    std::string output;
    std::string format = "dot";
    std::string graph;
    uint64_t eta = 1;
    bool json = false;
    bool profdata = false;
};

// What a run's functions can be written as.
struct FunctionsFormat {
    std::string_view format;
    std::string_view graph;  // empty: none was named
    std::string (*write)(const FunctionProfile &run, const CallGraph &graph);
    std::string_view next;  // what shows such a file
};

constexpr FunctionsFormat functions_formats[] = {
    {"folded", "", [](const FunctionProfile &run, const CallGraph &) { return report::folded_stacks(run); },
     "inferno-flamegraph FILE > run.svg"},
    {"callgrind", "", report::callgrind_file, "callgrind_annotate FILE"},
    {"pprof", "", [](const FunctionProfile &run, const CallGraph &) { return report::pprof_profile(run); },
     "go tool pprof -top FILE"},
    {"trace", "", [](const FunctionProfile &run, const CallGraph &) { return report::chrome_trace(run); }, ""},
    {"json", "", [](const FunctionProfile &run, const CallGraph &) { return model::write_functions(run); }, ""},
    {"dot", "", report::dot_calls, "dot -Tsvg FILE"},
    {"dot", "calls", report::dot_calls, "dot -Tsvg FILE"},
    {"csv", "", report::csv_functions, ""},
    {"csv", "functions", report::csv_functions, ""},
    {"csv", "calls", report::csv_calls, ""},
};

void declare_export(CLI::App &app, ExportOptions &options) {
    app.add_option("profile", options.profile, "what `thalweg record` or `thalweg functions -o` wrote")->required();
    app.add_option(
           "--format", options.format,
           "dot for graphviz, csv for tables, json for all of it; of functions also folded for flame graphs, "
           "callgrind, pprof, trace for Perfetto; profdata is LLVM's own profile, of what was counted in functions")
        ->check(CLI::IsMember({"dot", "csv", "json", "folded", "callgrind", "pprof", "trace", "profdata"}))
        ->capture_default_str();
    app.add_option("--graph", options.graph,
                   "which graph (dot, csv): events (else), handlers or system-calls; of functions: calls (else of dot) "
                   "or functions")
        ->check(CLI::IsMember({"events", "handlers", "system-calls", "calls", "functions"}));
    app.add_option("--eta", options.eta,
                   "only edges of the event graph or the system-call graph of at least this weight")
        ->check(CLI::Range(uint64_t{1}, model::max_count))
        ->capture_default_str();
    app.add_option("-o,--output", options.output, "where it goes (else to stdout)");
    app.add_flag("--json", options.json, "the same as --format json");
    app.add_flag("--profdata", options.profdata, "the same as --format profdata");
}

struct Exported {
    std::string bytes;
    std::string_view next;
};

Error not_of(const ExportOptions &options, std::string_view what) {
    return fail(ErrorCode::usage, "{} has {}: they are not written as {}{}{}", options.profile, what, options.format,
                options.graph.empty() ? "" : " of ", options.graph);
}

Result<Exported> exported_counts(const ExportOptions &options, const model::Profile &profile) {
    if (profile.counts.empty())
        return fail(ErrorCode::does_not_fit, "{} has no counts of functions' blocks: record again", options.profile);
    auto bytes = indexed_profile(profile.counts);
    if (!bytes)
        return bytes.error();
    return Exported{std::move(*bytes), "llvm-profdata-19 show --topn=10 FILE"};
}

Result<Exported> exported_profile(const ExportOptions &options) {
    const Result<model::Profile> profile = model::read_profile(options.profile);
    if (!profile)
        return profile.error();
    if (options.format == "json")
        return Exported{report::json_profile(*profile), ""};
    if (options.format == "profdata")
        return exported_counts(options, *profile);
    const bool dot = options.format == "dot", handlers = options.graph == "handlers";
    if ((!dot && options.format != "csv") || options.graph == "calls" || options.graph == "functions")
        return not_of(options, "events");
    const std::string_view next = dot ? "dot -Tsvg FILE" : "";
    if (handlers) {
        const model::HandlerGraph graph = graph::handler_graph_of(*profile);
        return Exported{dot ? report::dot_handlers(*profile, graph) : report::csv_handlers(*profile, graph), next};
    }
    if (options.graph == "system-calls") {
        const model::SystemCallGraph graph = graph::system_call_graph_of(*profile, options.eta);
        return Exported{dot ? report::dot_system_calls(*profile, graph) : report::csv_system_calls(*profile, graph),
                        next};
    }
    const model::EventGraph reduced = graph::reduce(graph::event_graph_of(*profile), options.eta);
    return Exported{dot ? report::dot_events(*profile, reduced) : report::csv_events(*profile, reduced), next};
}

Result<Exported> exported_functions(const ExportOptions &options, const std::string &text) {
    const Result<FunctionProfile> run = model::read_functions(text);
    if (!run)
        return fail(run.error().code, "{}: {}", options.profile, run.error().message);
    for (const FunctionsFormat &one : functions_formats)
        if (one.format == options.format && one.graph == options.graph)
            return Exported{one.write(*run, graph::call_graph_of(*run)), one.next};
    return not_of(options, "functions");
}

Result<Exported> exported(const ExportOptions &options) {
    // Of the two, only the functions are a text.
    if (const auto text = read_file(options.profile); text && text->starts_with('{'))
        return exported_functions(options, *text);
    return exported_profile(options);
}

}  // namespace

int run_export(const Words &words) {
    ExportOptions options;
    CLI::App app(
        "Writes a profile's event graph, handler graph or system-call graph, or a run's functions, for other tools.",
        "thalweg export");
    declare_export(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    if (options.json)
        options.format = "json";
    if (options.profdata)
        options.format = "profdata";
    const Result<Exported> file = exported(options);
    if (!file)
        return report_error("export", file.error());
    if (options.output.empty()) {
        std::fwrite(file->bytes.data(), 1, file->bytes.size(), stdout);
        return 0;
    }
    if (const Status status = write_file(options.output, file->bytes); !status)
        return report_error("export", status.error());
    if (std::string next(file->next); !next.empty())
        next_command(next.replace(next.find("FILE"), 4, shell_word(options.output)));
    return 0;
}

}  // namespace thalweg::cli
