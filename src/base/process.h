// base: run a program to its end; which rooms may is in tools/rooms.toml.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace thalweg {

struct ProcessOptions {
    std::string directory;                                         // empty: where we are
    std::vector<std::pair<std::string, std::string>> environment;  // added to ours
    bool capture = false;  // keep stdout and stderr instead of letting them through
};

struct ProcessEnd {
    int exit_code = 0;  // 128 + signal when a signal ended it, as a shell says it
    std::string output;  // when captured: stdout and stderr as they came
};

// `command[0]` is searched in PATH when it has no slash. An error means that it could not be started.
Result<ProcessEnd> run_process(const std::vector<std::string> &command, const ProcessOptions &options = {});

// Pointers into `words` and a null at the end, as exec wants it.
std::vector<char *> argument_vector(const std::vector<std::string> &words);
// Our environment with the given variables set anew, as NAME=value.
std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>> &added);

}  // namespace thalweg
