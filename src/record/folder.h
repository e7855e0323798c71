// record: the folder that a run's raw files are in, from the run's begin until they are read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/temporary.h"

namespace thalweg::record {

// What was run, as the folder says it: enough to make a profile of the raw files when whoever recorded was killed.
struct FolderNote {
    std::string program;
    std::string build_id;
    std::string command;
    std::string libraries = {};  // a line each: the paths of the shared libraries that were recorded with it
};

// In the folder for temporary files, the user's alone. It is locked as long as this lives and removed with it.
class Folder {
  public:
    static Result<Folder> make(const FolderNote &note);
    // One that was left behind by a recording that was killed.
    static Result<Folder> open(const std::string &path);

    Folder(Folder &&other) noexcept;
    Folder &operator=(Folder &&) = delete;
    ~Folder();

    const std::string &path() const { return path_; }
    Result<FolderNote> note() const;
    // What it holds is in a profile: one that was left behind stays until then.
    void discard() { is_discarded_ = true; }

  private:
    explicit Folder(std::string path) : path_(std::move(path)) {}
    Status lock();

    std::string path_;
    std::optional<TemporaryFolder> made_;  // none: it was left behind, and stays until it is discarded
    int lock_ = -1;
    bool is_discarded_ = false;
};

// This user's folders whose recording was killed, in order.
std::vector<std::string> folders_left_behind();

}  // namespace thalweg::record
