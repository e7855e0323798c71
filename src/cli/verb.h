// cli: a verb of the command line, and what every verb says in the same way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/say.h"

namespace CLI {
class App;
}

namespace thalweg::cli {

// `run` gets the words behind the verb's name and gives the exit code (DESIGN section 2).
struct Verb {
    std::string_view name;
    std::string_view summary;
    int (*run)(const std::vector<std::string> &words);
    // Ctrl-C waits until temporary files are gone and files of the user's are as they were (base/interruption.h).
    bool clears_up = false;
};

// Parses into `app`; a number is the exit code to end with at once (--help: 0, wrong usage: 2).
class Parsed {
  public:
    Parsed(CLI::App &app, const std::vector<std::string> &words);
    bool finished() const { return code_ >= 0; }
    int code() const { return code_; }

  private:
    int code_ = -1;
};

// --objects, the same for every verb that links a program again.
void declare_objects(CLI::App &app, std::string &objects);
// --library, of those that record or measure.
void declare_libraries(CLI::App &app, std::vector<std::string> &named);

// "thalweg VERB: error: ..." on stderr; gives the exit code that belongs to it.
int report_error(std::string_view verb, const Error &error);
// The last line of a verb: what to call next.
void next_command(std::string_view command);

// Data on stdout: as it is, but for what a terminal would obey where stdout is one.
void print_data(const std::string &text);

// Whether the file can be made, asked before the work and not after hours of it. Of no file: it can.
Status check_folder(const std::string &output);

// Colour only on a terminal, and never where NO_COLOR is set.
bool colour_on_stdout();
bool colour_on_stderr();

}  // namespace thalweg::cli
