// link: which words of a link its record holds, and how they name the files of the build.
#include "link/recorded_words.h"

#include <algorithm>
#include <array>

#include "link/word_rule.h"

namespace thalweg::link {

namespace {

using Words = std::vector<std::string>;

// Options of the linker, behind -Wl, that name a file which it reads.
constexpr std::array script_options = {
    "--version-script=", "--dynamic-list=", "--retain-symbols-file=", "--script=", "-T"};
// Options of the driver whose value is a file or folder that the link reads.
constexpr std::array path_options = {std::string_view("-L"), std::string_view("-T"), std::string_view("--sysroot="),
                                     std::string_view("--sysroot")};

struct Part {
    size_t begin = 0;
    size_t size = 0;
};

// Where in -Wl,... the names of scripts stand.
std::vector<Part> script_parts(const std::string &word) {
    std::vector<Part> parts;
    if (!word.starts_with("-Wl,"))
        return parts;
    for (const char *option : script_options) {
        const size_t at = word.find(std::string(",") + option);
        if (at == std::string::npos)
            continue;
        size_t begin = at + 1 + std::string_view(option).size();
        if (word.size() > begin && word[begin] == ',')
            ++begin;  // -Wl,-T,file
        parts.push_back({begin, std::min(word.find(',', begin), word.size()) - begin});
    }
    // From the end, so that a name can be replaced by a longer one.
    std::ranges::sort(parts, std::greater(), &Part::begin);
    return parts;
}

bool is_output(const std::string &word) {
    return word.starts_with("--output=") || (word.starts_with("-o") && !word.starts_with("-objc"));
}

// The level and the remarks are asked for again when the program is linked again.
bool is_needed_again(const std::string &word) { return word.starts_with("-O") || word.starts_with("-R"); }

bool is_of_compilation(const WordRule *rule, const std::string &word) {
    const bool is_of_linker = word.starts_with("-Wl,");  // but other words that begin with -W are
    return rule != nullptr && rule->use == Use::leave_out && !is_of_linker && !is_needed_again(word);
}

}  // namespace

Words scripts_in(const std::string &word) {
    Words scripts;
    for (const Part &part : script_parts(word))
        scripts.push_back(word.substr(part.begin, part.size));
    return scripts;
}

std::string with_paths(std::string word, const PathName &named) {
    for (const Part &part : script_parts(word))
        word.replace(part.begin, part.size, named(word.substr(part.begin, part.size)));
    for (const std::string_view option : path_options)
        if (word.starts_with(option) && word.size() > option.size())
            return std::string(option) + named(word.substr(option.size()));
    return word;
}

bool is_path_option(const std::string &word) { return std::ranges::find(path_options, word) != path_options.end(); }

Words recorded_words(const CommandLine &line, const BuildFolders &folders) {
    const PathName named = [&](const std::string &path) { return folders.named(path); };
    Words words;
    for (size_t i = 0; i < line.arguments.size(); ++i) {
        const std::string &word = line.arguments[i];
        if (std::ranges::find(line.inputs, i, &Input::position) != line.inputs.end()) {
            words.push_back(folders.named(word));
            continue;
        }
        const bool has_next = i + 1 < line.arguments.size();
        const WordRule *rule = rule_for(driver_rules(), word);
        const bool has_value = has_next && (takes_value(word) || (rule != nullptr && next_is_value(*rule, word)));
        if (!is_output(word) && !is_of_compilation(rule, word)) {
            words.push_back(with_paths(word, named));
            if (has_value)
                words.push_back(is_path_option(word) ? named(line.arguments[i + 1]) : line.arguments[i + 1]);
        }
        i += has_value ? 1 : 0;
    }
    return words;
}

}  // namespace thalweg::link
