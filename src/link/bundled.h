// link: which files of a program go into its bundle.
#pragma once

#include <string>

#include "base/result.h"

namespace thalweg::link {

// The bytes of the bundle of the program at `path`: with objects, archives, shared libraries of its own folders and linker scripts.
// What the system's folders answer (-lz without a -L) is the other machine's. `objects` as for read_linked_program.
Result<std::string> make_bundle(const std::string &path, const std::string &objects);

}  // namespace thalweg::link
