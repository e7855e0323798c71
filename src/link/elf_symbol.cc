// link: the functions that an ELF file's symbol tables name.
#include "link/elf_symbol.h"

namespace thalweg::link {

std::string_view section_bytes(const ElfFile &file, std::string_view section) {
    const ElfSection *found = file.find(section);
    return found ? found->bytes : std::string_view();
}

std::vector<ElfSymbol> symbols_in(const ElfFile &file, std::string_view table, std::string_view names) {
    const std::string_view bytes = section_bytes(file, table);
    const std::string_view text = section_bytes(file, names);
    std::vector<ElfSymbol> symbols;
    for (size_t i = 0; const auto entry = read_at<Elf64_Sym>(bytes, i * sizeof(Elf64_Sym)); ++i) {
        const std::string_view name = text_at(text, entry->st_name);
        const unsigned type = ELF64_ST_TYPE(entry->st_info);
        if (!name.empty() && (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE))
            symbols.push_back({name.substr(0, name.find('@')), *entry, i});
    }
    return symbols;
}

}  // namespace thalweg::link
