// record: the folder that a run's raw files are in.
#include "record/folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

namespace thalweg::record {

namespace {

namespace fs = std::filesystem;

constexpr char purpose[] = "record";
constexpr char name_begin[] = "thalweg-record-";  // as TemporaryFolder makes it of that
// Files of the folder beside the raw ones; none has their ending.
constexpr char lock_name[] = "lock";
constexpr char program_name[] = "program";
constexpr char build_id_name[] = "build-id";
constexpr char command_name[] = "command";
constexpr char libraries_name[] = "libraries";

Status write_note(const std::string &folder, const FolderNote &note) {
    const std::pair<const char *, const std::string &> files[] = {{program_name, note.program},
                                                                  {build_id_name, note.build_id},
                                                                  {command_name, note.command},
                                                                  {libraries_name, note.libraries}};
    for (const auto &[name, text] : files)
        if (Status status = write_file(folder + "/" + name, text); !status)
            return status;
    return Done{};
}

Result<FolderNote> read_note(const std::string &folder) {
    FolderNote note;
    const std::pair<const char *, std::string &> files[] = {{program_name, note.program},
                                                            {build_id_name, note.build_id},
                                                            {command_name, note.command},
                                                            {libraries_name, note.libraries}};
    for (const auto &[name, text] : files) {
        auto read = read_file(folder + "/" + name);
        if (!read)
            return fail(ErrorCode::usage, "{} is no folder of a recording: {}", folder, read.error().message);
        text = std::move(*read);
    }
    return note;
}

// Somebody else's folder may say anything of what is to be linked and run.
bool is_ours_alone(const std::string &folder) {
    struct stat status{};
    return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() &&
           (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

// The whole file, for the open file description: children of fork share it, as they do the recording.
struct flock whole_file(short type) {
    struct flock lock{};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

// Asks without locking: a lock of ours, however short, would tell the recording that begins there that its own folder is another's.
bool is_locked(const std::string &folder) {
    const int file = ::open((folder + "/" + lock_name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return true;  // it is being made
    struct flock lock = whole_file(F_WRLCK);
    const bool is_free = ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
    ::close(file);
    return !is_free;
}

}  // namespace

Status Folder::lock() {
    const std::string path = path_ + "/" + lock_name;
    lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock_ < 0)
        return fail(ErrorCode::environment, "cannot write to {}: {}", path_, std::strerror(errno));
    struct flock lock = whole_file(F_WRLCK);
    if (::fcntl(lock_, F_OFD_SETLK, &lock) == 0)
        return Done{};
    if (errno != EAGAIN && errno != EACCES)
        return fail(ErrorCode::environment, "cannot lock {}: {}; name another place with TMPDIR", path,
                    std::strerror(errno));
    return fail(ErrorCode::environment, "{} belongs to a recording that still runs", path_);
}

Result<Folder> Folder::make(const FolderNote &note) {
    auto made = TemporaryFolder::make(purpose);
    if (!made)
        return made.error();
    Folder folder(made->path());
    folder.made_.emplace(std::move(*made));
    if (const Status status = folder.lock(); !status)
        return status.error();
    if (const Status status = write_note(folder.path(), note); !status)
        return status.error();
    return folder;
}

Result<Folder> Folder::open(const std::string &path) {
    if (!is_ours_alone(path))
        return fail(ErrorCode::usage, "{} is no folder of this user's alone, as a recording makes it", path);
    Folder folder(path);
    if (const Status status = folder.lock(); !status)
        return status.error();
    return folder;
}

Folder::Folder(Folder &&other) noexcept
    : path_(std::exchange(other.path_, {})), made_(std::move(other.made_)), lock_(std::exchange(other.lock_, -1)),
      is_discarded_(std::exchange(other.is_discarded_, false)) {}

Folder::~Folder() {
    std::error_code ignored;
    if (is_discarded_)
        fs::remove_all(path_, ignored);
    if (lock_ >= 0)
        ::close(lock_);
}

Result<FolderNote> Folder::note() const { return read_note(path_); }

std::vector<std::string> folders_left_behind() {
    std::vector<std::string> found;
    const auto place = temporary_place();
    if (!place)
        return found;
    std::error_code problem;
    for (const auto &entry : fs::directory_iterator(*place, problem)) {
        const std::string path = entry.path().string();
        if (!entry.path().filename().string().starts_with(name_begin) || !is_ours_alone(path))
            continue;
        if (!is_locked(path) && read_note(path))
            found.push_back(path);
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace thalweg::record
