// link: what a compiler driver's command line asks for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace thalweg::link {

// leave: nothing of ours to do, hand it to the compiler as it is.
enum class Action { leave, compile, link, link_relocatable };
enum class InputKind { source, assembler, object };

struct Input {
    size_t position = 0;  // in CommandLine::arguments
    InputKind kind = InputKind::object;
    std::string language;  // of -x, empty: by the name's end
};

struct CommandLine {
    std::vector<std::string> arguments;  // without the driver's name, response files expanded
    Action action = Action::leave;
    std::vector<Input> inputs;  // files only: no -l
    std::string output;         // of -o; empty: none given
    std::string optimisation;   // the last -O..., empty: none given
    std::vector<std::string> library_folders;  // -L
    std::vector<std::string> libraries;        // -l
    bool writes_dependencies = false;          // -MD or -MMD
    bool names_dependency_file = false;        // -MF
    bool names_dependency_target = false;      // -MT or -MQ
    std::string instrumented;  // by which word the program watches itself (instrumented.h); empty: none
    bool records_command_line = false;         // -frecord-command-line
};

// `words`: argv without argv[0].
Result<CommandLine> parse_command_line(const std::vector<std::string> &words);

// Does this option take the next word as its value?
bool takes_value(const std::string &option);

}  // namespace thalweg::link
