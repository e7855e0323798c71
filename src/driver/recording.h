// driver: a program recorded once, for `record` and for `auto`.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/profile.h"
#include "record/folder.h"

namespace thalweg::driver {

struct RecordingRequest {
    std::string program;
    std::string objects;                 // the folder in which it was built; empty: its own
    std::vector<std::string> arguments;  // of the program, or with `driver` a command that starts it
    bool driver = false;
    bool exact = false;
    std::vector<std::string> libraries = {};  // opened by dlopen; those that the program needs are found
    // With LLVM's own counters, unit by unit, for what does not fit one link; nothing else is recorded, and nothing in libraries.
    bool by_units = false;
};

struct Recording {
    model::Profile profile;
    int exit_code = 0;
    std::vector<std::string> problems;
    bool interrupted = false;  // whoever ran it wanted it to end
    bool of_optimized = false;  // guards were counted, not dispatches
    bool by_units = false;  // blocks were counted, and nothing else
};

Result<Recording> record_program(const RecordingRequest &request);
// What a recording that was killed had counted until then; `objects` as in a request.
Result<Recording> recover_recording(const record::Folder &folder, const std::string &objects);
// Where such recordings are, so that nobody thinks them lost; nothing where there are none.
void tell_folders_left_behind();
// How the recorded run ended, where that was not well and nobody interrupted it.
void tell_end(const Recording &recording);
// What a person must know of a recording, line by line on stderr. False: nothing was recorded.
bool tell_recording(const Recording &recording);
// Words of a driver with {} replaced by the program.
std::vector<std::string> driver_words(std::vector<std::string> words, const std::string &program);

}  // namespace thalweg::driver
