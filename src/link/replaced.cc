// link: which functions of the C library a program has from elsewhere.
#include "link/replaced.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include <elf.h>

#include "knowledge/function.h"
#include "link/elf_symbol.h"

namespace thalweg::link {

namespace {

// Of glibc; before 2.34 calls of the kernel stood in the second and the third too.
constexpr std::array c_libraries = {std::string_view("libc.so."), std::string_view("libpthread.so."),
                                    std::string_view("librt.so."), std::string_view("libdl.so."),
                                    std::string_view("ld-linux")};
constexpr std::string_view wrapped_mark = "__wrap_";

bool is_c_library(std::string_view file) {
    for (const std::string_view one : c_libraries)
        if (file.starts_with(one))
            return true;
    return false;
}

// The versions that the C library gives, by their numbers.
std::map<uint16_t, std::string_view> versions_of_c_library(const ElfFile &file) {
    const std::string_view bytes = section_bytes(file, ".gnu.version_r");
    const std::string_view text = section_bytes(file, ".dynstr");
    std::map<uint16_t, std::string_view> versions;
    uint64_t at = 0;
    while (const auto need = read_at<Elf64_Verneed>(bytes, at)) {
        uint64_t version = at + need->vn_aux;
        for (unsigned i = 0; i < need->vn_cnt && is_c_library(text_at(text, need->vn_file)); ++i) {
            const auto entry = read_at<Elf64_Vernaux>(bytes, version);
            if (!entry)
                break;
            versions[entry->vna_other] = text_at(text, entry->vna_name);
            version += std::max<uint64_t>(entry->vna_next, sizeof *entry);
        }
        if (need->vn_next < sizeof *need)
            break;
        at += need->vn_next;
    }
    return versions;
}

// What a program that loads libraries has from the C library, and of which version.
std::map<std::string_view, std::string_view> taken_from_c_library(const ElfFile &file) {
    const std::map<uint16_t, std::string_view> versions = versions_of_c_library(file);
    const std::string_view numbers = section_bytes(file, ".gnu.version");
    std::map<std::string_view, std::string_view> taken;
    for (const ElfSymbol &symbol : symbols_in(file, ".dynsym", ".dynstr"))
        if (const auto number = read_at<uint16_t>(numbers, symbol.position * sizeof(uint16_t));
            !symbol.is_defined() && number)
            if (const auto version = versions.find(*number & 0x7fff); version != versions.end())
                taken[symbol.name] = version->second;
    return taken;
}

// Of a program that loads libraries: what it does not have from the C library by name and version.
void add_of_loading_program(const ElfFile &file, std::set<std::string> &replaced) {
    const auto from_c_library = taken_from_c_library(file);
    for (const ElfSymbol &symbol : symbols_in(file, ".dynsym", ".dynstr"))
        if (!from_c_library.contains(symbol.name))
            replaced.emplace(symbol.name);
    for (const ElfSymbol &symbol : symbols_in(file, ".symtab", ".strtab"))
        if (symbol.is_defined() && symbol.is_for_others() && !from_c_library.contains(symbol.name))
            replaced.emplace(symbol.name);
}

// Of a program that holds the C library: a function of the latter mostly has another name too, which is its own (write: __libc_write).
void add_of_whole_program(const ElfFile &file, std::set<std::string> &replaced) {
    const std::vector<ElfSymbol> symbols = symbols_in(file, ".symtab", ".strtab");
    std::map<std::string_view, std::set<uint64_t>> places;
    for (const ElfSymbol &symbol : symbols)
        if (symbol.is_defined() && (symbol.is_for_others() || symbol.name.starts_with("__")))
            places[symbol.name].insert(symbol.entry.st_value);
    for (const auto &[name, addresses] : places) {
        const std::string plain(name.ends_with("64") ? name.substr(0, name.size() - 2) : name);
        bool is_the_librarys = addresses.size() == 1;
        bool has_other_name = false;
        for (const std::string &other :
             {"__libc_" + plain, "__" + plain, "__libc_" + plain + "64", "__" + plain + "64"})
            if (const auto found = places.find(other); found != places.end())
                has_other_name |= found->second.contains(*addresses.begin());
        is_the_librarys &= has_other_name;
        if (!is_the_librarys)
            replaced.emplace(name);
    }
}

// The linker's own words, in the order in which it gets them.
std::vector<std::string> linker_words(const LinkRecord &record) {
    std::vector<std::string> words;
    for (size_t i = 0; i < record.arguments.size(); ++i) {
        const std::string &word = record.arguments[i];
        if (word == "-Xlinker" && i + 1 < record.arguments.size())
            words.push_back(record.arguments[++i]);
        for (size_t at = 4; word.starts_with("-Wl,") && at <= word.size();) {
            const size_t end = std::min(word.find(',', at), word.size());
            words.push_back(word.substr(at, end - at));
            at = end + 1;
        }
    }
    return words;
}

void add_of_options(const LinkRecord &record, std::set<std::string> &replaced) {
    const std::vector<std::string> words = linker_words(record);
    for (size_t i = 0; i < words.size(); ++i)
        for (const std::string_view option : {"--wrap", "-wrap", "--defsym", "-defsym"}) {
            std::string value;
            if (words[i] == option && i + 1 < words.size())
                value = words[i + 1];
            else if (words[i].starts_with(std::string(option) + "="))
                value = words[i].substr(option.size() + 1);
            if (!value.empty())
                replaced.insert(value.substr(0, value.find('=')));
        }
}

}  // namespace

std::set<std::string> newer_functions(const ElfFile &program, unsigned minor) {
    constexpr std::string_view prefix = "GLIBC_2.";
    std::set<std::string> newer;
    for (const auto &[name, version] : taken_from_c_library(program)) {
        unsigned number = 0;
        if (version.starts_with(prefix))
            std::from_chars(version.data() + prefix.size(), version.data() + version.size(), number);
        if (number > minor && knowledge::function(name).names.empty())
            newer.emplace(name);
    }
    return newer;
}

std::set<std::string> replaced_functions(const ElfFile &program, const LinkRecord &record) {
    std::set<std::string> replaced;
    add_of_options(record, replaced);
    for (const ElfSymbol &symbol : symbols_in(program, ".symtab", ".strtab"))
        if (symbol.name.starts_with(wrapped_mark))
            replaced.emplace(symbol.name.substr(wrapped_mark.size()));
    if (program.find(".gnu.version_r"))
        add_of_loading_program(program, replaced);
    else
        add_of_whole_program(program, replaced);
    return replaced;
}

}  // namespace thalweg::link
