// link: which functions code calls that the compiler does not see.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "link/link_record.h"

namespace thalweg::link {

// What the objects of an archive call and don't define.
Result<std::set<std::string>> functions_called_by(const std::string &archive);

// The functions that the program's objects without bitcode (assembler, other compilers) call. Which members of an archive were linked is not known,
// so all are looked at, and names that the program's own symbol tables lack are dropped. A static, stripped program has no tables: then none are
// dropped.
Result<std::set<std::string>> functions_called_without_bitcode(const std::string &program, const LinkRecord &record);

}  // namespace thalweg::link
