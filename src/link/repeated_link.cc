// link: which words of a program's own link are repeated when it is linked again.
#include "link/repeated_link.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "link/word_rule.h"

namespace thalweg::link {

namespace {

using Words = std::vector<std::string>;

// A variable whose value finds files for the linker, or dates its output. Where the driver finds programs plays no part: the linker
// is named in full, and nothing else is started.
struct VariableRule {
    std::string_view name;
    Use use;
};
constexpr auto variables = std::to_array<VariableRule>({{"LIBRARY_PATH", Use::repeat},
                                                        {"LD_RUN_PATH", Use::repeat},
                                                        {"SOURCE_DATE_EPOCH", Use::repeat},
                                                        {"COMPILER_PATH", Use::leave_out}});

// A '-' or '@' at the front of a value would be read as an option by whoever counts values otherwise, or as a file of more words.
bool is_plain(std::string_view word) {
    return !word.empty() && word[0] != '-' && word[0] != '@' && word.find('\0') == std::string_view::npos;
}

// Of LLVM's own options, many of which write files or load code, the one that builds use: a number that steers the inliner.
bool is_harmless_of_llvm(std::string_view option) {
    constexpr std::string_view threshold = "-inline-threshold=";
    return option.starts_with(threshold) &&
           option.substr(threshold.size()).find_first_not_of("-0123456789") == std::string_view::npos;
}

// The linker's own words in the order in which it gets them, of -Wl,a,b,c and of -Xlinker a.
class LinkerWords {
  public:
    // What becomes of the next word; it may be the value of the one before.
    Use use_of(std::string_view word) {
        if (const WordRule *rule = std::exchange(expects_value_, nullptr))
            return rule->use == Use::leave_out || is_plain(word) ? rule->use : Use::refuse;
        if (is_plain(word))
            return Use::repeat;  // an input, as any other
        const WordRule *rule = rule_for(linker_rules(), word);
        std::string_view name = word;
        if (rule == nullptr && word.size() > 2) {
            name.remove_prefix(word.starts_with("--") ? 2 : 1);
            rule = rule_for(linker_rules(), name);
        }
        if (rule == nullptr || word.find('\0') != std::string_view::npos || word[0] == '@')
            return Use::refuse;
        if (next_is_value(*rule, name))
            expects_value_ = rule;
        return rule->use;
    }
    bool expects_value() const { return expects_value_ != nullptr; }

  private:
    const WordRule *expects_value_ = nullptr;
};

class Repeater {
  public:
    explicit Repeater(const LinkRecord &record) : record_(record) {}

    Result<RepeatedLink> run() {
        for (size_t i = 0; i < record_.arguments.size() && refused_.empty(); ++i)
            i += word(i) ? 1 : 0;
        if (refused_.empty() && linker_words_.expects_value())
            refuse(record_.arguments.back());
        for (const auto &variable : record_.environment)
            environment(variable);
        if (refused_.empty())
            return std::move(repeated_);
        return fail(
            ErrorCode::environment,
            "the link of {} is not repeated, because {} is not on the list of what is known to load no code, to start "
            "no program and to write no file (docs/SECURITY.md); if it is your own, build the program without it",
            record_.output, refused_);
    }

  private:
    // True: the next word is this one's value and was dealt with.
    bool word(size_t i) {
        const Words &all = record_.arguments;
        const std::string &word = all[i];
        const bool has_next = i + 1 < all.size();
        if (word == "-o" || word == "-Xlinker") {
            if (!has_next)
                refuse(word);
            else if (word == "-Xlinker")
                linker_word(all[i + 1]);
            return true;
        }
        if (word.starts_with("--output=") || (word.starts_with("-o") && !word.starts_with("-objc")))
            return false;
        if (word.starts_with("-Wl,")) {
            linker_list(word);
            return false;
        }
        return is_plain(word) ? input(word) : option(word, has_next ? &all[i + 1] : nullptr);
    }

    // Straight to the linker: what the driver would take for a source is none. As one word, which cannot come apart.
    bool input(const std::string &path) {
        if (path.find(',') != std::string::npos)
            refuse(path);
        repeated_.arguments.push_back("-Wl," + path);
        return false;
    }

    bool option(const std::string &word, const std::string *next) {
        if (word == "-mllvm" && next != nullptr && is_harmless_of_llvm(*next)) {
            repeated_.arguments.insert(repeated_.arguments.end(), {word, *next});
            return true;
        }
        const WordRule *rule = rule_for(driver_rules(), word);
        if (rule == nullptr || rule->use == Use::refuse || word.find('\0') != std::string::npos || word[0] != '-') {
            refuse(word);
            return false;
        }
        const bool with_value = next_is_value(*rule, word);
        if (rule->use == Use::leave_out)
            return with_value;
        repeated_.arguments.push_back(word);
        if (!with_value)
            return false;
        if (next == nullptr || !is_plain(*next))
            refuse(next == nullptr ? word : word + " " + *next);
        else
            repeated_.arguments.push_back(*next);
        return true;
    }

    void linker_word(const std::string &word) {
        const Use use = linker_words_.use_of(word);
        if (use == Use::refuse)
            refuse("-Xlinker " + word);
        if (use == Use::repeat)
            repeated_.arguments.insert(repeated_.arguments.end(), {"-Xlinker", word});
    }

    // -Wl,a,b,c without those that are left out.
    void linker_list(const std::string &argument) {
        std::string kept;
        for (size_t begin = 4; begin <= argument.size();) {
            const size_t end = std::min(argument.find(',', begin), argument.size());
            const std::string word = argument.substr(begin, end - begin);
            begin = end + 1;
            const Use use = linker_words_.use_of(word);
            if (use == Use::refuse)
                refuse("-Wl," + word);
            if (use == Use::repeat)
                kept += "," + word;
        }
        if (!kept.empty())
            repeated_.arguments.push_back("-Wl" + kept);
    }

    void environment(const std::pair<std::string, std::string> &variable) {
        const auto rule = std::ranges::find(variables, variable.first, &VariableRule::name);
        if (rule == variables.end() || variable.second.find('\0') != std::string::npos)
            refuse("the variable " + variable.first + "=" + variable.second);
        else if (rule->use == Use::repeat)
            repeated_.environment.push_back(variable);
    }

    void refuse(const std::string &word) {
        if (refused_.empty())
            refused_ = "'" + word + "'";
    }

    const LinkRecord &record_;
    RepeatedLink repeated_;
    LinkerWords linker_words_;
    std::string refused_;
};

}  // namespace

Result<RepeatedLink> repeated_link(const LinkRecord &record) { return Repeater(record).run(); }

}  // namespace thalweg::link
