// link: @file arguments, as GNU programs read them.
#include "link/response_file.h"

#include <cctype>

#include "base/file.h"

namespace thalweg::link {

namespace {

// A response file that names itself would never end; libiberty stops at the same number.
constexpr int files_at_most = 2000;

std::string quoted_word(const std::string &word) {
    std::string text = "\"";
    for (const char letter : word) {
        if (letter == '"' || letter == '\\')
            text += '\\';
        text += letter;
    }
    return text + "\"";
}

Status expand_into(const std::vector<std::string> &words, std::vector<std::string> &result, int &files) {
    for (const std::string &word : words) {
        if (word.size() < 2 || word[0] != '@') {
            result.push_back(word);
            continue;
        }
        const auto text = read_file(word.substr(1));
        if (!text) {
            result.push_back(word);
            continue;
        }
        if (++files > files_at_most)
            return fail(ErrorCode::usage, "more than {} response files, the last one {}: does it name itself?",
                        files_at_most, word);
        if (const Status status = expand_into(split_words(*text), result, files); !status)
            return status;
    }
    return Done{};
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (quote == 0 && std::isspace(static_cast<unsigned char>(letter)) != 0) {
            if (in_word)
                words.push_back(std::move(word));
            word.clear();
            in_word = false;
            continue;
        }
        in_word = true;
        if (letter == '\\' && quote != '\'' && i + 1 < text.size())
            word += text[++i];
        else if (quote != 0 && letter == quote)
            quote = 0;
        else if (quote == 0 && (letter == '\'' || letter == '"'))
            quote = letter;
        else
            word += letter;
    }
    if (in_word)
        words.push_back(std::move(word));
    return words;
}

Result<std::vector<std::string>> expand_response_files(const std::vector<std::string> &words) {
    std::vector<std::string> result;
    int files = 0;
    if (const Status status = expand_into(words, result, files); !status)
        return status.error();
    return result;
}

ShortCommand::ShortCommand(const std::string &driver, const std::vector<std::string> &words) : words_{driver} {
    size_t bytes = 0;
    for (const std::string &word : words)
        bytes += word.size() + 1;
    std::string text;
    for (const std::string &word : words)
        text += quoted_word(word) + "\n";
    if (bytes > longest_bytes)
        if (auto made = TemporaryFile::make("words", text)) {
            file_.emplace(std::move(*made));
            words_.push_back("@" + file_->path());
            return;
        }
    words_.insert(words_.end(), words.begin(), words.end());
}

}  // namespace thalweg::link
