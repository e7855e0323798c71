// link: a program with all that it was linked from in one file, an archive (docs/formats/bundle.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "link/elf_file.h"

namespace thalweg::link {

struct Bundle {
    std::string program;    // name of the file that is the program
    uint32_t mode = 0;      // its permissions
    std::string directory;  // the folder of the link, in names of files
    std::vector<ArchiveMember> files;

    const ArchiveMember *find(std::string_view name) const;
    // Under which name the bundle has a file, or a folder of files, that the link names `path`.
    std::string name_of(const std::string &path) const;
    bool has_folder(const std::string &name) const;
};

bool is_bundle(std::string_view bytes);
// Of bytes that may be anything. No name in the result leads out of the folder that the files are put into. Views into `bytes`.
Result<Bundle> read_bundle(std::string_view bytes, const std::string &path);
Result<std::string> write_bundle(const Bundle &bundle);

}  // namespace thalweg::link
