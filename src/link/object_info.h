// link: what an object file or archive member carries: bitcode, and at which level it was compiled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "link/link_record.h"

namespace thalweg::link {

struct ObjectInfo {
    std::string name;          // the file's path, "archive(member)" for a member
    bool has_bitcode = false;  // without it the object is opaque: linked, but not looked into
    std::string level;         // "-O2"; empty: not told
    bool has_debug_info = false;
};

// Every object in the file at `path`: one, or an archive's members. Files that are no objects (scripts) give none.
Result<std::vector<ObjectInfo>> objects_in(const std::string &path);

// The level for linking again: the link's own -O, else the highest of the objects; never below -O2, because merging
// handlers without inlining them gains nothing.
std::string level_of_link(const LinkRecord &record);

}  // namespace thalweg::link
