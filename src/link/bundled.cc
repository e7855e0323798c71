// link: which files of a program go into its bundle.
#include "link/bundled.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include <elf.h>
#include <sys/stat.h>

#include "base/file.h"
#include "link/bundle.h"
#include "link/relink.h"
#include "link/repeated_link.h"

namespace thalweg::link {

namespace {

namespace fs = std::filesystem;

// How many folders up a path leads.
size_t levels_up(const std::string &path) {
    const fs::path normal = fs::path(path).lexically_normal();
    return static_cast<size_t>(std::ranges::count(normal, fs::path("..")));
}

bool has_own_name(const ElfFile &library) {
    const ElfSection *dynamic = library.find(".dynamic");
    for (size_t at = 0; dynamic != nullptr; at += sizeof(Elf64_Dyn)) {
        const auto entry = read_at<Elf64_Dyn>(dynamic->bytes, at);
        if (!entry || entry->d_tag == DT_NULL)
            break;
        if (entry->d_tag == DT_SONAME)
            return true;
    }
    return false;
}

// The value of -L, -l at `i`, and where the next word is.
struct Value {
    std::string text;
    size_t next = 0;
};
Value value_at(const std::vector<std::string> &words, size_t i) {
    constexpr size_t letter = 2;
    if (words[i].size() > letter)
        return {words[i].substr(letter), i + 1};
    return {i + 1 < words.size() ? words[i + 1] : "", i + 2};
}

class Collection {
  public:
    explicit Collection(const LinkRecord &record) : record_(record) {}

    Status run() {
        for (const InputFile &input : record_.inputs)
            if (const Status status = add(input.path); !status)
                return status;
        return add_libraries();
    }

    Result<Bundle> bundle(const std::string &program) const {
        Bundle bundle;
        size_t levels = 0;
        for (const auto &[path, bytes] : files_)
            levels = std::max(levels, levels_up(path));
        fs::path folder = fs::path(record_.directory).lexically_normal();
        fs::path names;
        for (size_t i = 0; i < levels; ++i, folder = folder.parent_path())
            names = names.empty() ? folder.filename() : folder.filename() / names;
        bundle.directory = names.empty() ? "link" : "link/" + names.string();
        bundle.program = "program/" + fs::path(program).filename().string();
        std::map<std::string, std::string_view> found;
        for (const auto &[path, bytes] : files_) {
            const auto [entry, is_new] = found.emplace(bundle.name_of(path), bytes);
            if (!is_new && entry->second != bytes)
                return fail(ErrorCode::environment, "{} and another file of the link have one name in the bundle, {}",
                            path, entry->first);
        }
        for (const auto &[name, bytes] : found)
            bundle.files.push_back({name, bytes});
        return bundle;
    }

  private:
    Status add(const std::string &path) {
        const std::string whole = absolute_path(record_.directory, path);
        auto bytes = read_file(whole);
        if (!bytes)
            return bytes.error();
        const auto [entry, is_new] = files_.emplace(path, std::move(*bytes));
        if (!is_new)
            return Done{};
        const auto elf = parse_elf(entry->second);
        if (elf && elf->type == ET_DYN && path.starts_with('/') && !has_own_name(*elf))
            return fail(
                ErrorCode::environment,
                "{} can't be put into a bundle: it is a shared library without a name of its own (-soname), so the "
                "program is looking for it under this absolute path",
                path);
        return entry->second.starts_with(thin_magic) ? add_members(path, entry->second) : Done{};
    }

    // A thin archive's members stand in files of their own.
    Status add_members(const std::string &path, const std::string &bytes) {
        const auto members = archive_members(bytes, path);
        if (!members)
            return members.error();
        for (const ArchiveMember &member : *members)
            if (const Status status = add((fs::path(path).parent_path() / member.name).string()); !status)
                return status;
        return Done{};
    }

    // Libraries that the link's own folders answer. Of them the static ones are inputs already.
    Status add_libraries() {
        std::vector<std::string> folders;
        std::vector<std::string> libraries;
        const std::vector<std::string> &words = record_.arguments;
        for (size_t i = 0; i < words.size();) {
            const bool is_folder = words[i].starts_with("-L");
            if (!is_folder && !words[i].starts_with("-l")) {
                ++i;
                continue;
            }
            const Value value = value_at(words, i);
            (is_folder ? folders : libraries).push_back(value.text);
            i = value.next;
        }
        for (const std::string &library : libraries)
            for (const std::string &folder : folders) {
                const bool exact = library.starts_with(':');
                const std::string path = exact ? folder + "/" + library.substr(1) : folder + "/lib" + library + ".so";
                std::error_code problem;
                if (!fs::exists(absolute_path(record_.directory, path), problem))
                    continue;
                if (const Status status = add(path); !status)
                    return status;
                break;
            }
        return Done{};
    }

    const LinkRecord &record_;
    std::map<std::string, std::string> files_;  // by the path that the link has for them
};

}  // namespace

Result<std::string> make_bundle(const std::string &path, const std::string &objects) {
    const auto program = read_linked_program(path, objects);
    if (!program)
        return program.error();
    if (const auto repeated = repeated_link(program->record); !repeated)
        return repeated.error();
    if (const Status status = check_inputs(program->record); !status)
        return status.error();
    Collection collection(program->record);
    if (const Status status = collection.run(); !status)
        return status.error();
    auto bundle = collection.bundle(path);
    if (!bundle)
        return bundle.error();
    struct stat status{};
    const auto bytes = read_file(path);
    if (!bytes || ::stat(path.c_str(), &status) != 0)
        return fail(ErrorCode::environment, "{} can't be read", path);
    bundle->mode = status.st_mode & 0777;
    bundle->files.insert(bundle->files.begin(), {bundle->program, *bytes});
    return write_bundle(*bundle);
}

}  // namespace thalweg::link
