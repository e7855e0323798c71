// link: which functions of the C library a program has from elsewhere.
#pragma once

#include <set>
#include <string>

#include "link/elf_file.h"
#include "link/link_record.h"

namespace thalweg::link {

// Names under which the program calls something else than the C library: it defines them, another library does, or the linker was told to
// take another symbol (--wrap, --defsym). Of all functions, not of the C library's alone: a program's own are among them. Where another
// library is loaded in front by the user (LD_PRELOAD), nobody knows when the program is linked.
std::set<std::string> replaced_functions(const ElfFile &program, const LinkRecord &record);

// Functions that the program has from a glibc newer than 2.`minor`, and of which nothing is known (knowledge/function.h).
std::set<std::string> newer_functions(const ElfFile &program, unsigned minor);

}  // namespace thalweg::link
