// link: what a program has of the linker that its own build used, and that lld would make in another way.
#include "link/linker_difference.h"

#include <algorithm>

#include <elf.h>

#include "base/file.h"
#include "link/elf_file.h"
#include "link/elf_symbol.h"
#include "link/needed.h"

namespace thalweg::link {

namespace {

bool has_constructors(std::string_view bytes) {
    const auto elf = parse_elf(bytes);
    return elf && elf->type == ET_REL && std::ranges::any_of(elf->sections, [](const ElfSection &section) {
               const bool is_list = section.name.starts_with(".ctors") || section.name.starts_with(".dtors");
               return is_list && !section.bytes.empty();
           });
}

bool has_constructors_in(const std::string &path) {
    const auto bytes = read_file(path);
    if (!bytes || !is_archive(*bytes))
        return bytes && has_constructors(*bytes);
    std::vector<std::string> storage;
    const auto members = parse_archive(*bytes, path, storage);
    return members &&
           std::ranges::any_of(*members, [](const ArchiveMember &member) { return has_constructors(member.bytes); });
}

struct Symbols {
    std::string bytes;
    std::vector<ElfSymbol> exported;
    bool is_program = false;    // and no shared library
    std::string chosen_at_load;  // a function by a resolver; empty: there is none
};

Result<Symbols> symbols_of(const std::string &program) {
    auto bytes = read_file(program);
    if (!bytes)
        return bytes.error();
    Symbols symbols;
    symbols.bytes = std::move(*bytes);
    const auto elf = parse_elf(symbols.bytes);
    if (!elf)
        return elf.error();
    symbols.is_program = elf->find(".interp") != nullptr;
    // A static program resolves all of them itself, before anything else.
    const bool is_loaded = !needs_of(*elf).libraries.empty();
    for (const auto &[table, names] : {std::pair(".dynsym", ".dynstr"), std::pair(".symtab", ".strtab")})
        for (const ElfSymbol &symbol : symbols_in(*elf, table, names)) {
            if (!symbol.is_defined())
                continue;
            if (is_loaded && ELF64_ST_TYPE(symbol.entry.st_info) == STT_GNU_IFUNC)
                symbols.chosen_at_load = symbol.name;
            if (std::string_view(table) == ".dynsym" && ELF64_ST_BIND(symbol.entry.st_info) != STB_LOCAL)
                symbols.exported.push_back(symbol);
        }
    return symbols;
}

}  // namespace

Status check_linker(const LinkRecord &record, const std::string &program) {
    for (const InputFile &input : record.inputs)
        if (has_constructors_in(absolute_path(record.directory, input.path)))
            return fail(ErrorCode::environment,
                        "{} has constructors in a section .ctors or .dtors, which the linker lld leaves out: {} can be "
                        "neither recorded nor optimised",
                        input.path, record.output);
    const auto symbols = symbols_of(program);
    if (!symbols)
        return symbols.error();
    if (!symbols->chosen_at_load.empty())
        return fail(ErrorCode::environment,
                    "{} is chosen by a resolver when {} is loaded (IFUNC), which the linker lld puts in another order "
                    "than GNU ld: it can be neither recorded nor optimised",
                    symbols->chosen_at_load, record.output);
    return Done{};
}

std::string exported_list(const std::string &program) {
    const auto symbols = symbols_of(program);
    if (!symbols || !symbols->is_program || symbols->exported.empty())
        return {};
    std::string text = "{\n";
    for (const ElfSymbol &symbol : symbols->exported)
        if (symbol.name.find_first_of("\"\n") == std::string_view::npos)
            text += fmt::format("\"{}\";\n", symbol.name);
    return text + "};\n";
}

std::vector<std::string> hiding_words(const std::string &program) {
    const auto symbols = symbols_of(program);
    const bool shows_ends = symbols && std::ranges::any_of(symbols->exported, [](const ElfSymbol &symbol) {
                                return symbol.name.starts_with("__start_") || symbol.name.starts_with("__stop_");
                            });
    return shows_ends ? std::vector<std::string>() : std::vector<std::string>{"-Wl,-z,start-stop-visibility=hidden"};
}

}  // namespace thalweg::link
