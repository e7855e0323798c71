// link: what a program has of the linker that its own build used (GNU ld, mostly), and that lld would make in another way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "link/link_record.h"

namespace thalweg::link {

// An error if lld would link a program that behaves differently: it does not run constructors in .ctors sections, and it orders relocations so that
// an IFUNC resolver may run before the functions that it calls are resolved. `program`: the file that the build made.
Status check_linker(const LinkRecord &record, const std::string &program);

// What `program` exports to its shared libraries, as a list for lld's --dynamic-list. It is needed because lld does not export symbols that only a
// library of a library refers to. Empty: nothing is exported, or `program` is a shared library, whose exports its own link determines.
std::string exported_list(const std::string &program);

// Words for lld by which it hides what the build's linker hid: the ends of sections whose names are C identifiers.
std::vector<std::string> hiding_words(const std::string &program);

}  // namespace thalweg::link
