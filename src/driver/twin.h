// driver: the instrumented twin of a program: linked when needed, kept beside the program, found again by what it is made of.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "link/opened_program.h"
#include "model/site.h"
#include "record/build_profile.h"

namespace thalweg::driver {

struct Twin {
    std::string path;
    model::SiteTable table;
    link::OpenedProgram original;
    std::vector<record::GuardName> guards;  // of an optimised program, by decision
    bool linked_now = false;
    bool by_units = false;  // linked by ThinLTO; it counts for LLVM's own runtime, and nothing else is recorded
    std::string
        part;  // of a shared library: the folder in that of a recording for its raw files; empty: that folder itself
};

// Of a program, or of a shared library. The twin stands in its own folder (as a hidden file), because programs look for their things beside themselves. That of
// a program out of a bundle goes away with it.
// `objects`: the folder in which the program was built; empty: its own. By units only of a program that was not optimised.
Result<Twin> make_twin(const std::string &program, const std::string &objects, bool by_units = false);

}  // namespace thalweg::driver
