// link: a program that is to be linked again, whether it stands where it was built or in a bundle.
#include "link/opened_program.h"

#include <algorithm>
#include <filesystem>

#include <sys/stat.h>

#include "base/file.h"
#include "link/bundle.h"
#include "link/recorded_words.h"
#include "link/relink.h"

namespace thalweg::link {

namespace {

namespace fs = std::filesystem;

Status put_files(const Bundle &bundle, const std::string &folder) {
    std::error_code problem;
    fs::create_directories(fs::path(folder) / bundle.directory, problem);
    for (const ArchiveMember &file : bundle.files) {
        const fs::path path = fs::path(folder) / file.name;
        fs::create_directories(path.parent_path(), problem);
        if (const Status status = write_file(path.string(), file.bytes); !status)
            return status;
    }
    // The new program gets no more permissions than the first has.
    const std::string program = fs::path(folder) / bundle.program;
    if (::chmod(program.c_str(), bundle.mode) != 0)
        return fail(ErrorCode::environment, "cannot set the mode of {}", program);
    return Done{};
}

// "a/../b" wants a folder a, which need not be in the bundle.
bool leads_back(const fs::path &path) {
    bool in_folder = false;
    for (const fs::path &part : path) {
        if (in_folder && part == "..")
            return true;
        in_folder |= part != ".." && part != ".";
    }
    return false;
}

// The record with the paths of the files that were put into `folder`.
class Placement {
  public:
    Placement(const Bundle &bundle, const std::string &folder) : bundle_(bundle), folder_(folder) {}

    Status place(LinkRecord &record, const std::string &path) const {
        for (InputFile &input : record.inputs) {
            if (bundle_.find(bundle_.name_of(input.path)) == nullptr)
                return fail(ErrorCode::environment,
                            "the bundle {} is damaged: {}, which the program was linked from, isn't in it", path,
                            input.path);
            input.path = named(input.path, false);
        }
        for (size_t i = 0; i < record.arguments.size(); ++i) {
            std::string &word = record.arguments[i];
            const bool is_folder = i > 0 && is_path_option(record.arguments[i - 1]);
            word = word.starts_with('-') ? with_paths(word, [&](const std::string &one) { return named(one, true); })
                                         : named(word, is_folder);
        }
        record.directory = folder_ + "/" + bundle_.directory;
        return Done{};
    }

    // Members of a thin archive that stand elsewhere would be read from this machine's files.
    Status check_members(const std::string &path) const {
        for (const ArchiveMember &file : bundle_.files) {
            if (!file.bytes.starts_with(thin_magic))
                continue;
            const auto members = archive_members(file.bytes, file.name);
            if (!members)
                return members.error();
            for (const ArchiveMember &member : *members) {
                const fs::path name = (fs::path(file.name).parent_path() / member.name).lexically_normal();
                if (bundle_.find(name.string()) == nullptr)
                    return fail(ErrorCode::environment, "the bundle {} is damaged: {} of the archive {} isn't in it",
                                path, member.name, file.name);
            }
        }
        return Done{};
    }

  private:
    std::string named(const std::string &path, bool or_folder) const {
        if (!path.starts_with('/') && !leads_back(path))
            return path;
        const std::string name = bundle_.name_of(path);
        const bool is_there = bundle_.find(name) != nullptr || (or_folder && bundle_.has_folder(name));
        return is_there ? folder_ + "/" + name : path;
    }

    const Bundle &bundle_;
    const std::string &folder_;
};

Result<OpenedProgram> open_bundle(std::string_view bytes, const std::string &path) {
    const auto bundle = read_bundle(bytes, path);
    if (!bundle)
        return bundle.error();
    auto program = read_linked_program_bytes(bundle->find(bundle->program)->bytes, path);
    if (!program)
        return program.error();
    auto folder = TemporaryFolder::make("bundle");
    if (!folder)
        return folder.error();
    LinkRecord remembered = program->record;
    remembered.directory = program->recorded_directory;
    const Placement placement(*bundle, folder->path());
    if (const Status status = placement.place(program->record, path); !status)
        return status.error();
    if (const Status status = placement.check_members(path); !status)
        return status.error();
    if (const Status status = put_files(*bundle, folder->path()); !status)
        return status.error();
    if (const auto changed = changed_inputs(program->record); !changed.empty())
        return fail(ErrorCode::environment, "the bundle {} is damaged: {} isn't what the program was linked from", path,
                    changed.front().path);
    std::string file = folder->path() + "/" + bundle->program;
    return OpenedProgram{std::move(file), std::move(*program), std::move(*folder), std::move(remembered)};
}

}  // namespace

Result<OpenedProgram> open_program(const std::string &path, const std::string &objects) {
    const auto bytes = read_file(path);
    if (!bytes)
        return bytes.error();
    if (is_bundle(*bytes) && !objects.empty())
        return fail(ErrorCode::usage, "{} is a bundle, which has its objects in it: leave --objects out", path);
    if (is_bundle(*bytes))
        return open_bundle(*bytes, path);
    auto program = read_linked_program_bytes(*bytes, path, objects);
    if (!program)
        return program.error();
    return OpenedProgram{path, std::move(*program), std::nullopt, std::nullopt};
}

}  // namespace thalweg::link
