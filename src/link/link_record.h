// link: what a program remembers of how it was linked. JSON in section `.thalweg.link` (docs/formats/link-record.md).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "link/command_line.h"
#include "link/elf_file.h"
#include "link/fingerprint.h"

namespace thalweg::link {

struct InputFile {
    std::string path;  // seen from the record's directory
    Fingerprint content;
    bool operator==(const InputFile &) const = default;
};

// An optimised program says what made it from which program.
struct Origin {
    std::string program;  // its file's name
    std::string build_id;
    std::string plan;  // the plan's text; empty: the program was stripped
    std::vector<uint32_t> only_decisions;
    bool operator==(const Origin &) const = default;
};

struct LinkRecord {
    static constexpr uint32_t version = 2;
    std::string tool;       // version of Thalweg
    std::string driver;     // clang-19 or clang++-19
    std::string directory;  // where the link ran: in a file seen from the program's folder, in a LinkedProgram absolute
    std::string output;  // seen from there
    std::vector<std::string>
        arguments;  // without the driver, response files expanded, sources replaced by their objects (recorded_words.h)
    std::vector<InputFile> inputs;  // objects, archives, linker scripts
    std::vector<std::pair<std::string, std::string>> environment;  // of the linker, where set
    std::optional<Origin> origin;
    std::string instrumented;  // the word for which the program cannot be linked again; empty: it can
    bool operator==(const LinkRecord &) const = default;
};

std::string write_link_record(const LinkRecord &record);
Result<LinkRecord> read_link_record(std::string_view text);

// What stands in the program at `path`: error when there is no section, or it cannot be read.
struct LinkedProgram {
    LinkRecord record;
    std::string recorded_directory;  // as the file names it
    std::string build_id;
    std::vector<ElfFunction> functions;  // as ElfFile::functions has them
    std::set<std::string> replaced;  // as replaced_functions has them
    std::set<std::string> newer;  // as newer_functions has them, than what is known of glibc
    bool has_loader = true;  // it names the dynamic loader: a program, and no static one
    std::string library;  // of a shared library: its SONAME, else its file's name; empty: a program
};
// `objects`: the folder in which the program was built, where that isn't its own any more; else empty.
Result<LinkedProgram> read_linked_program(const std::string &path, const std::string &objects = "");
Result<LinkedProgram> read_linked_program_bytes(std::string_view bytes, const std::string &path,
                                                const std::string &objects = "");

// The content of the section: the record's text and a final zero, so that several in one section can be told apart.
std::string section_content(const LinkRecord &record);

// The record of a link that is about to happen. `line.arguments` name objects only.
LinkRecord make_link_record(const std::string &driver, const CommandLine &line);

// The archive that -lfoo means, foo or :name, where one of a link's own -L folders answers it; seen from `directory`, the link's. Empty: none does, or with
// a shared library. The system's libraries are not the program's.
std::string archive_of_library(const std::string &library, const std::vector<std::string> &folders,
                               const std::string &directory);

// `path` seen from `directory`.
std::string absolute_path(const std::string &directory, const std::string &path);

}  // namespace thalweg::link
