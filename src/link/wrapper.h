// link: `thalweg-cc` and `thalweg-c++`, a compiler driver that keeps bitcode and remembers the link.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace thalweg::link {

// What a person must know of a build that goes on: one sentence.
using Teller = void (*)(const std::string &sentence);

// `words`: argv without argv[0]. Runs the compiler; the exit code to end with. Where nothing of ours is to be done after
// it, the compiler takes this process's place and the call does not return.
Result<int> run_wrapper(const std::string &driver, const std::vector<std::string> &words, Teller tell);

}  // namespace thalweg::link
