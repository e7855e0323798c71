// link: @file arguments, as GNU programs read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace thalweg::link {

// Words parted by white space; single and double quotes and backslashes as in libiberty's buildargv.
std::vector<std::string> split_words(std::string_view text);
// Each @file replaced by the words in it, also within such files; an @file that cannot be read stays as it is.
Result<std::vector<std::string>> expand_response_files(const std::vector<std::string> &words);

}  // namespace thalweg::link
