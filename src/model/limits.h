// model: how large an artefact may be. What is larger is refused by every reader, so that hostile bytes cost bounded
// memory; no real program comes near (a browser has some 300,000 functions, and fewer have their address taken).
#pragma once

#include <cstddef>
#include <cstdint>

namespace thalweg::model {

inline constexpr size_t max_sites = 1u << 20;
inline constexpr size_t max_symbols = 1u << 20;
inline constexpr size_t max_events = 1u << 20;
inline constexpr size_t max_edges = 4u << 20;
inline constexpr size_t max_sequences = 4u << 20;
inline constexpr size_t max_nestings = 4u << 20;
inline constexpr size_t max_guards = 1u << 20;
// All targets of all sequences of a profile, or of all decisions of a plan.
inline constexpr size_t max_targets = 16u << 20;
// System calls of one decision: no sequence of a program's hot path is nearly so long.
inline constexpr size_t max_group = 4096;
// Procedures that one decision's user has declared independent: a program's interfaces have some tens.
inline constexpr size_t max_independent = 4096;
inline constexpr size_t max_decisions = 1u << 20;
// Functions that one function calls directly.
inline constexpr size_t max_calls = 1u << 16;
// All facts of all decisions of a plan, all places of generic code of a program.
inline constexpr size_t max_facts = 1u << 20;
// Values of one fact, and steps of one path: each value is a test in the program, each step a load.
inline constexpr size_t max_fact_values = 16;
inline constexpr size_t max_fact_path = 16;
// All lines of all decisions of an outcome, and reasons of one of them.
inline constexpr size_t max_outcome_lines = 1u << 20;
inline constexpr size_t max_reasons = 64;
// All counters of a program: a browser has some five for each of its functions.
inline constexpr size_t max_counters = 16u << 20;
// Shared libraries of one program that thalweg-cc linked: a browser loads some hundreds, most of them the system's.
inline constexpr size_t max_libraries = 1u << 10;
// Runs of one comparison: at one a second, more than a day; and outputs of a program that are compared.
inline constexpr size_t max_runs = 1u << 17;
inline constexpr size_t max_compared = 1u << 12;
// SQLite and TOML integers are signed; a count at this limit would take 292 years at one every nanosecond.
inline constexpr uint64_t max_count = INT64_MAX;
// A name, a path, a reason. Mangled C++ names of 64 KiB have been seen in the wild; ten times that have not.
inline constexpr size_t max_string_bytes = 1u << 20;

}  // namespace thalweg::model
