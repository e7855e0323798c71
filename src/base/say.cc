// base: remarks to whoever waits for the work.
#include "base/say.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include <fmt/format.h>

#include "base/utf8.h"

namespace thalweg {

namespace {

bool is_plain(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           std::string_view("-_./=:,+@%").find(letter) != std::string_view::npos;
}

}  // namespace

void note(std::string_view text) {
    std::fflush(stdout);  // both may go to one file: what was said before stands before
    const std::string line = fmt::format("thalweg: {}\n", without_controls(text));
    std::fputs(line.c_str(), stderr);
}

std::string shell_word(std::string_view word) {
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain))
        return std::string(word);
    std::string result = "'";
    for (const char letter : word)
        result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return result + "'";
}

std::string shell_command(const std::vector<std::string> &words) {
    std::string line;
    for (const std::string &word : words)
        line += (line.empty() ? "" : " ") + shell_word(word);
    return line;
}

}  // namespace thalweg
