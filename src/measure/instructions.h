// measure: how many instructions a program executes in user mode, counted one by one: a busy machine changes nothing of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "measure/child.h"

namespace thalweg::measure {

// What valgrind's cachegrind writes of one process.
struct CachegrindFile {
    std::string command;
    uint64_t instructions = 0;
};
// None: it is not such a file, or an unfinished one.
std::optional<CachegrindFile> read_cachegrind(std::string_view text);

// Runs `command` once under cachegrind, some 20 times slower, its outputs thrown away. Counted are the processes of `program`, whoever starts
// them, not those of a command around it. `directory` is for files; it exists and is ours. An error where there is no valgrind, where it can't
// run the program, or where time is up.
Result<uint64_t> count_instructions(const Command &command, const std::string &program, const std::string &directory);

}  // namespace thalweg::measure
