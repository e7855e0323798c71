// driver: shared libraries that are recorded and optimised with the program that loads them, each by itself.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/temporary.h"
#include "model/profile.h"

namespace thalweg::driver {

// One that thalweg-cc linked.
struct Library {
    std::string name;  // its SONAME, else its file's name
    std::string path;  // of the file itself: no link, no folder of the name ..
};

// Libraries by their paths, and the paths of the files that are loaded in their places.
using LibraryFiles = std::vector<std::pair<std::string, std::string>>;

// What `program` needs, and `named` (of those that it opens by dlopen), sorted by name. An error where one of `named` is none, or two have
// one name.
Result<std::vector<Library>> libraries_of(const std::string &program, const std::vector<std::string> &named);
// Prints a note for each needed library that the profile does not contain.
void tell_unrecorded_libraries(const std::string &program, const model::Profile &profile);

// Matches files in `folder` with the libraries of `program` (and `named`), by SONAME or by file name. An error if there is no match.
Result<LibraryFiles> library_files_in(const std::string &folder, const std::string &program,
                                      const std::vector<std::string> &named);

// Has other files loaded in place of a program's libraries. The list that the loader reads is removed with this object.
class ReplacedLibraries {
  public:
    static Result<ReplacedLibraries> make(const LibraryFiles &replaced);
    // Variables to set for the run.
    std::vector<std::pair<std::string, std::string>> environment() const;
    // The libraries linked by thalweg-cc that processes with this environment loaded so far, without the replaced ones and those in `known`.
    std::vector<std::string> left_as_they_are(const std::vector<std::string> &known) const;

  private:
    ReplacedLibraries(TemporaryFolder folder, std::vector<std::string> paths)
        : folder_(std::move(folder)), paths_(std::move(paths)) {}

    TemporaryFolder folder_;
    std::vector<std::string> paths_;  // of what is replaced, and by what
};

}  // namespace thalweg::driver
