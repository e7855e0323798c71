// driver: whether a program's system calls are the C library's.
#pragma once

#include <string>

#include "base/result.h"
#include "link/link_record.h"

namespace thalweg::driver {

// Why no decision about system calls can be carried out in the program; empty: some can.
Result<std::string> obstacle_to_own_calls(const link::LinkedProgram &program);

}  // namespace thalweg::driver
