// link: a section's bytes as they were before a linker compressed them.
#pragma once

#include <string>

#include "base/result.h"
#include "link/elf_file.h"

namespace thalweg::link {

// Of more no section that we write comes: plans are read up to this size, too.
inline constexpr size_t most_section_bytes = 64 << 20;

// An error where they are compressed otherwise than by zlib, are more than that, or are damaged.
Result<std::string> section_bytes(const ElfSection &section);

}  // namespace thalweg::link
