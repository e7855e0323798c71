// link: what a program has of the linker that its own build used (GNU ld, mostly), and that lld would make in another way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "link/link_record.h"

namespace thalweg::link {

// An error where lld's program would do something else: constructors in sections .ctors, which it never runs; functions chosen by a resolver (IFUNC)
// where the loader resolves them before the resolver's own calls. `program`: the file that the build made.
Status check_linker(const LinkRecord &record, const std::string &program);

// A version list of what `program` exports to the libraries that it is loaded with, for lld's --dynamic-list; empty: nothing, or it is a shared
// library, which says so itself. lld sees fewer of the symbols that a library's library wants.
std::string exported_list(const std::string &program);

// Words for lld by which it hides what the build's linker hid: the ends of sections whose names are C identifiers.
std::vector<std::string> hiding_words(const std::string &program);

}  // namespace thalweg::link
