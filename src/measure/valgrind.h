// measure: what valgrind says where it ends before the program does.
#pragma once

#include <string>

#include "base/temporary.h"

namespace thalweg::measure {

// In valgrind's words and with what helps, from the logs (*.log) that it left in the folder; empty where it didn't give up.
std::string why_valgrind_gave_up(const TemporaryFolder &folder, const std::string &program);

}  // namespace thalweg::measure
