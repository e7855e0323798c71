// link: a program with all that it was linked from in one file, an archive.
#include "link/bundle.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/version.h"
#include "link/tools.h"

namespace thalweg::link {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view contents_name = "thalweg-bundle";
constexpr uint32_t bundle_version = 1;
constexpr uint32_t all_permissions = 0777;
// Longer ones no file system takes (Linux' PATH_MAX).
constexpr size_t longest_name = 4096;

// A bundle's files are put into a folder by their names, which are a stranger's.
bool is_safe(std::string_view name) {
    if (name.empty() || name.size() > longest_name)
        return false;
    if (std::ranges::any_of(name, [](char letter) { return static_cast<unsigned char>(letter) < ' '; }))
        return false;
    for (size_t begin = 0; begin <= name.size();) {
        const size_t end = std::min(name.find('/', begin), name.size());
        const std::string_view part = name.substr(begin, end - begin);
        if (part.empty() || part == "." || part == "..")
            return false;
        begin = end + 1;
    }
    return true;
}

bool is_name_below(std::string_view name, std::string_view folder) {
    return name.starts_with(folder) && (name.size() == folder.size() || name[folder.size()] == '/');
}

Error damaged(const std::string &path, const std::string &what) {
    return fail(ErrorCode::environment, "the bundle {} is damaged: {}; make it again with `thalweg bundle`", path,
                what);
}

Status check_files(const Bundle &bundle, size_t count, const std::string &path) {
    std::set<std::string_view> names;
    for (const ArchiveMember &file : bundle.files) {
        if (!is_safe(file.name))
            return damaged(path, fmt::format("'{}' is no name of a file in it", file.name));
        if (!names.insert(file.name).second)
            return damaged(path, fmt::format("it has {} twice", file.name));
    }
    if (bundle.files.size() != count)
        return damaged(path, fmt::format("it has {} files of {}", bundle.files.size(), count));
    if (!is_safe(bundle.directory) || !is_name_below(bundle.directory, "link"))
        return damaged(path, fmt::format("'{}' is no folder of a link", bundle.directory));
    if (!is_name_below(bundle.program, "program") || bundle.find(bundle.program) == nullptr)
        return damaged(path, fmt::format("it has no program '{}'", bundle.program));
    return Done{};
}

}  // namespace

const ArchiveMember *Bundle::find(std::string_view name) const {
    const auto found = std::ranges::find(files, name, &ArchiveMember::name);
    return found == files.end() ? nullptr : &*found;
}

std::string Bundle::name_of(const std::string &path) const {
    const bool absolute = path.starts_with('/');
    fs::path name = (absolute ? fs::path("absolute" + path) : fs::path(directory) / path).lexically_normal();
    return (name.has_filename() ? name : name.parent_path()).string();
}

bool Bundle::has_folder(const std::string &name) const {
    return std::ranges::any_of(files, [&](const ArchiveMember &file) { return file.name.starts_with(name + "/"); });
}

bool is_bundle(std::string_view bytes) {
    // The table of names stands first, and the name of what is in it first in that.
    constexpr size_t table = 68;
    return bytes.starts_with("!<arch>\n//") && bytes.size() > table && bytes.substr(table).starts_with(contents_name);
}

Result<Bundle> read_bundle(std::string_view bytes, const std::string &path) {
    if (!is_bundle(bytes))
        return fail(ErrorCode::environment, "{} is not a bundle", path);
    auto members = archive_members(bytes, path);
    if (!members)
        return damaged(path, members.error().message);
    if (members->empty() || members->front().name != contents_name)
        return damaged(path, "it doesn't say what is in it");
    Bundle bundle;
    size_t count = 0;
    try {
        const Json contents = Json::parse(members->front().bytes);
        const uint32_t version = contents.at("version");
        if (version != bundle_version)
            return fail(ErrorCode::environment,
                        "the bundle {} has version {}, this thalweg reads version {}: make it again", path, version,
                        bundle_version);
        bundle.program = contents.at("program");
        bundle.mode = contents.at("mode").get<uint32_t>() & all_permissions;
        bundle.directory = contents.at("directory");
        count = contents.at("files");
    } catch (const std::exception &problem) {
        return damaged(path, problem.what());
    }
    bundle.files.assign(members->begin() + 1, members->end());
    if (const Status status = check_files(bundle, count, path); !status)
        return status.error();
    return bundle;
}

Result<std::string> write_bundle(const Bundle &bundle) {
    const Json contents = {{"version", bundle_version},     {"tool", tool_version},
                           {"program", bundle.program},     {"mode", bundle.mode},
                           {"directory", bundle.directory}, {"files", bundle.files.size()}};
    size_t bytes = 0;
    for (const ArchiveMember &file : bundle.files) {
        if (!is_safe(file.name))
            return fail(ErrorCode::environment, "'{}' can't be put into a bundle under this name", file.name);
        bytes += file.bytes.size();
    }
    if (bytes >= max_file_bytes)
        return fail(ErrorCode::environment,
                    "the files of the bundle have {} bytes together, more than the {} that are read", bytes,
                    max_file_bytes);
    const std::string text = contents.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::vector<ArchiveMember> members{{std::string(contents_name), text}};
    members.insert(members.end(), bundle.files.begin(), bundle.files.end());
    return write_archive(members);
}

}  // namespace thalweg::link
