// link: the little of ELF that is needed, read from bytes that may be anything; and one small object written.
#include "link/elf_file.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>

#include <elf.h>

namespace thalweg::link {

namespace {

template <class T>
void append(std::string &bytes, const T &value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
}

Error broken(const char *what) { return fail(ErrorCode::environment, "broken ELF file: {}", what); }

}  // namespace

std::optional<std::string_view> slice(std::string_view bytes, uint64_t offset, uint64_t size) {
    if (offset > bytes.size() || size > bytes.size() - offset)
        return std::nullopt;
    return bytes.substr(offset, size);
}

std::string_view text_at(std::string_view table, uint64_t offset) {
    if (offset >= table.size())
        return {};
    const std::string_view rest = table.substr(offset);
    const size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

const ElfSection *ElfFile::find(std::string_view name) const {
    for (const ElfSection &section : sections)
        if (section.name == name)
            return &section;
    return nullptr;
}

std::string ElfFile::build_id() const {
    const ElfSection *note = find(".note.gnu.build-id");
    if (note == nullptr)
        return {};
    const auto header = read_at<Elf64_Nhdr>(note->bytes, 0);
    if (!header || header->n_type != NT_GNU_BUILD_ID || header->n_namesz != sizeof ELF_NOTE_GNU)
        return {};
    const auto id = slice(note->bytes, sizeof *header + sizeof ELF_NOTE_GNU, header->n_descsz);
    if (!id)
        return {};
    std::string text;
    for (const char byte : *id)
        text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
}

std::vector<ElfFunction> ElfFile::functions() const {
    const ElfSection *symbols = find(".symtab");
    const ElfSection *names = find(".strtab");
    if (symbols == nullptr || names == nullptr)
        return {};
    std::map<std::string_view, std::vector<uint64_t>> found;
    for (size_t at = 0; const auto symbol = read_at<Elf64_Sym>(symbols->bytes, at); at += sizeof(Elf64_Sym))
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF)
            found[text_at(names->bytes, symbol->st_name)].push_back(symbol->st_value);
    std::vector<ElfFunction> functions;
    for (const auto &[name, addresses] : found)
        if (!name.empty() && addresses.size() == 1)
            functions.push_back({std::string(name), addresses.front()});
    std::sort(functions.begin(), functions.end(), [](const ElfFunction &a, const ElfFunction &b) {
        return std::tie(a.address, a.name) < std::tie(b.address, b.name);
    });
    return functions;
}

Result<ElfFile> parse_elf(std::string_view bytes) {
    const auto header = read_at<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return fail(ErrorCode::environment, "not an ELF file");
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_machine != EM_X86_64)
        return fail(ErrorCode::environment, "an ELF file, but not of a 64-bit x86-64 program");
    ElfFile file;
    file.type = header->e_type;
    if (header->e_shoff == 0)
        return file;
    const auto first = read_at<Elf64_Shdr>(bytes, header->e_shoff);
    if (header->e_shentsize != sizeof(Elf64_Shdr) || !first)
        return broken("its section table lies outside of it");
    const uint64_t count = header->e_shnum != 0 ? header->e_shnum : first->sh_size;
    const uint64_t names_index = header->e_shstrndx != SHN_XINDEX ? header->e_shstrndx : first->sh_link;
    if (count > (bytes.size() - header->e_shoff) / sizeof(Elf64_Shdr))
        return broken("more sections than bytes");
    if (names_index >= count)
        return broken("no section names");
    const auto names_header = read_at<Elf64_Shdr>(bytes, header->e_shoff + names_index * sizeof(Elf64_Shdr));
    const auto names = slice(bytes, names_header->sh_offset, names_header->sh_size);
    if (!names)
        return broken("its section names lie outside of it");
    for (uint64_t i = 1; i < count; ++i) {
        const auto section = read_at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
        const auto content =
            section->sh_type == SHT_NOBITS ? std::string_view() : slice(bytes, section->sh_offset, section->sh_size);
        if (!content)
            return broken("a section lies outside of it");
        file.sections.push_back({text_at(*names, section->sh_name), section->sh_type, section->sh_flags, *content});
    }
    return file;
}

std::string link_object(std::string_view content, std::string_view plan) {
    constexpr std::string_view names(
        "\0.thalweg.link\0.note.GNU-stack\0.symtab\0.strtab\0.shstrtab\0.debug_thalweg_plan\0", 77);
    constexpr uint32_t link_name = 1, stack_name = 15, symtab_name = 31, strtab_name = 39, shstrtab_name = 47,
                       plan_name = 57;
    const Elf64_Sym no_symbol{};
    std::string bytes(sizeof(Elf64_Ehdr), '\0');
    const uint64_t content_offset = bytes.size();
    bytes.append(content);
    const uint64_t plan_offset = bytes.size();
    bytes.append(plan);
    bytes.resize((bytes.size() + 7) & ~uint64_t{7});
    const uint64_t symbols_offset = bytes.size();
    append(bytes, no_symbol);
    const uint64_t names_offset = bytes.size();
    bytes.append(names);
    bytes.resize((bytes.size() + 7) & ~uint64_t{7});

    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_OSABI] = ELFOSABI_GNU;  // SHF_GNU_RETAIN is GNU's
    header.e_type = ET_REL;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_shoff = bytes.size();
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = plan.empty() ? 6 : 7;
    header.e_shstrndx = 5;
    std::memcpy(bytes.data(), &header, sizeof header);

    // Fields: name, type, flags, address, offset, size, link, info, alignment, entry size.
    append(bytes, Elf64_Shdr{});
    append(bytes, Elf64_Shdr{link_name, SHT_PROGBITS, SHF_GNU_RETAIN, 0, content_offset, content.size(), 0, 0, 1, 0});
    append(bytes, Elf64_Shdr{stack_name, SHT_PROGBITS, 0, 0, content_offset, 0, 0, 0, 1, 0});
    append(bytes,
           Elf64_Shdr{symtab_name, SHT_SYMTAB, 0, 0, symbols_offset, sizeof no_symbol, 4, 1, 8, sizeof no_symbol});
    append(bytes, Elf64_Shdr{strtab_name, SHT_STRTAB, 0, 0, names_offset, 1, 0, 0, 1, 0});
    append(bytes, Elf64_Shdr{shstrtab_name, SHT_STRTAB, 0, 0, names_offset, names.size(), 0, 0, 1, 0});
    if (!plan.empty())
        append(bytes, Elf64_Shdr{plan_name, SHT_PROGBITS, 0, 0, plan_offset, plan.size(), 0, 0, 1, 0});
    return bytes;
}

}  // namespace thalweg::link
