// driver: where this user's measurement of this machine is kept.
#pragma once

#include <string>

namespace thalweg::driver {

// $XDG_CACHE_HOME/thalweg/machine.json, else in ~/.cache; empty where neither is known.
std::string stored_machine_path();

}  // namespace thalweg::driver
