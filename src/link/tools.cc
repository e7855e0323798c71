// link: where the compiler and the linker stand, and what belongs to this version of Thalweg.
#include "link/tools.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include <unistd.h>

namespace thalweg::link {

namespace {

std::string executable_folder() {
    char path[PATH_MAX];
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0)
        return ".";
    const std::string whole(path, static_cast<size_t>(length));
    return whole.substr(0, whole.rfind('/'));
}

// Empty where `file` is not in it, or compilers look there by themselves.
std::string folder_with(const std::string &folder, const char *file) {
    std::error_code missing;
    const std::string whole = std::filesystem::canonical(folder, missing).string();
    const bool is_searched = whole.starts_with("/usr/include") || whole.starts_with("/usr/lib/");
    return missing || is_searched || ::access(fmt::format("{}/{}", whole, file).c_str(), R_OK) != 0 ? "" : whole;
}

}  // namespace

std::string program_in_path(const std::string &name) {
    const char *path = std::getenv("PATH");
    std::string_view folders = path == nullptr ? "/usr/bin:/bin" : path;
    while (!folders.empty()) {
        const size_t colon = std::min(folders.find(':'), folders.size());
        const std::string program = fmt::format("{}/{}", folders.substr(0, colon), name);
        folders.remove_prefix(std::min(colon + 1, folders.size()));
        if (program.starts_with('/') && ::access(program.c_str(), X_OK) == 0)
            return program;
    }
    return name;
}

std::string library_folder() { return executable_folder() + "/../lib/thalweg"; }
std::string plugin_path() { return library_folder() + "/ThalwegPasses.so"; }
std::string unit_plugin_path() { return library_folder() + "/ThalwegUnit.so"; }
std::string recorder_path() { return library_folder() + "/libthalweg_recorder.a"; }
std::string crossing_path() { return library_folder() + "/libthalweg_crossing.a"; }
std::string audit_path() { return library_folder() + "/libthalweg_audit.so"; }
std::string own_headers() { return folder_with(executable_folder() + "/../include", "thalweg/thalweg.h"); }
std::string own_libraries() { return folder_with(executable_folder() + "/../lib", "libthalweg.a"); }
std::string wrapper_path() { return executable_folder() + "/thalweg-cc"; }

}  // namespace thalweg::link
