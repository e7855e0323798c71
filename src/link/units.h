// link: a program's objects taken apart into units, and the words of its link with other bitcode in their place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "link/link_record.h"

namespace thalweg::link {

// What one compilation gave: an object of the link, or a member of one of its archives.
struct Unit {
    std::string name;  // as ObjectInfo has it
    std::string bitcode;  // path of a file of its own
    size_t input = 0;  // index into LinkRecord::inputs
    std::optional<size_t> member;  // index into the archive's members
};

// Writes the bitcode of each object that has some into `folder`. Those that only a linker script names, or a list behind -Wl, are not among them.
Result<std::vector<Unit>> take_apart(const LinkRecord &record, const std::string &folder);

// The words of the record's link in which the file at `bitcode` of each unit stands for the object it was taken from; archives are written anew into
// `folder` for it, which has to stay until the link is done. What has no bitcode is linked as it was.
Result<std::vector<std::string>> words_with_units(const LinkRecord &record, const std::vector<Unit> &units,
                                                  const std::string &folder);

}  // namespace thalweg::link
