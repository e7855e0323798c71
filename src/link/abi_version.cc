// link: whether all that was linked together was made for one version of the ABI (THALWEG_ABI_VERSION).
#include "link/abi_version.h"

#include <filesystem>

#include <thalweg/abi.h>

#include "base/file.h"
#include "link/elf_symbol.h"

namespace thalweg::link {

Status check_abi(const std::string &linked) {
    // A link may write to /dev/null, or into a pipe.
    std::error_code error;
    if (!std::filesystem::is_regular_file(linked, error))
        return Done{};
    const auto bytes = read_file(linked);
    const auto file = bytes ? parse_elf(*bytes) : Result<ElfFile>(bytes.error());
    if (!file)
        return Done{};
    const std::string_view versions = section_bytes(*file, THALWEG_ABI_SECTION);
    for (size_t i = 0; const auto version = read_at<uint32_t>(versions, i * sizeof(uint32_t)); ++i)
        if (*version != THALWEG_ABI_VERSION)
            return fail(ErrorCode::environment,
                        "{} does not fit together: parts of it are made for version {} of Thalweg's ABI, and this "
                        "Thalweg has version {}. "
                        "Install Thalweg whole, then compile the program again with its headers and libraries",
                        linked, *version, THALWEG_ABI_VERSION);
    return Done{};
}

}  // namespace thalweg::link
