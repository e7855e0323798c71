// measure: one run of a program as a child process, with its times and what it showed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/measurement.h"

namespace thalweg::measure {

struct Command {
    std::string program;  // searched in PATH when it has no slash; empty: argv[0]
    std::vector<std::string> argv;
    std::vector<std::pair<std::string, std::string>> environment;  // added to ours
    std::string stdin_path;                                        // empty: /dev/null
    double timeout_s = 0;                                          // 0: none
};

struct ChildRun {
    model::RunTimes times;
    bool timed_out = false;
    int signal = 0;  // that ended it, 0: it exited
    int exit_code = 0;
};

// "exit 3", "signal 11 (Segmentation fault)", "killed when its time was up"
std::string ending_of(const ChildRun &run);

// Runs the command to its end, stdout and stderr into the two files. The child leads a process group of its own, all of
// which is killed when time is up and when the leader has ended, so that nothing of one run lives on into the next one.
Result<ChildRun> run_child(const Command &command, const std::string &stdout_path, const std::string &stderr_path);

}  // namespace thalweg::measure
