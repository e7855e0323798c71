// cli: `thalweg relink`, for those who work on the plug-in: a link with a job of their own.
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "link/relink.h"
#include "link/tools.h"

namespace thalweg::cli {

namespace {

struct RelinkOptions {
    std::string program;
    std::string objects;
    std::string output;
    std::string job;
    std::string plugin;
    bool recorder = false;
    bool show = false;
    bool json = false;
};

void declare_relink(CLI::App &app, RelinkOptions &options) {
    app.add_option("program", options.program, "a program that thalweg-cc or thalweg-c++ linked")->required();
    app.add_option("-o,--output", options.output, "where the new program goes")->required();
    declare_objects(app, options.objects);
    app.add_option("--job", options.job, "job file for the plug-in (THALWEG_TRANSFORM_JOB); without one, plain LTO");
    app.add_option("--plugin", options.plugin, "another plug-in than Thalweg's own");
    app.add_flag("--recorder", options.recorder, "link the recorder in, as `record` does");
    app.add_flag("--show", options.show, "print the command instead of running it");
    app.add_flag("--json", options.json, "print the command and what the linker said as JSON");
}

}  // namespace

int run_relink(const Words &words) {
    CLI::App app("link a program again from its bitcode, with a job for the plug-in", "thalweg relink");
    RelinkOptions options;
    declare_relink(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    const auto program = link::read_linked_program(options.program, options.objects);
    if (!program)
        return report_error("relink", program.error());
    link::RelinkRequest request;
    request.output = options.output;
    request.like = options.program;
    if (!options.job.empty()) {
        request.job_path = std::filesystem::absolute(options.job).string();
        request.plugin =
            options.plugin.empty() ? link::plugin_path() : std::filesystem::absolute(options.plugin).string();
    }
    if (options.recorder) {
        request.extra_inputs.push_back(link::recorder_path());
        request.libraries.push_back(link::crossing_path());
    }
    const auto command = link::relink_command(program->record, request);
    if (!command)
        return report_error("relink", command.error());
    std::string said;
    if (!options.show) {
        const auto relinked = link::relink(program->record, request);
        if (!relinked)
            return report_error("relink", relinked.error());
        said = relinked->diagnostics;
    }
    if (options.json) {
        const nlohmann::json line = {{"command", *command}, {"output", options.output}, {"diagnostics", said}};
        std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        return 0;
    }
    if (options.show)
        std::printf("%s\n", without_controls(shell_command(*command)).c_str());
    std::fputs(without_controls(said).c_str(), stderr);
    next_command(shell_word(options.output));
    return 0;
}

}  // namespace thalweg::cli
