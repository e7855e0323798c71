// link: a program linked again from its bitcode, with the plug-in, to another file.
#include "link/relink.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "base/temporary.h"
#include "link/abi_version.h"
#include "link/build_folders.h"
#include "link/elf_file.h"
#include "link/linker_difference.h"
#include "link/object_info.h"
#include "link/repeated_link.h"
#include "link/response_file.h"
#include "link/tools.h"

namespace thalweg::link {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// Of lld: no function is made internal on the ground that nobody outside of the program calls it.
constexpr std::array exporting_words = {"-Xlinker", "-mllvm", "-Xlinker", "-enable-lto-internalization=false"};

// clang's names for remarks, which it does not hand to the linker, and LLVM's.
struct RemarkOption {
    std::string_view driver;
    std::string_view linker;
};
constexpr std::array remark_options = {RemarkOption{"-Rpass=", "-pass-remarks="},
                                       RemarkOption{"-Rpass-missed=", "-pass-remarks-missed="},
                                       RemarkOption{"-Rpass-analysis=", "-pass-remarks-analysis="}};
constexpr const char *our_passes = "thalweg";

bool is_remark_option(std::string_view word) {
    return std::any_of(remark_options.begin(), remark_options.end(),
                       [&](const RemarkOption &option) { return word.starts_with(option.driver); });
}

// What the program's own link asks for, the last of each kind as clang has it, and our passes' where they are wanted.
Words remark_words(const LinkRecord &record, bool ours) {
    Words words;
    for (const RemarkOption &option : remark_options) {
        std::string pattern;
        for (const std::string &word : record.arguments)
            if (word.starts_with(option.driver))
                pattern = word.substr(option.driver.size());
        if (ours)
            pattern = pattern.empty() ? our_passes : fmt::format("({})|({})", pattern, our_passes);
        if (!pattern.empty())
            words.insert(words.end(), {"-Xlinker", "-mllvm", "-Xlinker", fmt::format("{}{}", option.linker, pattern)});
    }
    return words;
}

// The new program stands in another folder, but what it loads by $ORIGIN stands beside the first. A library is put in the first one's place, too: there
// both are looked through, its own first.
void replace_origin(std::string &word, const std::string &folder, bool keeps_own) {
    for (size_t at = word.find('$'); at != std::string::npos; at = word.find('$', at + 1))
        for (const std::string_view name : {std::string_view("${ORIGIN}"), std::string_view("$ORIGIN")}) {
            if (word.compare(at, name.size(), name) != 0)
                continue;
            const std::string own = word.substr(at, std::min(word.find_first_of(":,", at), word.size()) - at);
            const std::string kept = keeps_own ? own + ":" : "";
            word.replace(at, name.size(), kept + folder);
            at += kept.size();
            break;
        }
}

bool is_of_library(const LinkRecord &record) {
    return std::ranges::any_of(record.arguments, [](const std::string &word) { return word == "-shared"; });
}

std::string without_origin_difference(std::string word, const LinkRecord &record, const RelinkRequest &request) {
    const fs::path before = fs::path(absolute_path(record.directory, record.output)).parent_path();
    const fs::path after = fs::absolute(request.output).parent_path();
    const std::string seen = folder_seen_from(after.string(), before.string());
    if (seen != "." && !request.remembered)
        replace_origin(word, seen.starts_with('/') ? seen : "$ORIGIN/" + seen, is_of_library(record));
    return word;
}

bool is_moved(const LinkRecord &record, const std::vector<ChangedInput> &changed) {
    return changed.size() == record.inputs.size() && std::ranges::all_of(changed, &ChangedInput::missing);
}

Status check_tools(const RelinkRequest &request) {
    if (::access(linker, X_OK) != 0)
        return fail(ErrorCode::environment, "the linker {} is not there: install the package lld-19", linker);
    if (!request.plugin.empty() && ::access(request.plugin.c_str(), R_OK) != 0)
        return fail(ErrorCode::environment, "the compiler plug-in {} is not there: build or install Thalweg whole",
                    request.plugin);
    Words inputs = request.extra_inputs;
    inputs.insert(inputs.end(), request.libraries.begin(), request.libraries.end());
    for (const std::string &input : inputs)
        if (::access(input.c_str(), R_OK) != 0)
            return fail(ErrorCode::environment, "{} is not there: build or install Thalweg whole", input);
    return Done{};
}

std::string new_object(const LinkRecord &record, const RelinkRequest &request) {
    LinkRecord remembered = request.remembered.value_or(record);
    if (!request.remembered)
        remembered.directory = folder_seen_from(fs::absolute(request.output).parent_path().string(), record.directory);
    remembered.origin = request.origin ? request.origin : record.origin;
    std::string plan = remembered.origin ? std::exchange(remembered.origin->plan, "") : "";
    // A plan that is settled by this link is put there by the plug-in.
    if (!plan.empty())
        plan += '\0';
    return link_object(section_content(remembered), plan);
}

std::string lines(const Words &words) {
    std::string text;
    for (const std::string &word : words)
        text += word + "\n";
    return text;
}

// What LLVM's passes are told where counts say what is hot. clang's own PGO + LTO has these at LLVM's defaults.
constexpr std::array words_with_counts = {
    // Its own bound of level 3 for a loop that is unrolled whole, at the program's level, whose bound is 150: it is what level 3 gains (bzip2 1.5 %),
    // and all else of that level makes code larger and no faster (docs/decisions/more-counts.md).
    "-Wl,-mllvm,-unroll-threshold-default=300",
    // Of a loop that runs an unknown number of rounds: the operations that a processor's loop buffer holds, 50 in LLVM's models of Intel's since 2013
    // (Haswell, Skylake); that of Sandy Bridge, LLVM's choice for a processor that nobody named, has 28 (docs/decisions/later-unrolling.md).
    "-Wl,-mllvm,-partial-unrolling-threshold=50",
    // An interpreter's jump to the next operation stays at the end of each. LLVM 19 keeps a jump shared that more than 16 places come to and that
    // leads to more than 16; with 1,000 places the slowest example that was told of still compiled (docs/decisions/layout-by-counts.md).
    "-Wl,-mllvm,-tail-dup-pred-size=1000",
    // Blocks in the order that BOLT gives them. Chains of blocks are joined up to this length, for it takes time by its square: with LLVM's 512 the link
    // of OCaml's interpreter took twice as long, and what eight rows of the board execute did not differ by 0.1 % (docs/decisions/layout-by-counts.md).
    "-Wl,-mllvm,-enable-ext-tsp-block-placement",
    "-Wl,-mllvm,-ext-tsp-max-chain-size=64",
};

// Nothing of one unit comes into another, and no pass runs.
constexpr std::array passes_of_optimised = {"-Wl,-mllvm,-import-instr-limit=0", "-Wl,--lto-newpm-passes=no-op-module"};

// LLVM follows where each value lies to tell a debugger of variables, also where there are none: the older way then has nothing to do.
constexpr const char *without_variables = "-Wl,-mllvm,-experimental-debug-variable-locations=false";

// The program's own list would be the linker's no longer.
bool orders_functions(const LinkRecord &record) {
    return std::any_of(record.arguments.begin(), record.arguments.end(),
                       [](const std::string &word) { return word.find("symbol-ordering-file") != std::string::npos; });
}

}  // namespace

