// link: the functions that an ELF file's symbol tables name.
#pragma once

#include <string_view>
#include <vector>

#include <elf.h>

#include "link/elf_file.h"

namespace thalweg::link {

struct ElfSymbol {
    std::string_view name;  // without a version; into the file's bytes
    Elf64_Sym entry;
    size_t position = 0;  // in the table
    bool is_defined() const { return entry.st_shndx != SHN_UNDEF; }
    // A hidden one stands there as a local one when the program is linked; a file's own is nobody else's.
    bool is_for_others() const {
        return ELF64_ST_BIND(entry.st_info) != STB_LOCAL || ELF64_ST_VISIBILITY(entry.st_other) != STV_DEFAULT;
    }
};

// Of the table and the names in the sections of these names; none where there are no such sections.
std::vector<ElfSymbol> symbols_in(const ElfFile &file, std::string_view table, std::string_view names);

// Empty where there is no such section.
std::string_view section_bytes(const ElfFile &file, std::string_view section);

}  // namespace thalweg::link
