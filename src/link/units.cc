// link: a program's objects taken apart into units, and put into its link again.
#include "link/units.h"

#include <map>

#include "base/file.h"
#include "link/elf_file.h"

namespace thalweg::link {

namespace {

constexpr std::string_view bitcode_magic = "BC\xC0\xDE";

// Empty: it has none.
std::string_view bitcode_of(std::string_view object) {
    if (object.starts_with(bitcode_magic))
        return object;
    const auto elf = parse_elf(object);
    const ElfSection *section = elf ? elf->find(bitcode_section) : nullptr;
    return section != nullptr && section->bytes.starts_with(bitcode_magic) ? section->bytes : std::string_view();
}

// Adds a unit if the object is one.
Status add_unit(std::string_view object, Unit unit, const std::string &folder, std::vector<Unit> &units) {
    const std::string_view bitcode = bitcode_of(object);
    if (bitcode.empty())
        return Done{};
    unit.bitcode = fmt::format("{}/{}.bc", folder, units.size());
    if (const Status written = write_file(unit.bitcode, bitcode); !written)
        return written;
    units.push_back(std::move(unit));
    return Done{};
}

// An archive with the units' bitcode in the place of their members.
Status write_archive_of(const std::string &path, const std::vector<const Unit *> &units, const std::string &output) {
    const auto bytes = read_file(path);
    if (!bytes)
        return bytes.error();
    std::vector<std::string> storage;
    auto members = parse_archive(*bytes, path, storage);
    if (!members)
        return members.error();
    std::vector<std::string> bitcode(units.size());
    for (size_t i = 0; i < units.size(); ++i) {
        auto made = read_file(units[i]->bitcode);
        if (!made)
            return made.error();
        bitcode[i] = std::move(*made);
        members->at(*units[i]->member).bytes = bitcode[i];
    }
    return write_file(output, write_archive(*members));
}

// Of `-Lx` and of `-L x`.
std::vector<std::string> values_of(std::string_view option, const std::vector<std::string> &words) {
    std::vector<std::string> values;
    for (size_t i = 0; i < words.size(); ++i)
        if (words[i].starts_with(option) && words[i] != option)
            values.push_back(words[i].substr(option.size()));
        else if (words[i] == option && i + 1 < words.size())
            values.push_back(words[++i]);
    return values;
}

// What stands for the inputs that units were taken from, by their place in the record.
using Made = std::map<size_t, std::string>;

Result<Made> make_inputs(const LinkRecord &record, const std::vector<Unit> &units, const std::string &folder) {
    std::map<size_t, std::vector<const Unit *>> of_archive;
    Made made;
    for (const Unit &unit : units)
        if (unit.member)
            of_archive[unit.input].push_back(&unit);
        else
            made[unit.input] = unit.bitcode;
    for (const auto &[input, members] : of_archive) {
        const std::string path = absolute_path(record.directory, record.inputs[input].path);
        made[input] = fmt::format("{}/{}.a", folder, input);
        if (const Status written = write_archive_of(path, members, made[input]); !written)
            return written.error();
    }
    return made;
}

}  // namespace

Result<std::vector<Unit>> take_apart(const LinkRecord &record, const std::string &folder) {
    std::vector<Unit> units;
    for (size_t input = 0; input < record.inputs.size(); ++input) {
        const std::string path = absolute_path(record.directory, record.inputs[input].path);
        const auto bytes = read_file(path);
        if (!bytes)
            return bytes.error();
        if (!is_archive(*bytes)) {
            if (const Status added = add_unit(*bytes, {path, "", input, {}}, folder, units); !added)
                return added.error();
            continue;
        }
        std::vector<std::string> storage;
        const auto members = parse_archive(*bytes, path, storage);
        if (!members)
            return members.error();
        for (size_t i = 0; i < members->size(); ++i)
            if (const Status added =
                    add_unit((*members)[i].bytes, {path + "(" + (*members)[i].name + ")", "", input, i}, folder, units);
                !added)
                return added.error();
    }
    return units;
}

Result<std::vector<std::string>> words_with_units(const LinkRecord &record, const std::vector<Unit> &units,
                                                  const std::string &folder) {
    const auto made = make_inputs(record, units, folder);
    if (!made)
        return made.error();
    std::map<std::string, std::string> by_path;
    for (const auto &[input, path] : *made)
        by_path[record.inputs[input].path] = path;
    const std::vector<std::string> folders = values_of("-L", record.arguments);
    std::vector<std::string> words;
    for (const std::string &word : record.arguments) {
        const bool is_library = word.starts_with("-l") && word.size() > 2;
        const auto found =
            by_path.find(is_library ? archive_of_library(word.substr(2), folders, record.directory) : word);
        words.push_back(found == by_path.end() ? word : found->second);
    }
    return words;
}

}  // namespace thalweg::link