std::vector<ChangedInput> changed_inputs(const LinkRecord &record) {
    std::vector<ChangedInput> changed;
    for (const InputFile &input : record.inputs) {
        const std::string path = absolute_path(record.directory, input.path);
        const auto bytes = read_file(path);
        if (!bytes)
            changed.push_back({input.path, true});
        else if (fingerprint(*bytes, path) != input.content)
            changed.push_back({input.path, false});
    }
    return changed;
}

Status check_inputs(const LinkRecord &record) {
    const auto changed = changed_inputs(record);
    if (changed.empty())
        return Done{};
    if (is_moved(record, changed))
        return fail(
            ErrorCode::does_not_fit,
            "{} is not in {}, nor is any other of the {} files that {} was linked from. A program that was moved or "
            "copied needs --objects FOLDER, the folder in which it was built",
            changed.front().path, record.directory, changed.size(), record.output);
    std::string list;
    for (const ChangedInput &input : changed)
        list += fmt::format("\n  {} {}", input.path, input.missing ? "is gone" : "has changed");
    return fail(ErrorCode::does_not_fit,
                "{} of the {} files that {} was linked from are not as they were in {}:{}\nbuild the program again, "
                "then record "
                "and optimise that; if it was built in another folder, name that with --objects FOLDER",
                changed.size(), record.inputs.size(), record.output, record.directory, list);
}

bool asks_for_remarks(const LinkRecord &record) {
    return std::any_of(record.arguments.begin(), record.arguments.end(), is_remark_option);
}

