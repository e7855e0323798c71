// link: which functions code calls that the compiler does not see.
#include "link/called.h"

#include <elf.h>

#include "base/file.h"
#include "link/elf_file.h"
#include "link/elf_symbol.h"
#include "link/relink.h"

namespace thalweg::link {

namespace {

using Names = std::set<std::string>;

// What has bitcode is seen; what is no object for a link (a library that is loaded, a linker's script) calls nothing that is the program's.
void add_called(std::string_view bytes, bool with_bitcode, Names &called) {
    const auto file = parse_elf(bytes);
    if (!file || file->type != ET_REL || (file->find(bitcode_section) && !with_bitcode))
        return;
    for (const ElfSymbol &symbol : symbols_in(*file, ".symtab", ".strtab"))
        if (!symbol.is_defined())
            called.emplace(symbol.name);
}

Status add_called_in(const std::string &path, bool with_bitcode, Names &called) {
    const auto bytes = read_file(path);
    if (!bytes)
        return bytes.error();
    if (!is_archive(*bytes)) {
        add_called(*bytes, with_bitcode, called);
        return Done{};
    }
    std::vector<std::string> storage;
    const auto members = parse_archive(*bytes, path, storage);
    if (!members)
        return members.error();
    for (const ArchiveMember &member : *members)
        add_called(member.bytes, with_bitcode, called);
    return Done{};
}

}  // namespace

Result<Names> functions_called_by(const std::string &archive) {
    Names called;
    if (const Status status = add_called_in(archive, true, called); !status)
        return status.error();
    return called;
}

Result<Names> functions_called_without_bitcode(const std::string &program, const LinkRecord &record) {
    Names called;
    for (const InputFile &input : record.inputs)
        if (const Status status = add_called_in(absolute_path(record.directory, input.path), false, called); !status) {
            const Status all = check_inputs(record);  // tells what to do
            return all ? status.error() : all.error();
        }
    const auto bytes = read_file(program);
    if (!bytes)
        return bytes.error();
    const auto file = parse_elf(*bytes);
    if (!file)
        return file.error();
    std::set<std::string_view> named;
    for (const auto &[table, names] : {std::pair(".dynsym", ".dynstr"), std::pair(".symtab", ".strtab")})
        for (const ElfSymbol &symbol : symbols_in(*file, table, names))
            named.insert(symbol.name);
    std::erase_if(called, [&](const std::string &name) { return !named.empty() && !named.contains(name); });
    return called;
}

}  // namespace thalweg::link
