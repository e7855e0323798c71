// link: compressed sections (System V ABI, "Section Compression"): a header, and zlib's stream.
#include "link/section_bytes.h"

#include <elf.h>
#include <zlib.h>

namespace thalweg::link {

Result<std::string> section_bytes(const ElfSection &section) {
    if ((section.flags & SHF_COMPRESSED) == 0)
        return std::string(section.bytes);
    const auto header = read_at<Elf64_Chdr>(section.bytes, 0);
    if (!header)
        return fail(ErrorCode::environment, "section {} is compressed, and has no header", section.name);
    if (header->ch_type != ELFCOMPRESS_ZLIB)
        return fail(ErrorCode::environment,
                    "section {} is compressed in way {}, and what is read is zlib's, {}: objcopy "
                    "--decompress-debug-sections undoes it",
                    section.name, header->ch_type, ELFCOMPRESS_ZLIB);
    if (header->ch_size > most_section_bytes)
        return fail(ErrorCode::environment, "section {} is to hold {} bytes, {} at most are read", section.name,
                    header->ch_size, most_section_bytes);
    const std::string_view stream = section.bytes.substr(sizeof *header);
    std::string bytes(header->ch_size, '\0');
    uLongf size = bytes.size();
    const int end = uncompress(reinterpret_cast<Bytef *>(bytes.data()), &size,
                               reinterpret_cast<const Bytef *>(stream.data()), stream.size());
    if (end != Z_OK || size != bytes.size())
        return fail(ErrorCode::environment, "section {} is damaged: zlib's error {}, {} of {} bytes", section.name, end,
                    size, bytes.size());
    return bytes;
}

}  // namespace thalweg::link
