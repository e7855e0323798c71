// link: a program that is to be linked again, whether it stands where it was built or in a bundle.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/temporary.h"
#include "link/link_record.h"

namespace thalweg::link {

struct OpenedProgram {
    std::string path;       // of the program's file
    LinkedProgram program;  // its record names the files that are there
    // Of a program out of a bundle: the folder with its files, which goes away with this, and the record that the new program is to
    // hold, as if it stood beside the first.
    std::optional<TemporaryFolder> folder;
    std::optional<LinkRecord> remembered;
};

// `objects` as for read_linked_program; a bundle has its own.
Result<OpenedProgram> open_program(const std::string &path, const std::string &objects);

}  // namespace thalweg::link
