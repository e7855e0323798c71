// link: `thalweg-cc` and `thalweg-c++`, a compiler driver that keeps bitcode and remembers the link.
#include "link/wrapper.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "base/temporary.h"
#include "base/trust.h"
#include "link/abi_version.h"
#include "link/command_line.h"
#include "link/elf_file.h"
#include "link/link_record.h"
#include "link/response_file.h"
#include "link/tools.h"

namespace thalweg::link {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// What the optimisation of a separate compilation was is told nowhere in bitcode, so each object carries it, in the
// section (not loaded) that -frecord-command-line uses.
constexpr const char *level_mark = "thalweg ";

Result<int> become(const std::string &driver, const Words &words) {
    Words command{driver};
    command.insert(command.end(), words.begin(), words.end());
    ::execvp(driver.c_str(), argument_vector(command).data());
    return fail(ErrorCode::environment, "cannot start {}: {}; install the package clang-19", driver,
                std::strerror(errno));
}

// LTO of the user's own would turn the objects into something that the ordinary link cannot take.
bool is_lto_option(const std::string &word) {
    return word.starts_with("-flto") || word == "-ffat-lto-objects" || word == "-fno-fat-lto-objects" ||
           word == "-fwhole-program-vtables" || word == "-fvirtual-function-elimination" ||
           word == "-fsplit-lto-unit" || word == "-funified-lto";
}

// Thalweg's own headers and libraries are found without a word, behind all others.
Words with_own_folders(Words words) {
    const bool links_ours =
        std::ranges::any_of(words, [](const std::string &word) { return word.starts_with("-lthalweg"); });
    if (const std::string headers = own_headers(); !headers.empty())
        words.insert(words.end(), {"-idirafter", headers});
    if (const std::string libraries = own_libraries(); links_ours && !libraries.empty())
        words.push_back("-L" + libraries);
    return words;
}

std::string output_of(const CommandLine &line) { return line.output.empty() ? "a.out" : line.output; }

Words compile_arguments(const CommandLine &line, Words words) {
    std::erase_if(words, is_lto_option);
    words.insert(words.end(), {"-flto", "-ffat-lto-objects", "-Xclang", "-fpass-plugin=" + unit_plugin_path()});
    if (line.records_command_line)
        return words;
    const std::string level = line.optimisation.empty() ? "-O0" : line.optimisation;
    words.insert(words.end(), {"-Xclang", "-record-command-line", "-Xclang", level_mark + level});
    return words;
}

// Where a one-step build (sources and link in one command) keeps its objects. They stay: the program needs them again.
struct ObjectFolder {
    std::string path;
    std::optional<TemporaryFolder> temporary;  // nothing will be linked again
    std::string refusal;                       // why it is temporary although there is an output to link again
};

bool is_special_file(const std::string &path) {
    std::error_code ignored;
    return fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
}

Status make_temporary(ObjectFolder &folder) {
    auto made = TemporaryFolder::make("objects");
    if (!made)
        return made.error();
    folder.temporary.emplace(std::move(*made));
    folder.path = folder.temporary->path();
    return Done{};
}

// The output may be no file of its own (/dev/null).
Status make_folder(const std::string &output, ObjectFolder &folder) {
    if (is_special_file(output))
        return make_temporary(folder);
    const fs::path kept = fs::path(output).parent_path() / ".thalweg";
    folder.path = (kept / fs::path(output).filename()).string();
    for (const std::string &one : {kept.string(), folder.path}) {
        // Not for a group to write to, whatever the umask is: such a folder would be refused.
        if (::mkdir(one.c_str(), 0755) != 0 && errno != EEXIST)
            return fail(ErrorCode::environment, "cannot make the folder {}: {}", one, std::strerror(errno));
        if (const Status status = check_own_folder(one); !status) {
            folder.refusal = status.error().message;
            return make_temporary(folder);
        }
    }
    return Done{};
}

// The words that a compile step of a one-step build shares: all but inputs, output and language.
Words words_without_files(const CommandLine &line) {
    Words words;
    size_t next_input = 0;
    for (size_t i = 0; i < line.arguments.size(); ++i) {
        const std::string &word = line.arguments[i];
        if (next_input < line.inputs.size() && line.inputs[next_input].position == i) {
            ++next_input;
            continue;
        }
        const bool file_option = word.starts_with("-o") || word.starts_with("-x") || word.starts_with("--output=");
        if (file_option && !word.starts_with("-objc")) {
            if (takes_value(word))
                ++i;
            continue;
        }
        words.push_back(word);
        if (takes_value(word) && i + 1 < line.arguments.size())
            words.push_back(line.arguments[++i]);
    }
    return words;
}

Words compile_step(const CommandLine &line, const Input &input, const std::string &output, const std::string &object) {
    Words words = words_without_files(line);
    // What concerns the link alone is unused here, and the flags of the compilation are unused in the link.
    words.emplace_back("-Qunused-arguments");
    if (line.writes_dependencies) {
        if (!line.names_dependency_file)
            words.insert(words.end(), {"-MF", fs::path(output).replace_extension("d").string()});
        if (!line.names_dependency_target)
            words.insert(words.end(), {"-MT", output});
    }
    if (input.kind == InputKind::source)
        words = compile_arguments(line, std::move(words));
    if (!input.language.empty())
        words.insert(words.end(), {"-x", input.language});
    words.insert(words.end(), {"-c", line.arguments[input.position], "-o", object});
    return words;
}

Result<int> run_compiler(const std::string &driver, const Words &words) {
    const ShortCommand command(driver, words);
    const auto end = run_process(command.words());
    if (!end)
        return fail(end.error().code, "{}; install the package clang-19", end.error().message);
    return end->exit_code;
}

// Compiles each source to an object and puts the object's name in the source's place. Returns the exit code.
Result<int> compile_sources(const std::string &driver, CommandLine &line, ObjectFolder &folder) {
    bool any = false;
    for (const Input &input : line.inputs)
        any |= input.kind != InputKind::object;
    if (!any)
        return 0;
    const std::string output = output_of(line);
    if (const Status status = make_folder(output, folder); !status)
        return status.error();
    Words objects;
    for (const Input &input : line.inputs) {
        if (input.kind == InputKind::object)
            continue;
        const std::string stem = fs::path(line.arguments[input.position]).stem().string();
        objects.push_back(fmt::format("{}/{}-{}.o", folder.path, objects.size(), stem));
        const auto code = run_compiler(driver, compile_step(line, input, output, objects.back()));
        if (!code || *code != 0)
            return code;
    }
    size_t next = 0;
    for (Input &input : line.inputs) {
        if (input.kind == InputKind::object)
            continue;
        line.arguments[input.position] = objects[next++];
        input = {input.position, InputKind::object, ""};
    }
    line.arguments.emplace_back("-Qunused-arguments");
    return 0;
}

// The words of the link: no LTO, no language (objects have none), inputs as they stand.
void drop_from_link(CommandLine &line) {
    Words words;
    std::vector<Input> inputs;
    for (size_t i = 0, next = 0; i < line.arguments.size(); ++i) {
        const std::string &word = line.arguments[i];
        if (next < line.inputs.size() && line.inputs[next].position == i) {
            inputs.push_back({words.size(), line.inputs[next].kind, ""});
            ++next;
        } else if (is_lto_option(word)) {
            continue;
        } else if (word.starts_with("-x") && word != "-xHost") {
            if (takes_value(word))
                ++i;
            continue;
        } else if (takes_value(word) && i + 1 < line.arguments.size()) {
            words.push_back(word);
            ++i;
        }
        words.push_back(line.arguments[i]);
    }
    line.arguments = std::move(words);
    line.inputs = std::move(inputs);
}

// `ld -r` glues the bitcode of several objects into one section that no linker can read; such an object is opaque.
Result<int> link_relocatable(const std::string &driver, const CommandLine &line) {
    const auto code = run_compiler(driver, line.arguments);
    if (!code || *code != 0)
        return code;
    return run_compiler(objcopy, {fmt::format("--remove-section={}", bitcode_section), output_of(line)});
}

// Parts of two versions of Thalweg make no program.
Result<int> run_link(const std::string &driver, const CommandLine &line, const Words &words) {
    const auto code = run_compiler(driver, words);
    if (!code || *code != 0)
        return code;
    if (const Status fits = check_abi(output_of(line)); !fits) {
        remove_output(output_of(line));
        return fits.error();
    }
    return code;
}

// With one more object, which holds the record. It goes straight to the linker: a driver that compiles in the same command would
// count it among the inputs by which it names its own files.
Result<int> link_with_record(const std::string &driver, const CommandLine &line, Words words) {
    const LinkRecord record = make_link_record(driver, line);
    // Not named *.o: libtool takes every such name in the driver's -v output for one of the compiler's own start files.
    const auto record_file = TemporaryFile::make("link", link_object(section_content(record)));
    if (!record_file)
        return record_file.error();
    words.insert(words.end(), {"-Xlinker", record_file->path()});
    return run_link(driver, line, words);
}

}  // namespace

Result<int> run_wrapper(const std::string &driver, const std::vector<std::string> &given, Teller tell) {
    const Words words = with_own_folders(given);
    auto line = parse_command_line(words);
    if (!line)
        return line.error();
    if (line->action == Action::leave)
        return become(driver, words);
    if (!line->instrumented.empty()) {
        tell(fmt::format("{} is an ordinary program, for it is built with {}: it can be neither recorded nor optimised",
                         output_of(*line), line->instrumented));
        return link_with_record(driver, *line, words);
    }
    if (line->action == Action::compile)
        return become(driver, compile_arguments(*line, words));
    ObjectFolder folder;
    const auto compiled = compile_sources(driver, *line, folder);
    if (!compiled || *compiled != 0)
        return compiled;
    drop_from_link(*line);
    if (line->action == Action::link_relocatable)
        return link_relocatable(driver, *line);
    if (!folder.refusal.empty())
        tell(fmt::format("{} can't be recorded or optimised, because its objects aren't kept: {}", output_of(*line),
                         folder.refusal));
    return folder.temporary ? run_link(driver, *line, line->arguments)
                            : link_with_record(driver, *line, line->arguments);
}

}  // namespace thalweg::link
