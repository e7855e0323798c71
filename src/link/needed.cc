// link: the shared libraries that a program loads at its start.
#include "link/needed.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include <elf.h>

#include "base/file.h"
#include "link/elf_symbol.h"

namespace thalweg::link {

namespace {

namespace fs = std::filesystem;

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const size_t end = std::min(text.find(':'), text.size());
        if (end != 0)
            parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::string in_place_of_origin(std::string_view folder, const std::string &origin) {
    std::string result(folder);
    for (const std::string_view name : {std::string_view("${ORIGIN}"), std::string_view("$ORIGIN")})
        if (const size_t at = result.find(name); at != std::string::npos)
            result.replace(at, name.size(), origin);
    return result;
}

std::optional<std::string> found(std::string_view library, const std::vector<std::string> &folders) {
    for (const std::string &folder : folders) {
        const fs::path path = fs::path(folder) / library;
        std::error_code ignored;
        if (fs::is_regular_file(path, ignored))
            return path.lexically_normal().string();
    }
    return std::nullopt;
}

// Folders of the file at `path`, in the loader's order.
std::vector<std::string> folders_of(const std::string &path, const Needs &needs) {
    std::vector<std::string> folders;
    const std::string origin = fs::absolute(path).parent_path().string();
    if (const char *named = std::getenv("LD_LIBRARY_PATH"))
        for (const std::string_view folder : split(named))
            folders.emplace_back(folder);
    for (const std::string_view folder : needs.folders)
        folders.push_back(in_place_of_origin(folder, origin));
    return folders;
}

struct DynamicEntry {
    int64_t tag = DT_NULL;
    std::string_view text;  // where its value is that of a text
};

std::vector<DynamicEntry> dynamic_entries(const ElfFile &file) {
    std::vector<DynamicEntry> entries;
    const ElfSection *dynamic = file.find(".dynamic");
    const ElfSection *names = file.find(".dynstr");
    if (!dynamic || !names)
        return entries;
    for (size_t i = 0; const auto entry = read_at<Elf64_Dyn>(dynamic->bytes, i * sizeof(Elf64_Dyn)); ++i)
        entries.push_back({entry->d_tag, text_at(names->bytes, entry->d_un.d_val)});
    return entries;
}

}  // namespace

Needs needs_of(const ElfFile &file) {
    Needs needs;
    for (const DynamicEntry &entry : dynamic_entries(file)) {
        if (entry.tag == DT_NEEDED)
            needs.libraries.push_back(entry.text);
        if (entry.tag == DT_RUNPATH || entry.tag == DT_RPATH)
            needs.folders = split(entry.text);
    }
    return needs;
}

std::string soname_of(const ElfFile &file) {
    for (const DynamicEntry &entry : dynamic_entries(file))
        if (entry.tag == DT_SONAME)
            return std::string(entry.text);
    return {};
}

std::vector<std::string> libraries_with_link(const std::string &program) {
    std::vector<std::string> ours;
    std::vector<std::string> to_look_at{program};
    std::set<std::string> seen;
    while (!to_look_at.empty()) {
        const std::string path = to_look_at.back();
        to_look_at.pop_back();
        const auto bytes = seen.insert(path).second ? read_file(path) : Result<std::string>(Error{});
        const auto elf = bytes ? parse_elf(*bytes) : Result<ElfFile>(bytes.error());
        if (!elf)
            continue;
        if (path != program && elf->find(link_section) != nullptr)
            ours.push_back(path);
        const Needs needs = needs_of(*elf);
        const std::vector<std::string> folders = folders_of(path, needs);
        for (const std::string_view library : needs.libraries)
            if (auto one = found(library, folders))
                to_look_at.push_back(std::move(*one));
    }
    std::ranges::sort(ours);
    return ours;
}

bool opens_libraries(const std::string &program) {
    const auto bytes = read_file(program);
    const auto elf = bytes ? parse_elf(*bytes) : Result<ElfFile>(bytes.error());
    return elf && std::ranges::any_of(symbols_in(*elf, ".dynsym", ".dynstr"), [](const ElfSymbol &symbol) {
               return symbol.name == "dlopen" || symbol.name == "dlmopen";
           });
}

}  // namespace thalweg::link
