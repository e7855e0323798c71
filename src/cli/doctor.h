// cli: what `thalweg doctor` finds, on the machine and in a program.
#pragma once

#include <string>
#include <vector>

namespace thalweg::cli {

// remark: it works, but less well, or not for everything.
enum class Health { ok, remark, problem };

struct Finding {
    std::string what;
    Health health = Health::ok;
    std::string text;
    std::string advice;  // what to do; empty when all is well
};

struct ObjectFinding {
    std::string name;
    Health health = Health::ok;
    bool has_bitcode = false;
    std::string level;
    std::string text;
    bool has_debug_info = false;
};

// Each object file and archive member that the program was linked from.
// `folder`: where the program was built; empty: its own.
void examine_program(const std::string &program, const std::string &folder, std::vector<Finding> &findings,
                     std::vector<ObjectFinding> &objects);

}  // namespace thalweg::cli
