// link: which words of a link its record holds, and how they name the files of the build.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "link/build_folders.h"
#include "link/command_line.h"

namespace thalweg::link {

// Files that the linker reads because an option behind -Wl names them.
std::vector<std::string> scripts_in(const std::string &word);

using PathName = std::function<std::string(const std::string &path)>;
// A word with the paths of folders of libraries and of scripts as `named` gives them.
std::string with_paths(std::string word, const PathName &named);
bool is_path_option(const std::string &word);  // -L and the like: the next word is a path

// Without the output, and without what concerns the compilation alone: such words (-I, -ffile-prefix-map=) often hold the
// checkout's absolute folder. The paths of inputs, folders of libraries and scripts are as `folders` names them.
std::vector<std::string> recorded_words(const CommandLine &line, const BuildFolders &folders);

}  // namespace thalweg::link
