// link: what tells that a file a program was linked from has changed since.
#include "link/fingerprint.h"

#include <vector>

#include <elf.h>

#include "base/hash.h"
#include "link/elf_file.h"

namespace thalweg::link {

namespace {

class Hash {
  public:
    void add(std::string_view bytes) {
        value_.size += bytes.size();
        value_.hash = hash_bytes(bytes, value_.hash);
    }
    // Parts that follow each other can't be shifted into one another.
    void add_part(std::string_view bytes) {
        const uint64_t size = bytes.size();
        add({reinterpret_cast<const char *>(&size), sizeof size});
        add(bytes);
    }
    void add_file(std::string_view bytes) {
        const auto elf = parse_elf(bytes);
        if (!elf || elf->type != ET_REL || elf->find(bitcode_section) == nullptr)
            return add_part(bytes);
        for (const ElfSection &section : elf->sections) {
            if (section.name == bitcode_section)
                continue;
            add_part(section.name);
            add_part(section.bytes);
        }
    }
    Fingerprint value() const { return value_; }

  private:
    Fingerprint value_{0, hash_start};
};

}  // namespace

Fingerprint fingerprint(std::string_view bytes, const std::string &path) {
    Hash hash;
    std::vector<std::string> storage;
    const auto members = parse_archive(bytes, path, storage);
    if (!members) {
        hash.add_file(bytes);
        return hash.value();
    }
    for (const ArchiveMember &member : *members) {
        hash.add_part(member.name);
        hash.add_file(member.bytes);
    }
    return hash.value();
}

}  // namespace thalweg::link
