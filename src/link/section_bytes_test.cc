// link: sections as linkers compress them, whole and damaged.
#include "link/section_bytes.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <zlib.h>

namespace thalweg::link {
namespace {

std::string compressed(const std::string &text, uint32_t way = ELFCOMPRESS_ZLIB, uint64_t size = 0) {
    const Elf64_Chdr header{way, 0, size != 0 ? size : text.size(), 1};
    std::string stream(compressBound(text.size()), '\0');
    uLongf length = stream.size();
    EXPECT_EQ(compress(reinterpret_cast<Bytef *>(stream.data()), &length, reinterpret_cast<const Bytef *>(text.data()),
                       text.size()),
              Z_OK);
    return std::string(reinterpret_cast<const char *>(&header), sizeof header) + stream.substr(0, length);
}

ElfSection section_of(const std::string &bytes, uint64_t flags = SHF_COMPRESSED) {
    return {".debug_thalweg_plan", SHT_PROGBITS, flags, bytes};
}

TEST(SectionBytes, AreReadCompressedOrNot) {
    const std::string text(10000, 'x');
    EXPECT_EQ(*section_bytes(section_of(text, 0)), text);
    const std::string bytes = compressed(text);
    EXPECT_LT(bytes.size(), 200U);
    EXPECT_EQ(*section_bytes(section_of(bytes)), text);
}

TEST(SectionBytes, DamagedOnesAreErrors) {
    const std::string text = "version = 1\n" + std::string(1000, 'y');
    std::string cut = compressed(text);
    cut.resize(cut.size() - 3);
    EXPECT_NE(section_bytes(section_of(cut)).error().message.find("damaged"), std::string::npos);
    EXPECT_FALSE(section_bytes(section_of(compressed(text, ELFCOMPRESS_ZLIB, text.size() + 1))));
    EXPECT_FALSE(section_bytes(section_of(compressed(text, ELFCOMPRESS_ZLIB, text.size() - 1))));
    EXPECT_NE(section_bytes(section_of(compressed(text, ELFCOMPRESS_ZLIB, most_section_bytes + 1)))
                  .error()
                  .message.find("at most"),
              std::string::npos);
    EXPECT_NE(section_bytes(section_of(compressed(text, 2))).error().message.find("way 2"), std::string::npos);
    EXPECT_FALSE(section_bytes(section_of("short")));
}

}  // namespace
}  // namespace thalweg::link
