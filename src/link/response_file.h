// link: @file arguments, as GNU programs read them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/temporary.h"

namespace thalweg::link {

// Words parted by white space; single and double quotes and backslashes as in libiberty's buildargv.
std::vector<std::string> split_words(std::string_view text);
// Each @file replaced by the words in it, also within such files; an @file that cannot be read stays as it is.
Result<std::vector<std::string>> expand_response_files(const std::vector<std::string> &words);

// A command that is short enough to be started: a long one's words go through a response file that lives as long as this.
class ShortCommand {
  public:
    // The kernel takes 2 MB of words and environment together, when the stack's limit is the usual 8 MB.
    static constexpr size_t longest_bytes = size_t{512} << 10;

    ShortCommand(const std::string &driver, const std::vector<std::string> &words);
    ShortCommand(const ShortCommand &) = delete;
    ShortCommand &operator=(const ShortCommand &) = delete;
    const std::vector<std::string> &words() const { return words_; }  // the driver first

  private:
    std::vector<std::string> words_;
    std::optional<TemporaryFile> file_;
};

}  // namespace thalweg::link
