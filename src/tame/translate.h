// tame: Tame source (paper tame-usenix07; sfslite's .T, tamer's .tcc and .tt) into C++20 on include/thalweg/tame.h.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg::tame {

enum class Syntax { paper, sfslite, tamer };

std::string_view name_of(Syntax syntax);
std::optional<Syntax> syntax_named(std::string_view name);
// By the file's name, or by what only one of them writes.
Syntax syntax_of(std::string_view file, std::string_view text);

struct Options {
    std::string file;  // its name, for #line
    std::optional<Syntax> syntax;
    bool line_directives = false;
    bool goes_on_later =
        false;  // of sfslite's programs: who waits may go on when the function that triggers waits or ends
};

// What one file may say of another's.
struct Names {
    std::map<std::string, size_t, std::less<>> rendezvous;  // how many ids their events have
    std::set<std::string, std::less<>> events;
};
void add_names(std::string_view text, Names &names);

// Something whose meaning would change; or, as a note, may.
struct Refusal {
    size_t line = 0;
    std::string reason;
};

struct Translation {
    std::string text;  // not to be used where something is refused
    Syntax syntax = Syntax::paper;
    std::vector<Refusal> refusals;  // in the order of their lines
    std::vector<Refusal> notes;  // what a person should look at
    bool has_tame = false;  // false: there was nothing to translate
};

Translation translate(std::string_view text, const Options &options, const Names &names);

}  // namespace thalweg::tame
