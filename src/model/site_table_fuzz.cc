// model: any bytes as a site table: an error, or a valid table that is written and read back the same.
#include <cstdlib>

#include "model/site.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace thalweg::model;
    const auto table = read_site_table(std::string(reinterpret_cast<const char *>(data), size));
    if (!table)
        return 0;
    const auto again = read_site_table(write_site_table(*table));
    if (!validate(*table) || !again || !(*again == *table))
        std::abort();
    return 0;
}
