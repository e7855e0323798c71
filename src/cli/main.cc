// cli: `thalweg`, whose verbs stand in a table.
#include <algorithm>
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
#include "cli/verb_table.h"

namespace {

using thalweg::cli::Verb;
using thalweg::cli::verbs;

void print_help(FILE *where) {
    std::fputs("usage: thalweg VERB [OPTIONS]      thalweg help VERB tells more\n\n", where);
    for (const Verb &verb : verbs)
        std::fprintf(where, "  %-10s %s\n", std::string(verb.name).c_str(), std::string(verb.summary).c_str());
    std::fputs(std::string(thalweg::cli::below_the_verbs).c_str(), where);
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
