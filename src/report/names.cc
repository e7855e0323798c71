// report: linker names as people write them.
#include "report/names.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/utf8.h"

namespace thalweg::report {

namespace {

// A line that fills more than a few rows of a terminal is not read; --json has all of it.
constexpr size_t longest_cell = 240;
// Of a text, so much is searched for linker names: they become shorter, and what is longer than a cell is cut off.
constexpr size_t longest_shortened = 16384;
// Demangling takes time that grows faster than the name.
constexpr size_t longest_demangled = 4096;
// Wrappers of wrappers: a std::function of a std::bind of a member is 3. Bounds the work on names made by an enemy.
constexpr int most_wrappers = 8;

std::string demangled(const std::string &linker_name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> words(
        abi::__cxa_demangle(linker_name.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && words ? std::string(words.get()) : std::string();
}

// clang 19 says of an `auto` template argument that it is one ("TnDa"), which the demangler of gcc 12's library does not
// know; without these words it reads the rest.
std::string without_constraint_types(std::string linker_name) {
    constexpr std::string_view words = "TnDa";
    for (size_t at = linker_name.find(words); at != std::string::npos; at = linker_name.find(words, at))
        linker_name.erase(at, words.size());
    return linker_name;
}

// The places of `wanted` that stand in no bracket. "operator<", "operator->" and the like open and close none.
std::vector<size_t> places_outside(std::string_view text, char wanted) {
    constexpr std::string_view word = "operator";
    std::vector<size_t> places;
    int depth = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == wanted && depth == 0)
            places.push_back(i);
        if (text.substr(i).starts_with(word)) {
            i += word.size() - 1;
            while (i + 1 < text.size() && std::string_view("<>=-").find(text[i + 1]) != std::string_view::npos)
                ++i;
        } else if (std::string_view("<([{").find(text[i]) != std::string_view::npos) {
            ++depth;
        } else if (std::string_view(">)]}").find(text[i]) != std::string_view::npos) {
            --depth;
        }
    }
    return places;
}

// Where the bracket that the text ends with was opened; npos: it ends with none.
size_t opening_of_last(std::string_view text, char open, char close) {
    if (text.empty() || text.back() != close)
        return std::string_view::npos;
    int depth = 0;
    for (size_t i = text.size(); i-- > 0;) {
        depth += text[i] == close ? 1 : text[i] == open ? -1 : 0;
        if (depth == 0)
            return i;
    }
    return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

std::string_view without_ending(std::string_view name) {
    name = name.substr(0, name.find(" [clone"));
    constexpr std::string_view endings[] = {" const", " volatile", " &", " &&"};
    for (const std::string_view ending : endings)
        if (name.ends_with(ending))
            name.remove_suffix(ending.size());
    const size_t parameters = opening_of_last(name, '(', ')');
    const bool is_call_operator =
        parameters != std::string_view::npos && name.substr(0, parameters).ends_with("operator");
    const bool is_a_whole = parameters == 0 || is_call_operator;
    return parameters == std::string_view::npos || is_a_whole ? name : name.substr(0, parameters);
}

std::string_view without_return_type(std::string_view name) {
    for (const size_t place : places_outside(name, ' '))
        if (!name.substr(0, place).ends_with("operator") &&
            name.substr(0, place).find("operator ") == std::string_view::npos)
            return without_return_type(name.substr(place + 1));
    return name;
}

bool is_lambda(std::string_view type) {
    return type.find("::{lambda(") != std::string_view::npos || type.find("::$_") != std::string_view::npos;
}

// The function, or else the lambda, among a template's arguments. Empty: none.
std::string_view wrapped_by(std::string_view name) {
    const size_t open = opening_of_last(name, '<', '>');
    if (open == std::string_view::npos || open == 0)
        return {};
    const std::string_view arguments = name.substr(open + 1, name.size() - open - 2);
    std::string_view lambda;
    std::vector<size_t> ends = places_outside(arguments, ',');
    ends.push_back(arguments.size());
    size_t begin = 0;
    for (const size_t end : ends) {
        std::string_view argument = trimmed(arguments.substr(begin, end - begin));
        begin = std::min(end + 1, arguments.size());
        if (argument.starts_with("&")) {
            argument.remove_prefix(1);
            const bool in_brackets = opening_of_last(argument, '(', ')') == 0;
            return in_brackets ? argument.substr(1, argument.size() - 2) : argument;
        }
        if (is_lambda(argument))
            lambda = argument;
    }
    return lambda;
}

std::string without_anonymous(std::string name) {
    constexpr std::string_view words = "(anonymous namespace)::";
    for (size_t at = name.find(words); at != std::string::npos; at = name.find(words, at))
        name.erase(at, words.size());
    return name;
}

bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.';
}

}  // namespace

std::string readable(const std::string &linker_name) {
    if (!linker_name.starts_with("_Z") || linker_name.size() > longest_demangled)
        return linker_name;
    if (std::string words = demangled(linker_name); !words.empty())
        return words;
    const std::string words = demangled(without_constraint_types(linker_name));
    return words.empty() ? linker_name : words;
}

std::string short_name(const std::string &linker_name) {
    const std::string whole = readable(linker_name);
    if (whole == linker_name)
        return linker_name;
    std::string_view name = whole;
    for (int i = 0; i < most_wrappers; ++i) {
        name = without_return_type(without_ending(name));
        const std::string_view wrapped = wrapped_by(name);
        if (wrapped.empty())
            break;
        name = wrapped;
        if (is_lambda(name))
            break;
    }
    std::string found = without_anonymous(std::string(name));
    return found.empty() ? whole : found;
}

std::string with_short_names(const std::string &sentence) {
    std::string text;
    for (size_t i = 0; i < sentence.size();) {
        size_t end = i;
        while (end < sentence.size() && is_name_character(sentence[end]))
            ++end;
        if (end == i) {
            text += sentence[i++];
            continue;
        }
        std::string word = sentence.substr(i, end - i);
        const size_t full_stops = word.size() - std::min(word.size(), word.find_last_not_of('.') + 1);
        word.resize(word.size() - full_stops);
        text += (word.starts_with("_Z") ? short_name(word) : word) + std::string(full_stops, '.');
        i = end;
    }
    return text;
}

std::string shown(std::string_view text) {
    const bool is_whole = text.size() <= longest_shortened;
    return harmless(with_short_names(std::string(text.substr(0, longest_shortened)))) + (is_whole ? "" : "...");
}

std::string harmless(std::string_view text) {
    std::string out;
    for (char c : valid_utf8(text.substr(0, longest_cell))) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte < 0x20 || byte == 0x7f ? '?' : c;
    }
    // C1 controls of UTF-8 (U+0080 to U+009F) are escape sequences to some terminals.
    for (size_t at = out.find('\xc2'); at != std::string::npos; at = out.find('\xc2', at + 1))
        if (at + 1 < out.size() && static_cast<unsigned char>(out[at + 1]) < 0xa0)
            out.replace(at, 2, "?");
    return text.size() > longest_cell ? out + "..." : out;
}

std::string place_words(const model::Site &site) {
    const std::string function = short_name(site.function);
    if (site.place.file.empty())
        return site.ordinal == 0
                   ? function
                   : fmt::format("{}, {} {}", function, site.kind == model::SiteKind::call ? "system call" : "loop",
                                 site.ordinal + 1);
    return fmt::format("{}:{}, {}", site.place.file, site.place.line, function);
}

std::string place_words(const model::Decision &decision) {
    return is_of_library_function(decision.kind()) ? "all its calls" : place_words(decision.site);
}

std::string function_name(const model::Profile &profile, uint32_t function) {
    return function == model::none ? "(unknown code)" : short_name(profile.symbols[function].name);
}

std::string guarded_name(const std::string &name) { return name.starts_with("_Z") ? short_name(name) : name; }

}  // namespace thalweg::report
