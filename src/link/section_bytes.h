// link: a section's bytes as they were before a linker compressed them.
#pragma once

#include <string>

#include "base/result.h"
#include "link/elf_file.h"

namespace thalweg::link {

// A header of a stranger's may name any size. What an optimised program keeps of its plan is some kilobytes; the largest plan that was seen, with all of its
// refusals, had 14.5 MB (redis, 605 decisions).
inline constexpr size_t most_section_bytes = 64 << 20;

// An error where they are compressed otherwise than by zlib, are more than that, or are damaged.
Result<std::string> section_bytes(const ElfSection &section);

}  // namespace thalweg::link
