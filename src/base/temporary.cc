// base: files and folders that go away with their owner.
#include "base/temporary.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/trust.h"

namespace thalweg {

namespace {

namespace fs = std::filesystem;

Error cannot_make(const std::string &path, int problem) {
    return fail(ErrorCode::environment, "cannot make {}: {}; make room there, or name another folder with TMPDIR", path,
                std::strerror(problem));
}

Result<std::string> made_folder(std::string pattern) {
    if (::mkdtemp(pattern.data()) == nullptr)
        return cannot_make(pattern, errno);
    return pattern;
}

}  // namespace

Result<std::string> temporary_place() {
    std::error_code problem;
    const std::string place = fs::temp_directory_path(problem).string();
    if (problem)
        return fail(ErrorCode::environment, "there is no folder for temporary files: {}; name one with TMPDIR",
                    problem.message());
    auto trusted = trusted_or_sticky_folder(place);
    if (!trusted)
        return fail(ErrorCode::environment, "{}; name another folder for temporary files with TMPDIR",
                    trusted.error().message);
    return trusted;
}

Result<TemporaryFolder> TemporaryFolder::make(std::string_view purpose) {
    const auto place = temporary_place();
    if (!place)
        return place.error();
    auto path = made_folder(fmt::format("{}/thalweg-{}-XXXXXX", *place, purpose));
    if (!path)
        return path.error();
    return TemporaryFolder(std::move(*path));
}

Result<TemporaryFolder> TemporaryFolder::make_in(const std::string &place, std::string_view purpose) {
    auto path = made_folder(fmt::format("{}/.thalweg-{}-XXXXXX", place, purpose));
    if (!path)
        return path.error();
    return TemporaryFolder(std::move(*path));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty())
        fs::remove_all(path_, ignored);
}

Result<TemporaryFile> TemporaryFile::make(std::string_view purpose, std::string_view content) {
    const auto place = temporary_place();
    if (!place)
        return place.error();
    TemporaryFile file(fmt::format("{}/thalweg-{}-XXXXXX", *place, purpose));
    const int descriptor = ::mkostemp(file.path_.data(), O_CLOEXEC);
    if (descriptor < 0)
        return cannot_make(std::exchange(file.path_, {}), errno);
    int problem = write_all(descriptor, content);
    if (::close(descriptor) != 0 && problem == 0)
        problem = errno;
    if (problem != 0)
        return cannot_make(file.path_, problem);
    return file;
}

TemporaryFile::~TemporaryFile() {
    if (!path_.empty())
        ::unlink(path_.c_str());
}

}  // namespace thalweg
