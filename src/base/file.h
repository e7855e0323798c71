// base: whole files, read and written with messages that tell what to do.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace thalweg {

// More than any file that is read whole can sensibly have; keeps a wrong path (a disk, a core dump) from filling memory.
inline constexpr size_t max_file_bytes = size_t{1} << 30;

Result<std::string> read_file(const std::string &path);
// Written under another name beside `path`, then renamed: `path` is the old file or the new one, never half of it.
Status write_file(const std::string &path, const std::string &bytes);

}  // namespace thalweg
