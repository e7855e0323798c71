// record: one run of the instrumented twin, and what it left behind.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "record/folder.h"
#include "record/raw_file.h"

namespace thalweg::record {

struct RunRequest {
    std::string executable;          // the twin, or a command that starts it; searched in PATH when it has no slash
    std::string twin;                // its path
    std::vector<std::string> words;  // the executable's argv; words[0] is the program's name as the user wrote it
    std::vector<std::pair<std::string, std::string>> environment;
    bool exact = false;              // note every dispatch
    std::vector<std::string>
        parts;  // folders in that of the run, each for the raw files of one of its shared libraries
    FolderNote note;                 // for whoever finds the folder of a run that was killed
};

struct Run {
    int exit_code = 0;  // 128 + signal when a signal ended it
    bool interrupted = false;  // somebody wanted it to end: Ctrl-C, SIGTERM, SIGHUP
    std::vector<RawFile> files;
    std::vector<std::string> problems;  // files that could not be read, recordings that ended early
    std::vector<std::vector<RawFile>> parts = {};  // of the request's
};

// Input, output and signals are the twin's own. The raw files are gone afterwards.
Result<Run> run_twin(const RunRequest &request);

// Every raw file in a folder and in its `parts`; those that cannot be read are told in `problems`.
void read_raw_folder(const std::string &folder, const std::vector<std::string> &parts, Run &run);
// Processes of the twin that still run: a daemon's work would be missing from the profile, and nothing else would tell.
void note_left_behind(const std::string &folder, const std::string &twin, Run &run);

}  // namespace thalweg::record
