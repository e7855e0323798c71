// driver: shared libraries that are recorded and optimised with the program that loads them, each by itself.
#include "driver/libraries.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include <unistd.h>

#include "audit/audit.h"
#include "base/file.h"
#include "base/say.h"
#include "link/link_record.h"
#include "link/needed.h"
#include "link/tools.h"

namespace thalweg::driver {

namespace {

namespace fs = std::filesystem;

constexpr const char *audit_variable = "LD_AUDIT";

bool is_same_file(const std::string &a, const std::string &b) {
    std::error_code ignored;
    return fs::equivalent(a, b, ignored);
}

}  // namespace

Result<std::vector<Library>> libraries_of(const std::string &program, const std::vector<std::string> &named) {
    std::vector<std::string> paths = link::libraries_with_link(program);
    for (const std::string &path : named)
        if (std::ranges::none_of(paths, [&](const std::string &one) { return is_same_file(one, path); }))
            paths.push_back(path);
    std::vector<Library> libraries;
    for (const std::string &path : paths) {
        const auto linked = link::read_linked_program(path);
        if (!linked)
            return linked.error();
        if (linked->library.empty())
            return fail(ErrorCode::usage, "{} is no shared library", path);
        std::error_code problem;
        libraries.push_back({linked->library, fs::canonical(path, problem).string()});
    }
    std::ranges::sort(libraries, {}, &Library::name);
    const auto twice = std::ranges::adjacent_find(libraries, {}, &Library::name);
    if (twice != libraries.end())
        return fail(ErrorCode::usage, "{} and {} are both {}: only one of them can be recorded and optimised at a time",
                    twice->path, (twice + 1)->path, twice->name);
    return libraries;
}

void tell_unrecorded_libraries(const std::string &program, const model::Profile &profile) {
    const auto libraries = libraries_of(program, {});
    for (const Library &library : libraries ? *libraries : std::vector<Library>())
        if (model::part_of(profile, library.name) == nullptr)
            note(fmt::format("{} is called, but nothing was recorded in it: `thalweg record` does so now; `thalweg "
                             "functions -- {}` tells how much of a run is there",
                             library.path, shell_word(program)));
}

Result<LibraryFiles> library_files_in(const std::string &folder, const std::string &program,
                                      const std::vector<std::string> &named) {
    const auto libraries = libraries_of(program, named);
    if (!libraries)
        return libraries.error();
    LibraryFiles files;
    for (const Library &library : *libraries) {
        const std::string own_file = fs::path(library.path).filename().string();
        for (const std::string &name : {library.name, own_file}) {
            const fs::path file = fs::path(folder) / name;
            std::error_code ignored;
            if (!fs::is_regular_file(file, ignored))
                continue;
            files.emplace_back(library.path, file.string());
            break;
        }
    }
    if (files.empty())
        return fail(ErrorCode::usage, "{} has no file of the name of a library of {} that thalweg-cc linked", folder,
                    program);
    return files;
}

Result<ReplacedLibraries> ReplacedLibraries::make(const LibraryFiles &replaced) {
    // The loader would say so in the program's own words, and go on.
    if (::access(link::audit_path().c_str(), R_OK) != 0)
        return fail(ErrorCode::environment, "{} is not there: build or install Thalweg whole", link::audit_path());
    auto folder = TemporaryFolder::make("libraries");
    if (!folder)
        return folder.error();
    std::string text;
    std::vector<std::string> paths;
    for (const auto &[library, by] : replaced) {
        const std::string from = fs::absolute(library).string(), to = fs::absolute(by).string();
        if ((from + to).find_first_of("\t\n") != std::string::npos)
            return fail(ErrorCode::usage, "{} has a tab or a line break in its path: rename it", library);
        text += fmt::format("{}\t{}\n", from, to);
        paths.insert(paths.end(), {from, to});
    }
    if (const Status status = write_file(folder->file("list"), text); !status)
        return status.error();
    return ReplacedLibraries(std::move(*folder), std::move(paths));
}

std::vector<std::pair<std::string, std::string>> ReplacedLibraries::environment() const {
    const char *others = std::getenv(audit_variable);
    const std::string ours = fs::absolute(link::audit_path()).lexically_normal().string();
    return {{audit_variable, others == nullptr ? ours : fmt::format("{}:{}", ours, others)},
            {audit::list_variable, folder_.file("list")}};
}

std::vector<std::string> ReplacedLibraries::left_as_they_are(const std::vector<std::string> &known) const {
    const auto text = read_file(folder_.file("list") + audit::loaded_ending);
    std::set<std::string> loaded;
    std::istringstream lines(text ? *text : "");
    for (std::string line; std::getline(lines, line);)
        loaded.insert(line);
    std::vector<std::string> left;
    for (const std::string &path : loaded) {
        const auto is_it = [&](const std::string &one) { return is_same_file(one, path); };
        if (std::ranges::any_of(paths_, is_it) || std::ranges::any_of(known, is_it))
            continue;
        const auto linked = link::read_linked_program(path);
        if (linked && !linked->library.empty())
            left.push_back(path);
    }
    return left;
}

}  // namespace thalweg::driver
