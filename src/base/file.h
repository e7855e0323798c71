// base: whole files, read and written with messages that tell what to do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"

namespace thalweg {

// More than any file that is read whole can sensibly have; keeps a wrong path (a disk, a core dump) from filling memory.
inline constexpr size_t max_file_bytes = size_t{1} << 30;

// Who may read what is written. Profiles, plans and reports hold command lines and values of the user's run.
enum class Readers {
    owner,  // mode 0600
    others  // 0666 without the umask's bits, as sources and objects have it
};

Result<std::string> read_file(const std::string &path);
// Written under a new name beside `path`, then renamed: `path` is the old file or the new one, never half of it. A symbolic
// link at `path` is replaced, not followed; a device, a pipe or an open descriptor (/dev/stdout) is written to.
Status write_file(const std::string &path, std::string_view bytes, Readers readers = Readers::owner);
// A file that a user asked for and that is not to be there after all. A device, a pipe or a folder of that name stays: nobody made it for this.
void remove_output(const std::string &path);
// 0, or errno.
int write_all(int descriptor, std::string_view bytes);

}  // namespace thalweg