Result<std::vector<std::string>> relink_command(const LinkRecord &record, const RelinkRequest &request) {
    // The folder that takes the place of $ORIGIN comes from the record too, so it stands in the words before they are looked at.
    LinkRecord placed = record;
    if (request.thin)
        placed.arguments = *request.thin;
    for (std::string &word : placed.arguments)
        word = without_origin_difference(std::move(word), record, request);
    auto repeated = repeated_link(placed);
    if (!repeated)
        return repeated.error();
    const std::string own_level = level_of_link(record);
    // Of what makes code, the highest. A link by ThinLTO has LLVM's passes, at the program's level.
    const std::string level = request.has_counts && !request.thin ? "-O3" : own_level;
    Words command{record.driver};
    command.insert(command.end(), repeated->arguments.begin(), repeated->arguments.end());
    // Flags of the compilation that a link line often repeats are unused here.
    command.insert(command.end(), {"-Qunused-arguments", "-o", fs::absolute(request.output).string(),
                                   std::string("--ld-path=") + linker, request.thin ? "-flto=thin" : "-flto", level,
                                   "-Wl,--fat-lto-objects"});
    if (!request.plugin.empty())
        command.push_back("-Wl,--load-pass-plugin=" + request.plugin);
    if (request.own_passes)
        command.insert(command.end(), {"-Xlinker", "--lto-newpm-passes=thalweg-link" + own_level});
    if (request.thin && request.has_counts)
        command.emplace_back("-Wl,--lto-CGO3");
    if (request.is_optimised)
        command.insert(command.end(), passes_of_optimised.begin(), passes_of_optimised.end());
    if (request.llvm_counters)
        command.emplace_back("-fprofile-generate");
    if ((request.own_passes || request.thin) && request.has_counts)
        command.insert(command.end(), words_with_counts.begin(), words_with_counts.end());
    if (request.has_no_variables)
        command.push_back(without_variables);
    if (request.product == RelinkRequest::Product::exported_module)
        command.insert(command.end(), exporting_words.begin(), exporting_words.end());
    if (request.product != RelinkRequest::Product::program)
        command.push_back("-Wl,--lto-emit-llvm");
    if (request.stays_loaded)
        command.push_back("-Wl,-z,nodelete");
    for (std::string &word : remark_words(record, request.remarks))
        command.push_back(std::move(word));
    for (const std::string &input : request.extra_inputs)
        command.insert(command.end(), {"-Wl,--whole-archive", input, "-Wl,--no-whole-archive"});
    command.insert(command.end(), request.libraries.begin(), request.libraries.end());
    return command;
}

namespace {

// The linker makes its output with no more permissions than the program has: whoever may not read that may not read a copy.
class ModeLimit {
  public:
    explicit ModeLimit(const std::string &program) : before_(::umask(0)) {
        constexpr mode_t all = 0777;
        struct stat status{};
        const bool known = !program.empty() && ::stat(program.c_str(), &status) == 0;
        ::umask(before_ | (known ? all & ~status.st_mode : 0));
    }
    ~ModeLimit() { ::umask(before_); }
    ModeLimit(const ModeLimit &) = delete;
    ModeLimit &operator=(const ModeLimit &) = delete;

  private:
    mode_t before_;
};

// Whether what is linked again, hardly smaller than the first, could be written. A linker that could not may end in a crash
// whose words say nothing of the disk.
bool has_room(const LinkRecord &record, const RelinkRequest &request) {
    std::error_code problem;
    const uintmax_t needed = fs::file_size(fs::path(record.directory) / record.output, problem);
    if (problem)
        return true;
    const fs::space_info space = fs::space(fs::absolute(request.output).parent_path(), problem);
    return problem || space.available >= needed;
}

// In the folder of the first link, with what it had of the environment.
Result<ProcessOptions> driver_options(const LinkRecord &record) {
    auto repeated = repeated_link(record);
    if (!repeated)
        return repeated.error();
    return ProcessOptions{record.directory, std::move(repeated->environment), true};
}

// clang's word for a linker that the kernel has ended, as it does where memory runs out, and LLVM's own.
constexpr std::array words_of_no_memory = {"linker command failed due to signal", "out of memory",
                                           "Cannot allocate memory", "std::bad_alloc"};

Error failed_link(const LinkRecord &record, const ProcessEnd &end) {
    const bool no_memory = std::ranges::any_of(
        words_of_no_memory, [&](const char *words) { return end.output.find(words) != std::string::npos; });
    return fail(ErrorCode::environment, "linking {} again failed with code {}{}:\n{}", record.output, end.exit_code,
                no_memory ? "; where it takes more memory than there is, record and optimize with --thinlto" : "",
                end.output);
}

Error no_room(const RelinkRequest &request) {
    std::error_code problem;
    const fs::path folder = fs::absolute(request.output).parent_path();
    return fail(ErrorCode::environment,
                "{} cannot be linked: {} has {} kB left; make room there, or name another place with -o",
                request.output, folder.string(), fs::space(folder, problem).available / 1000);
}

}  // namespace

