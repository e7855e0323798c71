// link: what tells that a file a program was linked from has changed since.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg::link {

struct Fingerprint {
    uint64_t size = 0;  // of what was hashed
    uint64_t hash = 0;
    bool operator==(const Fingerprint &) const = default;
};

// What is hashed:
// - of an object with bitcode, everything else: the bitcode holds the source's path, which differs between checkouts if it is absolute (CMake), and
//   changed code shows in the machine code too;
// - of an archive, its members without dates and owners (those of a thin archive are read from their files, beside `path`);
// - of any other file, every byte.
Fingerprint fingerprint(std::string_view bytes, const std::string &path);

}  // namespace thalweg::link
