// abi: names that the program, the runtime and the plug-in know each other by, beside those of declared functions and variables.
#pragma once

#include <thalweg/abi.h>

extern "C" {
// The ends of the sections below, as linkers name them. A program that was not optimised has neither section.
extern const thalweg_path __start_thalweg_paths[] __attribute__((weak));
extern const thalweg_path __stop_thalweg_paths[] __attribute__((weak));
extern const thalweg_group __start_thalweg_groups[] __attribute__((weak));
extern const thalweg_group __stop_thalweg_groups[] __attribute__((weak));
}

namespace thalweg::abi {

inline constexpr char paths_section[] = "thalweg_paths";
inline constexpr char groups_section[] = "thalweg_groups";
// Of an optimised program, where the plan that made it stands. Named like debug information, so that `strip` takes it.
inline constexpr char plan_section[] = ".debug_thalweg_plan";
// The program's own functions whose address is taken, where calls through pointers are told apart.
inline constexpr char own_functions_section[] = "thalweg_own";

// What the names of functions begin with: of the C interface, and as C++ mangles them.
inline constexpr char c_prefix[] = "thalweg_";
inline constexpr char cxx_prefix[] = "_ZN7thalweg";
// The runtime's raise of an event with declared types, in C and in C++.
inline constexpr char declared_raise_prefix[] = "thalweg_raise_declared";
// What the recorder has, or the plug-in makes for it.
inline constexpr char probe_prefix[] = "thalweg_probe_";
inline constexpr char crossing_prefix[] = "thalweg_crossing_";
// Among the functions whose blocks a twin counts: the calls that print or read, in the order of their sites.
inline constexpr char output_counters[] = "thalweg.output";
// And each function that gives or takes small blocks, behind these words, with two counters: how often it was called, and how often without the library.
inline constexpr char block_counters[] = "thalweg.blocks.";

}  // namespace thalweg::abi
