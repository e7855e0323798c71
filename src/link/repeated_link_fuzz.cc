// link: any words as a link: refused, or repeated in words that are on the list.
#include <cstdlib>

#include "link/repeated_link.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::link;
    LinkRecord record;
    std::string word;
    for (size_t i = 0; i < size; ++i) {
        if (data[i] != '\n') {
            word += static_cast<char>(data[i]);
            continue;
        }
        record.arguments.push_back(std::move(word));
        word.clear();
    }
    record.arguments.push_back(word);
    const auto link = repeated_link(record);
    if (!link)
        return 0;
    for (const std::string &passed : link->arguments)
        if (passed.empty() || passed[0] == '@' || passed.find('\0') != std::string::npos)
            std::abort();
    record.arguments = link->arguments;
    const auto again = repeated_link(record);
    if (!again || again->arguments != link->arguments)
        std::abort();
    return 0;
}
