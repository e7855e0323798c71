// cli: what every verb says in the same way.
#include "cli/verb.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "base/utf8.h"

namespace thalweg::cli {

namespace {

bool colour_on(int descriptor) {
    const char *no_colour = std::getenv("NO_COLOR");
    return ::isatty(descriptor) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace

Parsed::Parsed(CLI::App &app, const std::vector<std::string> &words) {
    // CLI11 takes the words from the back.
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::ParseError &problem) {
        const bool is_help = problem.get_exit_code() == 0;
        code_ = is_help ? app.exit(problem)
                        : report_error(app.get_name(), fail(ErrorCode::usage, "{} (`{} --help` tells more)",
                                                            problem.what(), app.get_name()));
    }
}

void declare_objects(CLI::App &app, std::string &objects) {
    app.add_option("--objects", objects,
                   "the folder in which the program was built, for one that was moved or copied since (else its own)")
        ->type_name("FOLDER");
}

void declare_libraries(CLI::App &app, std::vector<std::string> &named) {
    app.add_option(
           "--library", named,
           "a shared library of thalweg-cc's that the program opens by dlopen; may be given several times (those "
           "that it was linked with are found)")
        ->take_all();
}

int report_error(std::string_view verb, const Error &error) {
    const char *red = colour_on_stderr() ? "\033[31m" : "";
    const char *plain = *red != '\0' ? "\033[0m" : "";
    constexpr std::string_view tool = "thalweg ";
    if (verb.starts_with(tool))
        verb.remove_prefix(tool.size());
    const std::string line =
        fmt::format("thalweg {}: {}error:{} {}\n", verb, red, plain, without_controls(error.message));
    std::fputs(line.c_str(), stderr);
    return static_cast<int>(error.code);
}

void next_command(std::string_view command) { note(fmt::format("next: {}", command)); }

void print_data(const std::string &text) {
    std::fputs(::isatty(STDOUT_FILENO) != 0 ? without_controls(text).c_str() : text.c_str(), stdout);
}

Status check_folder(const std::string &output) {
    const std::filesystem::path parent = std::filesystem::path(output).parent_path();
    const std::string folder = parent.empty() ? "." : parent.string();
    if (output.empty() || ::access(folder.c_str(), W_OK) == 0)
        return Done{};
    return fail(ErrorCode::usage, "{} cannot be written: folder {}: {}", output, folder, std::strerror(errno));
}

bool colour_on_stdout() { return colour_on(STDOUT_FILENO); }
bool colour_on_stderr() { return colour_on(STDERR_FILENO); }

}  // namespace thalweg::cli
