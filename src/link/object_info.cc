// link: what an object file or archive member carries.
#include "link/object_info.h"

#include <elf.h>

#include "base/file.h"
#include "link/elf_file.h"

namespace thalweg::link {

namespace {

constexpr std::string_view level_mark = "thalweg -O";
constexpr size_t level_mark_option = 8;  // where "-O" begins in it

std::string level_in(std::string_view switches) {
    const size_t at = switches.find(level_mark);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = switches.substr(at + level_mark_option);
    return std::string(rest.substr(0, rest.find('\0')));
}

bool describe(std::string_view bytes, ObjectInfo &info) {
    if (bytes.starts_with("BC\xC0\xDE")) {
        info.has_bitcode = true;
        return true;
    }
    const auto elf = parse_elf(bytes);
    if (!elf || elf->type != ET_REL)
        return false;
    info.has_bitcode = elf->find(bitcode_section) != nullptr;
    info.has_debug_info = elf->find(".debug_info") != nullptr;
    if (const ElfSection *switches = elf->find(switches_section))
        info.level = level_in(switches->bytes);
    return true;
}

}  // namespace

Result<std::vector<ObjectInfo>> objects_in(const std::string &path) {
    const auto bytes = read_file(path);
    if (!bytes)
        return bytes.error();
    std::vector<ObjectInfo> objects;
    if (!is_archive(*bytes)) {
        ObjectInfo info{path, false, ""};
        if (describe(*bytes, info))
            objects.push_back(std::move(info));
        return objects;
    }
    std::vector<std::string> storage;
    const auto members = parse_archive(*bytes, path, storage);
    if (!members)
        return members.error();
    for (const ArchiveMember &member : *members) {
        ObjectInfo info{path + "(" + member.name + ")", false, ""};
        if (describe(member.bytes, info))
            objects.push_back(std::move(info));
    }
    return objects;
}

std::string level_of_link(const LinkRecord &record) {
    bool three = false;
    for (const std::string &word : record.arguments)
        if (word.starts_with("-O"))
            three = word == "-O3" || word == "-Ofast";
    for (const InputFile &input : record.inputs) {
        if (three)
            break;
        const auto objects = objects_in(absolute_path(record.directory, input.path));
        if (!objects)
            continue;
        for (const ObjectInfo &object : *objects)
            three |= object.level == "-O3" || object.level == "-Ofast";
    }
    return three ? "-O3" : "-O2";
}

}  // namespace thalweg::link
