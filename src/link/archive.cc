// link: the members of a static archive, read from bytes that may be anything.
#include <charconv>
#include <optional>

#include "base/file.h"
#include "link/elf_file.h"

namespace thalweg::link {

namespace {

constexpr std::string_view plain_magic = "!<arch>\n";
constexpr size_t header_size = 60;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

std::optional<uint64_t> number(std::string_view text) {
    text = trimmed(text);
    uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// "name/" or "/offset into the table of long names".
std::string member_name(std::string_view field, std::string_view long_names) {
    field = trimmed(field);
    if (field.size() > 1 && field[0] == '/') {
        const auto offset = number(field.substr(1));
        if (!offset || *offset >= long_names.size())
            return {};
        const std::string_view rest = long_names.substr(*offset);
        field = rest.substr(0, rest.find('\n'));
    }
    if (!field.empty() && field.back() == '/')
        field.remove_suffix(1);
    return std::string(field);
}

std::string beside(const std::string &path, const std::string &name) {
    if (name.starts_with('/'))
        return name;
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? name : path.substr(0, slash + 1) + name;
}

std::string header(std::string_view name, size_t size) {
    return fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name, 0, 0, 0, 644, size);
}

void append_content(std::string &archive, std::string_view content) {
    archive += content;
    if (content.size() % 2 != 0)
        archive += '\n';
}

}  // namespace

std::string write_archive(const std::vector<ArchiveMember> &members) {
    std::string names;
    std::vector<size_t> offsets;
    for (const ArchiveMember &member : members) {
        offsets.push_back(names.size());
        names += member.name + "/\n";
    }
    std::string archive(plain_magic);
    archive += header("//", names.size());
    append_content(archive, names);
    for (size_t i = 0; i < members.size(); ++i) {
        archive += header(fmt::format("/{}", offsets[i]), members[i].bytes.size());
        append_content(archive, members[i].bytes);
    }
    return archive;
}

bool is_archive(std::string_view bytes) { return bytes.starts_with(plain_magic) || bytes.starts_with(thin_magic); }

Result<std::vector<ArchiveMember>> archive_members(std::string_view bytes, const std::string &path) {
    if (!is_archive(bytes))
        return fail(ErrorCode::environment, "{} is not an archive", path);
    const bool thin = bytes.starts_with(thin_magic);
    std::vector<ArchiveMember> members;
    std::string_view long_names;
    for (uint64_t at = plain_magic.size(); at + header_size <= bytes.size();) {
        const std::string_view header = bytes.substr(at, header_size);
        const auto size = number(header.substr(48, 10));
        if (!size)
            return fail(ErrorCode::environment, "broken archive {}: no size at byte {}", path, at);
        const std::string_view name = trimmed(header.substr(0, 16));
        const bool special = name == "/" || name == "//" || name == "/SYM64/";
        const uint64_t inside = thin && !special ? 0 : *size;
        at += header_size;
        if (inside > bytes.size() - at)
            return fail(ErrorCode::environment, "broken archive {}: cut off", path);
        const std::string_view content = bytes.substr(at, inside);
        at += inside + (inside & 1);
        if (name == "//")
            long_names = content;
        if (!special)
            members.push_back({member_name(header.substr(0, 16), long_names), content});
    }
    return members;
}

Result<std::vector<ArchiveMember>> parse_archive(std::string_view bytes, const std::string &path,
                                                 std::vector<std::string> &storage) {
    auto members = archive_members(bytes, path);
    if (!members || !bytes.starts_with(thin_magic))
        return members;
    const size_t first = storage.size();
    for (const ArchiveMember &member : *members) {
        auto file = read_file(beside(path, member.name));
        storage.push_back(file ? std::move(*file) : std::string());
    }
    // The storage doesn't grow any more.
    for (size_t i = 0; i < members->size(); ++i)
        (*members)[i].bytes = storage[first + i];
    return members;
}

}  // namespace thalweg::link
