// cli: `thalweg bundle`, a program with all that it was linked from in one file.
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "link/bundle.h"
#include "link/bundled.h"

namespace thalweg::cli {

namespace {

struct BundleOptions {
    std::string program;
    std::string objects;
    std::string output;
    bool json = false;
};

void declare_bundle(CLI::App &app, BundleOptions &options) {
    app.add_option("program", options.program, "the program that thalweg-cc linked")->required();
    app.add_option("-o,--output", options.output, "where the bundle goes (else PROGRAM.bundle)");
    declare_objects(app, options.objects);
    app.add_flag("--json", options.json, "what is in it, as JSON");
    app.footer("thalweg bundle ./server -o server.bundle\n"
               "elsewhere: thalweg optimize server.bundle --profile day.profile -o server.opt\n"
               "It is an archive: `ar t FILE` lists it. Libraries of the system (-lz) are not in it.");
}

void print_json(const link::Bundle &bundle, const BundleOptions &options, size_t bytes) {
    nlohmann::json files = nlohmann::json::array();
    for (const link::ArchiveMember &file : bundle.files)
        files.push_back({{"name", file.name}, {"bytes", file.bytes.size()}});
    const nlohmann::json line = {
        {"program", options.program}, {"bundle", options.output}, {"bytes", bytes}, {"files", files}};
    std::printf("%s\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

Status write_and_tell(const BundleOptions &options) {
    std::error_code no_such_file;
    if (std::filesystem::equivalent(options.program, options.output, no_such_file))
        return fail(ErrorCode::usage, "{} is the program itself, which stays as it is; name another file with -o",
                    options.output);
    const auto bytes = link::make_bundle(options.program, options.objects);
    if (!bytes)
        return bytes.error();
    const auto bundle = link::read_bundle(*bytes, options.output);
    if (!bundle)
        return fail(ErrorCode::bug, "what was made is not read again: {}", bundle.error().message);
    if (const Status status = write_file(options.output, *bytes); !status)
        return status;
    if (options.json)
        print_json(*bundle, options, bytes->size());
    else
        print_data(fmt::format("{}: {} files, {} kB\n", options.output, bundle->files.size(), bytes->size() / 1000));
    return Done{};
}

}  // namespace

int run_bundle(const Words &words) {
    CLI::App app("a program with all that it was linked from in one file, to optimize it on another machine",
                 "thalweg bundle");
    BundleOptions options;
    declare_bundle(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    if (options.output.empty())
        options.output = options.program + ".bundle";
    if (const Status status = write_and_tell(options); !status)
        return report_error("bundle", status.error());
    next_command(fmt::format("thalweg optimize {} --profile ... -o ...", shell_word(options.output)));
    return 0;
}

}  // namespace thalweg::cli
