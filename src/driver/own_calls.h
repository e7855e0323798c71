// driver: whether a program's system calls, and those that print, are the C library's.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "link/link_record.h"

namespace thalweg::driver {

// Why no decision about system calls can be carried out in the program; empty: some can.
Result<std::string> obstacle_to_own_calls(const link::LinkedProgram &program);

// Why this call, which prints or reads, is not known to do what the C library would; empty: it is. `elsewhere`: what code without bitcode calls.
std::string obstacle_in_place(const link::LinkedProgram &program, const std::set<std::string> &elsewhere,
                              const std::string &callee);

// Why this function, which gives small blocks or takes them, is not known to be the C library's; empty: it is.
std::string obstacle_to_reuse(const link::LinkedProgram &program, const std::string &callee);

}  // namespace thalweg::driver
