// link: where the compiler and the linker stand, and what belongs to this version of Thalweg.
#include "link/tools.h"

#include <climits>

#include <unistd.h>

namespace thalweg::link {

namespace {

std::string executable_folder() {
    char path[PATH_MAX];
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0)
        return ".";
    const std::string whole(path, static_cast<size_t>(length));
    return whole.substr(0, whole.rfind('/'));
}

}  // namespace

std::string library_folder() { return executable_folder() + "/../lib/thalweg"; }
std::string plugin_path() { return library_folder() + "/ThalwegPasses.so"; }
std::string recorder_path() { return library_folder() + "/libthalweg_recorder.a"; }
std::string crossing_path() { return library_folder() + "/libthalweg_crossing.a"; }
std::string wrapper_path() { return executable_folder() + "/thalweg-cc"; }

}  // namespace thalweg::link
