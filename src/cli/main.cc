// cli: `thalweg`, a table of verbs.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "base/interruption.h"
#include "base/utf8.h"
#include "base/version.h"
#include "cli/verb.h"
#include "cli/verbs.h"

namespace {

using thalweg::cli::Verb;

// In the order in which a program goes through them.
constexpr std::array verbs = {
    Verb{"doctor", "is everything here, and does it fit together? With a program: can it be optimised?",
         thalweg::cli::run_doctor},
    Verb{"stat", "run a program: what kind of work does it do, and what to look at next?", thalweg::cli::run_stat},
    Verb{"functions", "run a program: in which functions does it spend its time, and who calls them?",
         thalweg::cli::run_functions},
    Verb{"auto", "record, plan, optimize, measure and report in one go", thalweg::cli::run_auto, true},
    Verb{"record", "run a program and write down which events and handlers ran", thalweg::cli::run_record, true},
    Verb{"report", "what a profile shows: events, graph, chains, sequences, opportunities", thalweg::cli::run_report},
    Verb{"plan", "decide what becomes a straight line, and why the rest does not", thalweg::cli::run_plan, true},
    Verb{"explain", "why a decision was taken, where, under which guard", thalweg::cli::run_explain},
    Verb{"optimize", "link a program again, with straight lines where a profile shows that they fit",
         thalweg::cli::run_optimize, true},
    Verb{"specialize", "make a function and its layers into code for facts that you know", thalweg::cli::run_specialize,
         true},
    Verb{"bundle", "a program with all that it was linked from in one file, to optimize it on another machine",
         thalweg::cli::run_bundle, true},
    Verb{"compare", "two programs, one input: do they show the same, and which is faster", thalweg::cli::run_compare,
         true},
    Verb{"bisect", "which decision makes the optimised program differ, or slower", thalweg::cli::run_bisect, true},
    Verb{"merge", "make one profile of several runs", thalweg::cli::run_merge},
    Verb{"diff", "what changed from one profile to another", thalweg::cli::run_diff},
    Verb{"machine", "what calls, system calls, switches, files and io_uring cost here", thalweg::cli::run_machine},
    Verb{"export", "a profile's graphs, or a run's functions, for other tools: flame graphs, pprof, graphviz, tables",
         thalweg::cli::run_export},
    Verb{"relink", "link a program again from its bitcode, with a job for the plug-in", thalweg::cli::run_relink, true},
    Verb{"clean", "remove what is kept beside programs: their instrumented twins", thalweg::cli::run_clean},
    Verb{"tame", "translate Tame source (.T, .tcc, .tt) into C++20", thalweg::cli::run_tame},
};

void print_help(FILE *where) {
    std::fputs("usage: thalweg VERB [OPTIONS]      thalweg help VERB tells more\n\n", where);
    for (const Verb &verb : verbs)
        std::fprintf(where, "  %-10s %s\n", std::string(verb.name).c_str(), std::string(verb.summary).c_str());
    std::fputs("\nA program is built with CC=thalweg-cc CXX=thalweg-c++ before any of these.\n"
               "Exit codes of all verbs: 0 done; 2 wrong usage; 3 nothing worth doing (--fail-if-none); 4 the profile "
               "or plan does\n"
               "not fit the program, or nothing could be applied; 5 outputs differ; 6 slower (--fail-if-slower); 7 the "
               "machine\n"
               "(a tool, a file, room); 70 our bug; 128 + signal interrupted. `record` ends with the program's own.\n",
               where);
}

// How many letters are to be changed, put in or taken out to make one word of the other (Levenshtein 1965).
size_t distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 0; i < a.size(); ++i) {
        size_t before = std::exchange(row[0], i + 1);
        for (size_t j = 0; j < b.size(); ++j)
            before = std::exchange(row[j + 1], std::min({row[j + 1] + 1, row[j] + 1, before + (a[i] == b[j] ? 0 : 1)}));
    }
    return row[b.size()];
}

int unknown_verb(std::string_view name) {
    constexpr size_t longest_verb = 16;
    constexpr size_t largest_slip = 2;  // two letters changed places
    const std::string cut(name.substr(0, longest_verb));
    const auto near = std::ranges::min_element(verbs, {}, [&](const Verb &verb) { return distance(cut, verb.name); });
    std::fputs(
        fmt::format("thalweg: error: there is no verb '{}'", thalweg::without_controls(std::string(name))).c_str(),
        stderr);
    if (distance(cut, near->name) <= largest_slip)
        std::fputs(fmt::format("; did you mean `thalweg {}`?", near->name).c_str(), stderr);
    std::fputs("\n\n", stderr);
    print_help(stderr);
    return static_cast<int>(thalweg::ErrorCode::usage);
}

int run_verb(const std::vector<std::string> &words) {
    for (const Verb &verb : verbs)
        if (verb.name == words[0]) {
            std::optional<thalweg::HeldInterruption> held;
            if (verb.clears_up)
                held.emplace();
            const int code = verb.run({words.begin() + 1, words.end()});
            std::fflush(nullptr);  // a signal that was held back may end us below
            return code;
        }
    return unknown_verb(words[0]);
}

// Where one of the three was closed, the next file that is opened would take its place, and a program that is started would read
// or write that.
void open_standard_descriptors() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF &&
            ::open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY) != descriptor)
            std::abort();
}

}  // namespace

int main(int count, char **arguments) {
    open_standard_descriptors();
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (words.empty()) {
        print_help(stderr);
        return static_cast<int>(thalweg::ErrorCode::usage);
    }
    if (words[0] == "help" && words.size() > 1)
        return run_verb({words[1], "--help"});
    if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        print_help(stdout);
        return 0;
    }
    if (words[0] == "--version") {
        std::printf("thalweg %s\n", thalweg::tool_version);
        return 0;
    }
    return run_verb(words);
}
