// transform: files of a job.
#include "transform/files.h"

#include <fstream>
#include <sstream>

namespace thalweg::transform {

using namespace llvm;

std::string read_file(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
        report_fatal_error(Twine("thalweg: can't read ") + path, false);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_file(const std::string &path, const std::string &text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
        report_fatal_error(Twine("thalweg: can't write ") + path, false);
}

}  // namespace thalweg::transform
