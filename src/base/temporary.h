// base: files and folders that go away with their owner, which no other user can read, make first, or replace.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace thalweg {

// Where temporary files go: $TMPDIR, else /tmp. An error where another user could replace what is made there.
Result<std::string> temporary_place();

// Removed with all that is in it. Mode 0700, and a name that nobody can guess.
class TemporaryFolder {
  public:
    // `purpose` is a part of the name, for whoever finds one that a killed process left behind.
    static Result<TemporaryFolder> make(std::string_view purpose);
    // In another place than for temporary files, hidden there.
    static Result<TemporaryFolder> make_in(const std::string &place, std::string_view purpose);

    TemporaryFolder(TemporaryFolder &&other) noexcept : path_(std::exchange(other.path_, {})) {}
    TemporaryFolder &operator=(TemporaryFolder &&) = delete;
    ~TemporaryFolder();
    const std::string &path() const { return path_; }
    std::string file(std::string_view name) const { return fmt::format("{}/{}", path_, name); }

  private:
    explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

// A file with `content`. Mode 0600.
class TemporaryFile {
  public:
    static Result<TemporaryFile> make(std::string_view purpose, std::string_view content);

    TemporaryFile(TemporaryFile &&other) noexcept : path_(std::exchange(other.path_, {})) {}
    TemporaryFile &operator=(TemporaryFile &&) = delete;
    ~TemporaryFile();
    const std::string &path() const { return path_; }

  private:
    explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

}  // namespace thalweg
