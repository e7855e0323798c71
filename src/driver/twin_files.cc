// driver: where a program's twins stand, and which of the files there are theirs.
#include "driver/twin_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "base/temporary.h"
#include "base/trust.h"

namespace thalweg::driver {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view twin_ending = ".thalweg-twin";
constexpr std::array<std::string_view, 4> endings = {".sites.json", ".job.json", ".plan.toml", ".outcome.json"};

// Twins are executed, so nobody else may put one there or change what shapes it: neither in `folder` nor in its .thalweg, which
// is made. Both by the paths to use.
struct TwinPlace {
    std::string folder;
    std::string kept;
};

Result<TwinPlace> twin_place(const std::string &folder) {
    const auto trusted = trusted_folder(folder);
    if (!trusted)
        return trusted.error();
    const std::string kept = *trusted + "/.thalweg";
    if (::mkdir(kept.c_str(), 0755) != 0 && errno != EEXIST)
        return fail(ErrorCode::environment, "cannot make the folder {}: {}", kept, std::strerror(errno));
    const auto trusted_kept = trusted_folder(kept);
    if (!trusted_kept)
        return trusted_kept.error();
    if (*trusted_kept != kept)
        return fail(ErrorCode::environment, "{} is a symbolic link", kept);
    return TwinPlace{*trusted, kept};
}

// For programs whose folder isn't ours to write, or in which others can write: one folder a user, that nobody else can write to.
Result<TwinPlace> fallback_place() {
    const auto place = temporary_place();
    if (!place)
        return place.error();
    const std::string path = fmt::format("{}/thalweg-twins-{}", *place, ::geteuid());
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
        return fail(ErrorCode::environment, "cannot make the folder {}: {}; name another place with TMPDIR", path,
                    std::strerror(errno));
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid() ||
        (status.st_mode & 077) != 0)
        return fail(ErrorCode::environment,
                    "{} is not a folder of yours alone; remove it, or name another place with "
                    "TMPDIR",
                    path);
    return twin_place(path);
}

// A twin's file is NAME.ID and an ending, with a dot before it where it stands beside the program.
struct FileName {
    std::string_view name;
    std::string_view id;
    std::string_view ending;
};

FileName split(std::string_view file) {
    constexpr size_t id_digits = 16;
    for (size_t end = file.size(); end-- > id_digits + 1;) {
        const std::string_view id = file.substr(end - id_digits, id_digits);
        const bool is_id = file[end] == '.' && file[end - id_digits - 1] == '.' &&
                           id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
        if (is_id)
            return {file.substr(0, end - id_digits - 1), id, file.substr(end)};
    }
    return {};
}

bool is_twin_ending(std::string_view ending) {
    // ".PID" follows while it is linked.
    return ending.starts_with(twin_ending) &&
           (ending.size() == twin_ending.size() || ending[twin_ending.size()] == '.');
}
bool is_table_ending(std::string_view ending) { return std::ranges::find(endings, ending) != endings.end(); }

Removed remove_in(const fs::path &folder, std::string_view name, std::string_view kept_id, std::string_view before,
                  bool (*is_theirs)(std::string_view)) {
    Removed removed;
    std::error_code problem;
    for (const auto &entry : fs::directory_iterator(folder, problem)) {
        const std::string file = entry.path().filename().string();
        if (!file.starts_with(before) || !entry.is_regular_file(problem) || entry.is_symlink(problem))
            continue;
        const FileName parts = split(std::string_view(file).substr(before.size()));
        if (parts.name.empty() || (!name.empty() && parts.name != name) || parts.id == kept_id ||
            !is_theirs(parts.ending))
            continue;
        const uintmax_t bytes = entry.file_size(problem);
        if (!fs::remove(entry.path(), problem))
            continue;
        ++removed.files;
        removed.bytes += bytes;
    }
    return removed;
}

}  // namespace

Result<std::string> fallback_folder() {
    const auto place = fallback_place();
    return place ? Result<std::string>(place->folder) : place.error();
}

Removed remove_twins(const fs::path &folder, std::string_view name, std::string_view kept_id) {
    const Removed twins = remove_in(folder, name, kept_id, ".", is_twin_ending);
    const Removed tables = remove_in(folder / ".thalweg", name, kept_id, "", is_table_ending);
    return {twins.files + tables.files, twins.bytes + tables.bytes};
}

Result<TwinFiles> twin_files(const std::string &program, const std::string &id) {
    const fs::path whole = fs::absolute(program).lexically_normal();
    const std::string beside = whole.parent_path().string();
    auto place = ::access(beside.c_str(), W_OK) == 0 ? twin_place(beside) : fallback_place();
    if (!place) {
        const std::string why = place.error().message;
        place = fallback_place();
        if (!place)
            return fail(ErrorCode::environment, "{}; nor beside the program: {}", place.error().message, why);
        note(fmt::format("the twin does not stand beside the program but in {}: {}", place->folder, why));
    }
    const std::string name = whole.filename().string();
    const std::string stem = fmt::format("{}/{}.{}", place->kept, name, id);
    return TwinFiles{fmt::format("{}/.{}.{}{}", place->folder, name, id, twin_ending),
                     fmt::format("{}{}", stem, endings[0]), fmt::format("{}{}", stem, endings[1]),
                     fmt::format("{}{}", stem, endings[2]), fmt::format("{}{}", stem, endings[3])};
}

}  // namespace thalweg::driver
