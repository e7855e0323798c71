// link: which functions code calls that the compiler does not see.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "link/link_record.h"

namespace thalweg::link {

// What the objects of an archive call and don't define.
Result<std::set<std::string>> functions_called_by(const std::string &archive);

// What the program at that path calls in those of its objects that have no bitcode (assembler, other compilers): of an archive's members it is not known
// which are linked, so what the program's own tables don't name is left out, unless it has none (static and stripped).
Result<std::set<std::string>> functions_called_without_bitcode(const std::string &program, const LinkRecord &record);

}  // namespace thalweg::link
