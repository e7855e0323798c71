// link: does a command line ask for a program that watches itself, and so stays as the compiler alone makes it?
#pragma once

#include <string>
#include <vector>

namespace thalweg::link {

// The word that asks for it; empty: none does. Sanitizers with a runtime that watches memory, threads or inputs, counters of
// profiles and coverage, and call tracing put code into each function before bitcode is kept: compiled twice, as fat objects
// are, that code is wrong (AddressSanitizer crashes before main) or counts twice, and such a program isn't built for its speed.
// -fsanitize=undefined and the like are plain checks in the program's code and aren't meant.
std::string instrumented_by(const std::vector<std::string> &words);

}  // namespace thalweg::link
