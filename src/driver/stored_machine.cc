// driver: where this user's measurement of this machine is kept.
#include "driver/stored_machine.h"

#include <cstdlib>

namespace thalweg::driver {

std::string stored_machine_path() {
    const char *cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr &&
        *cache == '/')  // a path that is not absolute is to be ignored, as the specification of XDG says
        return std::string(cache) + "/thalweg/machine.json";
    const char *home = std::getenv("HOME");
    return home == nullptr || *home == '\0' ? "" : std::string(home) + "/.cache/thalweg/machine.json";
}

}  // namespace thalweg::driver
