// link: the shared libraries that a program loads at its start, as far as they are where the loader looks for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "link/elf_file.h"

namespace thalweg::link {

// What an ELF file says of the libraries that it needs.
struct Needs {
    std::vector<std::string_view> libraries;  // DT_NEEDED
    std::vector<std::string_view> folders;    // of DT_RUNPATH or DT_RPATH, as written: with $ORIGIN
};
Needs needs_of(const ElfFile &file);
// What a shared library calls itself: others need it by that name. Empty: nothing.
std::string soname_of(const ElfFile &file);

// Those of `program` and of its libraries that thalweg-cc linked, by path, each once. Looked for where RUNPATH, RPATH and
// LD_LIBRARY_PATH say; the system's own folders hold none of them. What dlopen loads later is not known here.
std::vector<std::string> libraries_with_link(const std::string &program);
// Whether it calls dlopen itself.
bool opens_libraries(const std::string &program);

}  // namespace thalweg::link
