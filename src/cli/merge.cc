// cli: `thalweg merge`, one profile of several runs or machines.
#include <cstdio>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "cli/verbs.h"
#include "model/profile.h"
#include "record/merge.h"

namespace thalweg::cli {

namespace {

struct MergeOptions {
    std::vector<std::string> profiles;
    std::string output;
    bool json = false;
};

Result<model::Profile> merge_files(const std::vector<std::string> &paths) {
    std::vector<model::Profile> profiles;
    for (const std::string &path : paths) {
        Result<model::Profile> profile = model::read_profile(path);
        if (!profile)
            return profile.error();
        profiles.push_back(std::move(*profile));
    }
    return record::merge(profiles);
}

void print_json(const model::Profile &merged, const MergeOptions &options) {
    const nlohmann::ordered_json json{{"output", options.output},       {"profiles", options.profiles.size()},
                                      {"runs", merged.coverage.runs},   {"dispatches", merged.coverage.dispatches},
                                      {"events", merged.events.size()}, {"sites", merged.sites.size()}};
    std::puts(json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
}

}  // namespace

int run_merge(const Words &words) {
    MergeOptions options;
    CLI::App app("Makes one profile of several runs of one build: what was counted is added up.", "thalweg merge");
    app.add_option("profiles", options.profiles, "what `thalweg record` wrote, one or more")->required();
    app.add_option("-o,--output", options.output, "where the profile goes")->required();
    app.add_flag("--json", options.json, "what was merged, as JSON on stdout");
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    const Result<model::Profile> merged = merge_files(options.profiles);
    if (!merged)
        return report_error("merge", merged.error());
    if (const Status status = model::write_profile(*merged, options.output); !status)
        return report_error("merge", status.error());
    if (options.json)
        print_json(*merged, options);
    else
        std::printf("%zu profiles, %llu runs, %llu dispatches -> %s\n", options.profiles.size(),
                    static_cast<unsigned long long>(merged->coverage.runs),
                    static_cast<unsigned long long>(merged->coverage.dispatches), options.output.c_str());
    next_command(fmt::format("thalweg report {}", shell_word(options.output)));
    return 0;
}

}  // namespace thalweg::cli
