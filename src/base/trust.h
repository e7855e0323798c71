// base: who can change a file. What is executed or loaded must be changeable by its user and root alone.
#pragma once

#include <string>

#include "base/result.h"

namespace thalweg {

// Trusted owners: this process's user, root, and the owner of a container, whom it sees as an unmapped id. A group may write
// where it is the user's own: of the user's name, with no other member (the default of Debian's and Fedora's adduser).

// Nobody else can change the file at `path` or replace it: it is a regular file with one name and a trusted owner, writable by
// nobody else, and nobody else can replace a folder above it. An error where `path` leads through a symbolic link.
Status check_trusted_file(const std::string &path);

// A folder in which nobody else makes or removes files. The result is the path to use from now on: no symbolic link is in it,
// so that nobody can lead it elsewhere after this check.
Result<std::string> trusted_folder(const std::string &path);

// The folder `path` itself has a trusted owner, is writable by nobody else, and is no symbolic link. What stands above it isn't
// looked at.
Status check_own_folder(const std::string &path);

// As `trusted_folder`, and the folder may be one that all users write to if it is sticky (/tmp): what is made there with O_EXCL stays its
// maker's.
Result<std::string> trusted_or_sticky_folder(const std::string &path);

}  // namespace thalweg
