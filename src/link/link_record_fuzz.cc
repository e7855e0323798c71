// link: any bytes as a program: an error, or a record that is written and read back the same.
#include <cstdlib>

#include "link/elf_file.h"
#include "link/link_record.h"
#include "link/needed.h"
#include "link/replaced.h"
#include "link/section_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::link;
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    // As a program, as an archive, and as the text of a record alone: a fuzzer seldom makes a whole ELF file.
    std::vector<std::string> storage;
    if (bytes.starts_with("!<arch>"))
        (void)parse_archive(bytes, "fuzz", storage);
    if (const auto elf = parse_elf(bytes)) {
        (void)elf->build_id();
        (void)elf->functions();
        (void)replaced_functions(*elf, {});
        (void)needs_of(*elf);
        for (const ElfSection &section : elf->sections)
            (void)section_bytes(section);
    }
    (void)read_linked_program_bytes(bytes, "fuzz");
    if (fingerprint(bytes, "fuzz") != fingerprint(bytes, "fuzz"))
        std::abort();
    const auto record = read_link_record(bytes);
    if (!record)
        return 0;
    const auto again = read_link_record(write_link_record(*record));
    if (!again || !(*again == *record))
        std::abort();
    return 0;
}
