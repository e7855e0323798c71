// link: which words of a program's own link are repeated when it is linked again. A record is bytes of a file that anybody may have
// made, so words and variables that are not on the lists here are refused: they could load code, start programs or write files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "link/link_record.h"

namespace thalweg::link {

struct RepeatedLink {
    std::vector<std::string> arguments;  // for the driver, without outputs, levels and what chooses a linker
    std::vector<std::pair<std::string, std::string>> environment;
};

// Left out without a word: what concerns the compilation of sources alone (of which an input is never taken for one), what would write
// files of the first link, and what only GNU ld knows. An error names the first word that is refused.
Result<RepeatedLink> repeated_link(const LinkRecord &record);

}  // namespace thalweg::link
