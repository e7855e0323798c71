// link: the little of ELF that is needed, read from bytes that may be anything; and one small object written.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abi/names.h"
#include "base/result.h"

namespace thalweg::link {

inline constexpr std::string_view link_section = ".thalweg.link";
inline constexpr std::string_view plan_section = abi::plan_section;
inline constexpr std::string_view bitcode_section = ".llvm.lto";
inline constexpr std::string_view switches_section = ".GCC.command.line";

// Parts of bytes that may be anything: none, or empty, where they would lie outside.
std::optional<std::string_view> slice(std::string_view bytes, uint64_t offset, uint64_t size);
std::string_view text_at(std::string_view table, uint64_t offset);
template <class T>
std::optional<T> read_at(std::string_view bytes, uint64_t offset) {
    const auto part = slice(bytes, offset, sizeof(T));
    if (!part)
        return std::nullopt;
    T value;
    std::memcpy(&value, part->data(), sizeof value);
    return value;
}

struct ElfSection {
    std::string_view name;
    uint32_t type = 0;
    uint64_t flags = 0;
    std::string_view bytes;  // empty for a section without bytes in the file
};

// A function that the symbol table names.
struct ElfFunction {
    std::string name;
    uint64_t address = 0;
    bool operator==(const ElfFunction &) const = default;
};

// Views into the bytes that were parsed; they must outlive it.
struct ElfFile {
    uint16_t type = 0;  // ET_REL, ET_EXEC, ET_DYN
    std::vector<ElfSection> sections;

    const ElfSection *find(std::string_view name) const;
    std::string build_id() const;  // hexadecimal, empty if there is none
    // Of the symbol table, by address. Left out is what two functions are called: static ones of two files. None: it was stripped.
    std::vector<ElfFunction> functions() const;
};

// x86-64, 64 bits, little-endian; anything else is an error that says so.
Result<ElfFile> parse_elf(std::string_view bytes);

struct ArchiveMember {
    std::string name;
    std::string_view bytes;
};

inline constexpr std::string_view thin_magic = "!<thin>\n";

bool is_archive(std::string_view bytes);
// Members of a thin archive have no bytes here.
Result<std::vector<ArchiveMember>> archive_members(std::string_view bytes, const std::string &path);
// A thin archive's members are read from their own files, named beside `path`; `storage` keeps them alive.
Result<std::vector<ArchiveMember>> parse_archive(std::string_view bytes, const std::string &path,
                                                 std::vector<std::string> &storage);

// An archive as `ar rcsD` makes it, but without a table of symbols: names may be long and hold slashes, no line breaks.
std::string write_archive(const std::vector<ArchiveMember> &members);

// An object whose only content is section `.thalweg.link`, not loaded, kept also under --gc-sections, and a plan's text in one of its own.
std::string link_object(std::string_view content, std::string_view plan = {});

}  // namespace thalweg::link
