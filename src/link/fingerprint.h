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

// Of an object with bitcode: all but the bitcode, because clang writes the path of the source there, which differs from checkout to
// checkout when it is absolute (CMake). Other code has another machine code, too. Of an archive: its members, those of a thin one
// from their own files; not their dates and owners. Of all else: every byte. `path`: where the file is.
Fingerprint fingerprint(std::string_view bytes, const std::string &path);

}  // namespace thalweg::link
