// cli: `thalweg clean`, what Thalweg keeps beside programs is removed.
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/twin_files.h"

namespace thalweg::cli {

using namespace driver;

namespace {

namespace fs = std::filesystem;

struct CleanOptions {
    std::vector<std::string> paths = {"."};
    bool objects = false;
    bool json = false;
};

Removed operator+(const Removed &a, const Removed &b) { return {a.files + b.files, a.bytes + b.bytes}; }

// The objects of a program that was compiled and linked in one command.
Removed remove_objects(const fs::path &folder) {
    Removed removed;
    std::error_code problem;
    if (!fs::is_directory(fs::symlink_status(folder, problem)))
        return removed;
    for (const auto &entry : fs::recursive_directory_iterator(folder, problem))
        if (entry.is_regular_file(problem)) {
            ++removed.files;
            removed.bytes += entry.file_size(problem);
        }
    fs::remove_all(folder, problem);
    return removed;
}

Removed remove_all_objects(const fs::path &kept) {
    Removed removed;
    std::error_code problem;
    std::vector<fs::path> folders;
    for (const auto &entry : fs::directory_iterator(kept, problem))
        folders.push_back(entry.path());
    for (const fs::path &folder : folders)
        removed = removed + remove_objects(folder);
    return removed;
}

Removed clean(const std::string &path, const CleanOptions &options) {
    std::error_code problem;
    const bool is_folder = fs::is_directory(path, problem);
    const fs::path whole = fs::absolute(path).lexically_normal();
    const fs::path folder = is_folder ? whole : whole.parent_path();
    const std::string name = is_folder ? "" : whole.filename().string();
    Removed removed = remove_twins(folder, name, "");
    if (const auto fallback = fallback_folder(); fallback && !name.empty())
        removed = removed + remove_twins(*fallback, name, "");
    const fs::path kept = folder / ".thalweg";
    if (options.objects)
        removed = removed + (is_folder ? remove_all_objects(kept) : remove_objects(kept / name));
    fs::remove(kept, problem);  // where it is empty now
    return removed;
}

}  // namespace

int run_clean(const Words &words) {
    CLI::App app("remove what Thalweg keeps beside programs: their instrumented twins", "thalweg clean");
    CleanOptions options;
    app.add_option("paths", options.paths, "programs (each one's), or folders (those of all programs right in them)")
        ->capture_default_str();
    app.add_flag("--objects", options.objects,
                 "also the objects of programs that were compiled and linked in one command; what they were for "
                 "is recorded and optimised again after it is built again");
    app.add_flag("--json", options.json, "what was removed as JSON on stdout");
    app.footer("A twin is made again when a program is recorded. Programs, profiles and plans are yours, and stay.");
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    Removed removed;
    for (const std::string &path : options.paths) {
        std::error_code problem;
        if (!fs::exists(path, problem))
            return report_error("clean", fail(ErrorCode::usage, "there is no {}", path));
        removed = removed + clean(path, options);
    }
    if (options.json)
        std::printf("%s\n", nlohmann::json{{"files", removed.files}, {"bytes", removed.bytes}}.dump().c_str());
    else
        note(fmt::format("removed {} files, {} KB", removed.files, removed.bytes / 1000));
    return 0;
}

}  // namespace thalweg::cli