// To the request's output, which is there or not when it is done.
static Result<Relinked> link_to_output(const LinkRecord &record, const RelinkRequest &request) {
    if (const Status status = check_tools(request); !status)
        return status.error();
    if (const Status status = check_inputs(record); !status)
        return status.error();
    const auto repeated = relink_command(record, request);
    if (!repeated)
        return repeated.error();
    const auto record_file = TemporaryFile::make("link", new_object(record, request));
    if (!record_file)
        return record_file.error();
    Words command = *repeated;
    command.push_back(record_file->path());
    // It names the same files and functions over and over: a tenth is left.
    command.insert(command.end(), {"-Xlinker", fmt::format("--compress-sections={}=zlib", plan_section)});
    std::optional<TemporaryFile> exports_file;
    if (!request.like.empty()) {
        if (const Status status = check_linker(record, request.like); !status)
            return status.error();
        std::ranges::copy(hiding_words(request.like), std::back_inserter(command));
        if (const std::string list = exported_list(request.like); !list.empty()) {
            auto made = TemporaryFile::make("exports", list);
            if (!made)
                return made.error();
            exports_file.emplace(std::move(*made));
            command.insert(command.end(), {"-Xlinker", "--dynamic-list=" + exports_file->path()});
        }
    }
    std::optional<TemporaryFile> order_file;
    if (!request.functions.empty() && !orders_functions(record)) {
        auto made = TemporaryFile::make("order", lines(request.functions));
        if (!made)
            return made.error();
        order_file.emplace(std::move(*made));
        // What was left out, or has another name now, is no mistake.
        command.insert(command.end(), {"-Xlinker", "--symbol-ordering-file=" + order_file->path(), "-Xlinker",
                                       "--no-warn-symbol-ordering"});
    }
    const auto options_of_driver = driver_options(record);
    if (!options_of_driver)
        return options_of_driver.error();
    ProcessOptions options = *options_of_driver;
    if (!request.job_path.empty())
        options.environment.emplace_back("THALWEG_TRANSFORM_JOB", request.job_path);
    const ShortCommand started(program_in_path(record.driver), {command.begin() + 1, command.end()});
    const ModeLimit limit(request.like);
    const auto end = run_process(started.words(), options);
    if (!end)
        return end.error();
    if (end->exit_code != 0 && !has_room(record, request))
        return no_room(request);
    if (end->exit_code != 0)
        return failed_link(record, *end);
    if (const Status fits = check_abi(request.output); !fits) {
        remove_output(request.output);
        return fits.error();
    }
    return Relinked{end->output};
}

Result<Relinked> relink(const LinkRecord &record, const RelinkRequest &request) {
    std::error_code problem;
    // A device or a pipe is written to where it is.
    if (fs::exists(request.output, problem) && !fs::is_regular_file(request.output, problem))
        return link_to_output(record, request);
    RelinkRequest unfinished = request;
    unfinished.output = fmt::format("{}.{}", request.output, ::getpid());
    auto relinked = link_to_output(record, unfinished);
    if (relinked)
        fs::rename(unfinished.output, request.output, problem);
    if (!relinked || problem)
        remove_output(unfinished.output);
    if (relinked && problem)
        return fail(ErrorCode::environment, "cannot rename {} to {}: {}", unfinished.output, request.output,
                    problem.message());
    return relinked;
}

Status compile_bitcode(const LinkRecord &record, const std::string &bitcode, const std::string &object) {
    const Words command = {program_in_path(record.driver),
                           "-c",
                           "-x",
                           "ir",
                           bitcode,
                           "-o",
                           object,
                           level_of_link(record),
                           "-fPIC",
                           "-Xclang",
                           "-disable-llvm-passes"};
    const auto options = driver_options(record);
    if (!options)
        return options.error();
    const auto end = run_process(command, *options);
    if (!end)
        return end.error();
    if (end->exit_code != 0)
        return fail(ErrorCode::environment, "compiling the object failed with code {}:\n{}", end->exit_code,
                    end->output);
    return Done{};
}

}  // namespace thalweg::link
