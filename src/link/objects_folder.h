// link: where the objects of a program are, which may have been moved or copied since its link.
#pragma once

#include <string>

#include "link/link_record.h"

namespace thalweg::link {

// The folder of the link. By the record it is seen from the folder of `program`; `objects`, where it isn't empty, names that folder
// or the link's in its place. Where the objects are in none of them, it is where they should be.
std::string objects_folder(const LinkRecord &record, const std::string &program, const std::string &objects);

}  // namespace thalweg::link
