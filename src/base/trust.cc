// base: who can change a file.
#include "base/trust.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

namespace thalweg {

namespace {

namespace fs = std::filesystem;

// The id that the kernel shows where a user namespace has none for an owner (its default; user_namespaces(7)).
constexpr uid_t overflow_id = 65534;

bool is_mapped(uid_t user) {
    const auto text = read_file("/proc/self/uid_map");
    if (!text)
        return true;
    std::istringstream lines(*text);
    uint64_t first = 0, outside = 0, count = 0;
    while (lines >> first >> outside >> count)
        if (user >= first && user - first < count)
            return true;
    return false;
}

bool is_trusted_owner(uid_t owner) {
    return owner == ::geteuid() || owner == 0 || (owner == overflow_id && !is_mapped(overflow_id));
}

// A group of one: the user's.
bool is_users_own(gid_t group) {
    if (group == 0 || group != ::getegid())
        return group == 0;
    const passwd *user = ::getpwuid(::geteuid());
    if (user == nullptr)
        return false;
    const std::string name = user->pw_name;
    const struct group *entry = ::getgrgid(group);
    if (entry == nullptr || name != entry->gr_name)
        return false;
    for (char **member = entry->gr_mem; *member != nullptr; ++member)
        if (name != *member)
            return false;
    return true;
}

bool others_write(const struct stat &status) {
    return (status.st_mode & S_IWOTH) != 0 || ((status.st_mode & S_IWGRP) != 0 && !is_users_own(status.st_gid));
}

Error not_trusted(const std::string &path, const std::string &why) {
    return fail(ErrorCode::environment, "{} is not to be trusted: {}", path, why);
}

Status check_owner(const std::string &path, const struct stat &status) {
    if (!is_trusted_owner(status.st_uid))
        return not_trusted(path,
                           fmt::format("it belongs to user {}, not to you or to root (chown it, or unpack with tar "
                                       "--no-same-owner)",
                                       status.st_uid));
    return Done{};
}

Result<struct stat> status_of(const std::string &path) {
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0)
        return fail(ErrorCode::environment, "cannot look at {}: {}", path, std::strerror(errno));
    return status;
}

Status check_folder(const std::string &path, bool sticky_is_enough) {
    const auto status = status_of(path);
    if (!status)
        return status.error();
    if (!S_ISDIR(status->st_mode))
        return not_trusted(path, "it is no folder");
    if (const Status owner = check_owner(path, *status); !owner)
        return owner;
    const bool safe = sticky_is_enough && (status->st_mode & S_ISVTX) != 0;
    if (others_write(*status) && !safe)
        return not_trusted(path, "other users can write to it");
    return Done{};
}

// No folder above `real`, which has no symbolic link in it, can be replaced: nobody else writes to the one that it stands in, or
// that one is sticky.
Status check_above(const fs::path &real) {
    for (fs::path folder = real; folder.has_relative_path();) {
        folder = folder.parent_path();
        if (const Status status = check_folder(folder.string(), true); !status)
            return status;
    }
    return Done{};
}

Result<std::string> checked_folder(const std::string &path, bool sticky_is_enough) {
    std::error_code problem;
    const fs::path real = fs::canonical(path, problem);
    if (problem)
        return fail(ErrorCode::environment, "cannot look at {}: {}", path, problem.message());
    if (const Status status = check_folder(real.string(), sticky_is_enough); !status)
        return status.error();
    if (const Status status = check_above(real); !status)
        return status.error();
    return real.string();
}

}  // namespace

Status check_trusted_file(const std::string &path) {
    const auto status = status_of(path);
    if (!status)
        return status.error();
    if (!S_ISREG(status->st_mode))
        return not_trusted(path, "it is no regular file");
    if (const Status owner = check_owner(path, *status); !owner)
        return owner;
    if (others_write(*status))
        return not_trusted(path, "other users can write to it");
    if (status->st_nlink != 1)
        return not_trusted(path, "it has a second name");
    std::error_code problem;
    const fs::path real = fs::canonical(path, problem);
    if (problem || real != fs::absolute(path).lexically_normal())
        return not_trusted(path, "the path to it leads through a symbolic link");
    return check_above(real);
}

Status check_own_folder(const std::string &path) { return check_folder(path, false); }

Result<std::string> trusted_folder(const std::string &path) { return checked_folder(path, false); }

Result<std::string> trusted_or_sticky_folder(const std::string &path) { return checked_folder(path, true); }

}  // namespace thalweg
