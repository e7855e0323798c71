// link: the folders of a build, named so that another checkout of the same sources has the same names.
#include "link/build_folders.h"

#include <algorithm>

namespace thalweg::link {

namespace {

namespace fs = std::filesystem;

fs::path real(const fs::path &path) {
    std::error_code problem;
    fs::path found = fs::weakly_canonical(fs::absolute(path, problem), problem);
    // "a/b/" has an empty last part.
    return found.has_filename() ? found : found.parent_path();
}

fs::path common(const fs::path &one, const fs::path &other) {
    fs::path both;
    for (auto [a, b] = std::pair(one.begin(), other.begin()); a != one.end() && b != other.end() && *a == *b; ++a, ++b)
        both /= *a;
    return both;
}

bool is_below(const fs::path &path, const fs::path &folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

}  // namespace

std::string folder_seen_from(const std::string &base, const std::string &folder) {
    const fs::path from = real(base);
    const fs::path to = real(folder);
    return common(from, to).has_relative_path() ? to.lexically_relative(from).string() : to.string();
}

BuildFolders::BuildFolders(const std::string &link, const std::string &program)
    : link_(real(link)), program_(real(program)), root_(common(link_, program_)) {
    // Sources, and with them scripts for the linker, stand around the folder of the build or beside it.
    if (root_.parent_path().has_relative_path())
        root_ = root_.parent_path();
}

std::string BuildFolders::named(const std::string &path) const {
    if (!path.starts_with('/') || !root_.has_relative_path())
        return path;
    // The file's own name stays: a library is often a symbolic link to one with a version in its name.
    const fs::path whole = real(fs::path(path).parent_path()) / fs::path(path).filename();
    std::error_code problem;
    const fs::path found = fs::is_directory(path, problem) ? real(path) : whole;
    if (!is_below(found, root_))
        return path;
    std::string relative = found.lexically_relative(link_).string();
    // Such a word would be read as an option.
    return relative.starts_with('-') || relative.starts_with('@') ? path : relative;
}

}  // namespace thalweg::link
