// link: what a program remembers of how it was linked.
#include "link/link_record.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/version.h"
#include "knowledge/function.h"
#include "link/build_folders.h"
#include "link/elf_file.h"
#include "link/needed.h"
#include "link/objects_folder.h"
#include "link/recorded_words.h"
#include "link/replaced.h"
#include "link/section_bytes.h"
#include "link/tools.h"

namespace thalweg::link {

namespace {

using Json = nlohmann::json;

// What the driver and the linkers read of the environment.
constexpr std::array<std::string_view, 5> environment_names = {"LIBRARY_PATH", "COMPILER_PATH", "LD_RUN_PATH",
                                                               "SOURCE_DATE_EPOCH", "CCC_OVERRIDE_OPTIONS"};

Json to_json(const LinkRecord &record) {
    Json inputs = Json::array();
    for (const InputFile &input : record.inputs)
        inputs.push_back({{"path", input.path}, {"size", input.content.size}, {"hash", to_hex(input.content.hash)}});
    Json environment = Json::object();
    for (const auto &[name, value] : record.environment)
        environment[name] = value;
    Json json = {{"version", LinkRecord::version},
                 {"tool", record.tool},
                 {"driver", record.driver},
                 {"directory", record.directory},
                 {"output", record.output},
                 {"arguments", record.arguments},
                 {"inputs", inputs},
                 {"environment", environment}};
    if (!record.instrumented.empty())
        json["instrumented"] = record.instrumented;
    if (record.origin)
        json["origin"] = {{"program", record.origin->program},
                          {"build_id", record.origin->build_id},
                          {"only_decisions", record.origin->only_decisions}};
    if (record.origin && !record.origin->plan.empty())
        json["origin"]["plan"] = record.origin->plan;
    return json;
}

uint64_t from_hex(const std::string &text) { return std::stoull(text, nullptr, 16); }

LinkRecord from_json(const Json &json) {
    LinkRecord record;
    record.tool = json.at("tool");
    record.driver = json.at("driver");
    record.directory = json.at("directory");
    record.output = json.at("output");
    record.arguments = json.at("arguments").get<std::vector<std::string>>();
    for (const Json &input : json.at("inputs"))
        record.inputs.push_back({input.at("path"), {input.at("size"), from_hex(input.at("hash"))}});
    for (const auto &[name, value] : json.at("environment").items())
        record.environment.emplace_back(name, value);
    record.instrumented = json.value("instrumented", "");
    if (!json.contains("origin"))
        return record;
    const Json &origin = json.at("origin");
    record.origin = Origin{origin.at("program"), origin.at("build_id"), origin.value("plan", ""),
                           origin.at("only_decisions").get<std::vector<uint32_t>>()};
    return record;
}

// Only these two are ever started again, whatever the bytes say.
bool known_driver(const std::string &driver) { return driver == c_compiler || driver == cxx_compiler; }

void add_input(LinkRecord &record, const std::string &path) {
    const auto bytes = read_file(path);
    if (bytes)
        record.inputs.push_back({path, fingerprint(*bytes, path)});
}

void add_libraries(LinkRecord &record, const CommandLine &line, const BuildFolders &folders) {
    std::vector<std::string> named;
    for (const std::string &given : line.library_folders)
        named.push_back(folders.named(given));
    for (const std::string &library : line.libraries)
        if (const std::string path = archive_of_library(library, named, "."); !path.empty())
            add_input(record, path);
}

void add_variable(LinkRecord &record, const std::string &line) {
    const size_t equals = line.find('=');
    const std::string name = line.substr(0, equals);
    if (equals != std::string::npos &&
        std::find(environment_names.begin(), environment_names.end(), name) != environment_names.end())
        record.environment.emplace_back(name, line.substr(equals + 1));
}

// Several links can have left their record in one section; the last is the program's own.
std::string_view last_record(std::string_view content) {
    while (!content.empty() && content.back() == '\0')
        content.remove_suffix(1);
    const size_t zero = content.rfind('\0');
    return zero == std::string_view::npos ? content : content.substr(zero + 1);
}

// An optimised program has its plan in a section of its own, unless it was stripped, or made when there was none.
Status add_plan(const ElfFile &elf, LinkRecord &record) {
    const ElfSection *section = elf.find(plan_section);
    if (!record.origin || section == nullptr)
        return Done{};
    auto plan = section_bytes(*section);
    if (!plan)
        return plan.error();
    record.origin->plan = last_record(*plan);
    return Done{};
}

// Empty where the link made a program.
std::string library_name(const ElfFile &elf, const LinkRecord &record, const std::string &path) {
    constexpr std::string_view words[] = {"-shared", "--shared"};
    if (std::ranges::find_first_of(record.arguments, words) == record.arguments.end())
        return {};
    // A file is named so: no more than a file's name, whatever is written there.
    const std::string soname = std::filesystem::path(soname_of(elf)).filename().string();
    return soname.empty() ? std::filesystem::path(path).filename().string() : soname;
}

}  // namespace

std::string write_link_record(const LinkRecord &record) {
    return to_json(record).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<LinkRecord> read_link_record(std::string_view text) {
    try {
        const Json json = Json::parse(text);
        const uint32_t version = json.at("version");
        if (version != LinkRecord::version)
            return fail(ErrorCode::environment,
                        "the link record has version {}, this thalweg reads version {}: build the program again",
                        version, LinkRecord::version);
        LinkRecord record = from_json(json);
        if (!known_driver(record.driver))
            return fail(ErrorCode::environment, "the link record names the compiler '{}', not {} or {}", record.driver,
                        c_compiler, cxx_compiler);
        return record;
    } catch (const std::exception &problem) {
        return fail(ErrorCode::environment, "the link record cannot be read: {}", problem.what());
    }
}

Result<LinkedProgram> read_linked_program_bytes(std::string_view bytes, const std::string &path,
                                                const std::string &objects) {
    if (bytes.starts_with("#!"))
        return fail(ErrorCode::environment,
                    "{} is a script, not a program; a libtool script starts the program of the same name in .libs/",
                    path);
    if (is_archive(bytes))
        return fail(
            ErrorCode::environment,
            "{} is an archive, not a program; if it is a bundle, `thalweg record`, `optimize` and `specialize` read it",
            path);
    const auto elf = parse_elf(bytes);
    if (!elf)
        return fail(elf.error().code, "{}: {}", path, elf.error().message);
    const ElfSection *section = elf->find(link_section);
    if (section == nullptr)
        return fail(ErrorCode::environment,
                    "{} does not remember how it was linked (no section {}): build it with CC=thalweg-cc "
                    "CXX=thalweg-c++ and without -fno-lto, from clean",
                    path, link_section);
    auto record = read_link_record(last_record(section->bytes));
    if (!record)
        return fail(record.error().code, "{}: {}", path, record.error().message);
    if (const Status status = add_plan(*elf, *record); !status)
        return fail(status.error().code, "{}: {}", path, status.error().message);
    if (!record->instrumented.empty())
        return fail(
            ErrorCode::environment,
            "{} was built with {}: such a program stays as the compiler makes it, without bitcode, so it can be "
            "neither recorded nor optimised. Build it without {}, from clean",
            path, record->instrumented, record->instrumented);
    std::set<std::string> replaced = replaced_functions(*elf, *record);
    std::set<std::string> newer = newer_functions(*elf, knowledge::glibc_minor);
    const std::string recorded_directory = record->directory;
    record->directory = objects_folder(*record, path, objects);
    const bool has_loader = elf->find(".interp") != nullptr;
    std::string library = library_name(*elf, *record, path);
    return LinkedProgram{std::move(*record),  recorded_directory, elf->build_id(), elf->functions(),
                         std::move(replaced), std::move(newer),   has_loader,      std::move(library)};
}

Result<LinkedProgram> read_linked_program(const std::string &path, const std::string &objects) {
    const auto bytes = read_file(path);
    if (!bytes)
        return bytes.error();
    return read_linked_program_bytes(*bytes, path, objects);
}

std::string section_content(const LinkRecord &record) { return write_link_record(record) + '\0'; }

LinkRecord make_link_record(const std::string &driver, const CommandLine &line) {
    const std::string output = line.output.empty() ? "a.out" : line.output;
    const BuildFolders folders(".", std::filesystem::absolute(output).parent_path().string());
    LinkRecord record;
    record.tool = tool_version;
    record.driver = driver;
    record.directory = folders.link_seen_from_program();
    record.output = folders.named(output);
    record.instrumented = line.instrumented;
    if (!line.instrumented.empty())
        return record;
    record.arguments = recorded_words(line, folders);
    for (const Input &input : line.inputs)
        add_input(record, folders.named(line.arguments[input.position]));
    add_libraries(record, line, folders);
    for (const std::string &argument : line.arguments)
        for (const std::string &script : scripts_in(argument))
            add_input(record, folders.named(script));
    for (char **entry = environ; *entry != nullptr; ++entry)
        add_variable(record, *entry);
    return record;
}

std::string archive_of_library(const std::string &library, const std::vector<std::string> &folders,
                               const std::string &directory) {
    const auto is_there = [&](const std::string &path) {
        return std::filesystem::exists(absolute_path(directory, path));
    };
    const bool exact = library.starts_with(':');
    for (const std::string &folder : folders) {
        if (!exact && is_there(folder + "/lib" + library + ".so"))
            return {};  // a shared library is not part of the program
        const std::string path = exact ? folder + "/" + library.substr(1) : folder + "/lib" + library + ".a";
        if (is_there(path))
            return path;
    }
    return {};
}

std::string absolute_path(const std::string &directory, const std::string &path) {
    return path.starts_with('/') ? path : directory + "/" + path;
}

}  // namespace thalweg::link
