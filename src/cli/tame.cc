// cli: `thalweg tame`, Tame source into C++20.
#include <cstdio>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "tame/translate.h"

namespace thalweg::cli {

namespace {

struct TameOptions {
    std::vector<std::string> files;
    std::string output;
    bool beside = false;
    std::string syntax;
    bool line_directives = false;
    bool goes_on_later = false;
    bool json = false;
};

struct File {
    std::string path;
    std::string output;  // empty: stdout
    std::string text;
    tame::Translation translation;
};

void declare_tame(CLI::App &app, TameOptions &options) {
    app.add_option("file", options.files, "sources in Tame, and headers that declare their functions and classes")
        ->required();
    auto *output = app.add_option("-o,--output", options.output, "where the C++ of one file goes (else stdout)");
    app.add_flag("--beside", options.beside,
                 "write each file's C++ beside it: NAME.T, NAME.tcc and NAME.tt become NAME.cc, other files are\n"
                 "written over; needed for more than one file")
        ->excludes(output);
    app.add_option("--syntax", options.syntax,
                   "paper, sfslite or tamer (else: by the file's name, or by what only one of them writes)");
    app.add_flag("--line-directives", options.line_directives,
                 "#line, so that the compiler and the debugger show the lines of the original");
    app.add_flag("--goes-on-later", options.goes_on_later,
                 "of sfslite's: who waits need not go on inside of the trigger, as it does there; where that can be\n"
                 "seen, the line is noted");
    app.add_flag("--json", options.json, "what was refused and noted, as JSON on stdout; needs -o or --beside");
    app.footer("All or nothing: where the meaning would change in one file, its line and the reason are told, and\n"
               "nothing is written. docs/TAME.md says what becomes of each construct. Exit: 4 when something is "
               "refused.");
}

// NAME.T, NAME.tcc, NAME.tt -> NAME.cc
std::string beside(const std::string &path) {
    for (const std::string_view ending : {".T", ".tcc", ".tt"})
        if (path.ends_with(ending))
            return path.substr(0, path.size() - ending.size()) + ".cc";
    return path;
}

Status check(const TameOptions &options) {
    if (options.files.size() > 1 && !options.beside)
        return fail(ErrorCode::usage, "{} files: --beside writes each one's C++ beside it", options.files.size());
    if (!options.syntax.empty() && !tame::syntax_named(options.syntax))
        return fail(ErrorCode::usage, "'{}' is no syntax: paper, sfslite or tamer", options.syntax);
    if (options.json && options.output.empty() && !options.beside)
        return fail(ErrorCode::usage, "--json writes to stdout: -o or --beside says where the C++ goes");
    return Done{};
}

Result<std::vector<File>> translate_all(const TameOptions &options) {
    std::vector<File> files;
    tame::Names names;
    for (const std::string &path : options.files) {
        auto text = read_file(path);
        if (!text)
            return text.error();
        tame::add_names(*text, names);
        files.push_back({.path = path, .output = options.beside ? beside(path) : options.output, .text = *text});
    }
    for (File &file : files) {
        tame::Options how;
        how.file = file.path;
        how.line_directives = options.line_directives;
        how.goes_on_later = options.goes_on_later;
        if (!options.syntax.empty())
            how.syntax = tame::syntax_named(options.syntax);
        file.translation = tame::translate(file.text, how, names);
    }
    return files;
}

size_t tell_refusals(const std::vector<File> &files) {
    size_t count = 0;
    for (const File &file : files) {
        for (const tame::Refusal &refusal : file.translation.refusals) {
            const std::string line = fmt::format("{}:{}: refused: {}\n", file.path, refusal.line, refusal.reason);
            std::fputs(line.c_str(), stderr);
        }
        count += file.translation.refusals.size();
    }
    return count;
}

void tell_notes(const std::vector<File> &files) {
    for (const File &file : files)
        for (const tame::Refusal &told : file.translation.notes) {
            const std::string line = fmt::format("{}:{}: note: {}\n", file.path, told.line, told.reason);
            std::fputs(line.c_str(), stderr);
        }
}

nlohmann::ordered_json json_of(const std::vector<tame::Refusal> &list) {
    nlohmann::ordered_json result = nlohmann::ordered_json::array();
    for (const tame::Refusal &one : list)
        result.push_back({{"line", one.line}, {"reason", one.reason}});
    return result;
}

void print_json(const std::vector<File> &files, bool written) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const File &file : files) {
        nlohmann::ordered_json one{{"file", file.path},
                                   {"syntax", tame::name_of(file.translation.syntax)},
                                   {"output", written ? file.output : ""},
                                   {"refusals", json_of(file.translation.refusals)},
                                   {"notes", json_of(file.translation.notes)}};
        list.push_back(std::move(one));
    }
    std::puts(list.dump(1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

Status write_all(const std::vector<File> &files) {
    for (const File &file : files) {
        if (file.output.empty()) {
            std::fwrite(file.translation.text.data(), 1, file.translation.text.size(), stdout);
            continue;
        }
        if (const Status written = write_file(file.output, file.translation.text, Readers::others); !written)
            return written.error();
    }
    return Done{};
}

void tell_done(const std::vector<File> &files) {
    for (const File &file : files) {
        const std::string where = file.output.empty() ? "" : fmt::format(", written to {}", file.output);
        note(file.translation.has_tame
                 ? fmt::format("{}: {} syntax{}", file.path, tame::name_of(file.translation.syntax), where)
                 : fmt::format("{}: nothing of Tame in it, it stays as it is{}", file.path, where));
    }
    const std::string output = files.front().output;
    next_command(fmt::format("c++ -std=c++20 -c {}", output.empty() ? "..." : shell_word(output)));
}

}  // namespace

int run_tame(const Words &words) {
    CLI::App app("translate Tame source into C++20", "thalweg tame");
    TameOptions options;
    declare_tame(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    if (const Status usable = check(options); !usable)
        return report_error("tame", usable.error());
    const auto files = translate_all(options);
    if (!files)
        return report_error("tame", files.error());
    tell_notes(*files);
    const size_t refused = tell_refusals(*files);
    if (options.json)
        print_json(*files, refused == 0);
    if (refused != 0)
        return report_error("tame",
                            fail(ErrorCode::does_not_fit, "{} place{} whose meaning would change: nothing is written",
                                 refused, refused == 1 ? "" : "s"));
    if (const Status written = write_all(*files); !written)
        return report_error("tame", written.error());
    tell_done(*files);
    return 0;
}

}  // namespace thalweg::cli
