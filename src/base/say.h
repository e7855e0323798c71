// base: remarks to whoever waits for the work.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

// Progress and remarks: stderr, so that stdout holds nothing but data.
void note(std::string_view text);
// A word of a command as a shell would need it.
std::string shell_word(std::string_view word);
std::string shell_command(const std::vector<std::string> &words);

}  // namespace thalweg
