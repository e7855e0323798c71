// model: in which functions a run spent its time, and who called them. JSON (docs/formats/functions.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/profile.h"

namespace thalweg::model {

enum class CostUnit { nanoseconds, instructions };
inline constexpr std::array<const char *, 2> cost_unit_words = {"ns", "instructions"};
inline const char *word(CostUnit unit) { return cost_unit_words[static_cast<size_t>(unit)]; }

// What a function is to the program's events and crossings. handler: of an event. dispatch: an event's handlers are called
// in it. layer: of which a plan makes code for facts. wait: a tamed function waits in it. system_call: the library's
// function for one.
enum class FunctionRole { handler, dispatch, layer, wait, system_call };
inline constexpr std::array<const char *, 5> function_role_words = {"handler", "dispatch", "layer", "wait",
                                                                    "system call"};
inline const char *word(FunctionRole role) { return function_role_words[static_cast<size_t>(role)]; }

struct RoleOf {
    FunctionRole role = FunctionRole::handler;
    std::string of;  // the event, or the call
    uint64_t count = 0;  // how often, in the profile that says it; 0: not told there
    auto operator<=>(const RoleOf &) const = default;
};

struct CodeFunction {
    std::string name;  // linker name; "[unknown]" where the object has none for the place
    std::string object;  // the file that holds the code
    std::vector<RoleOf> roles;
    bool operator==(const CodeFunction &) const = default;
};

// A function as one chain of callers reached it: a node of the tree of calls.
struct CallNode {
    uint32_t parent = none;  // an earlier node; none: it is nobody's callee
    uint32_t function = none;
    uint64_t self = 0;  // its own cost, without its callees'
    uint64_t count = 0;  // perf: samples in the function itself. callgrind: calls
    auto operator<=>(const CallNode &) const = default;
};

struct SampledThread {
    uint64_t process = 0;
    uint64_t thread = 0;
    std::string name;
    auto operator<=>(const SampledThread &) const = default;
};

struct TimedSample {
    uint64_t time_ns = 0;  // since the first one
    uint64_t cost = 0;
    uint32_t thread = 0;  // index into threads
    uint32_t node = 0;
    auto operator<=>(const TimedSample &) const = default;
};

struct FunctionProfile {
    std::vector<std::string> command;
    uint32_t exit_code = 0;  // 128 + signal when a signal ended it
    std::string tool;  // that measured it: "perf", "callgrind"
    CostUnit unit = CostUnit::nanoseconds;
    std::vector<CodeFunction> functions;
    std::vector<CallNode> nodes;
    std::vector<SampledThread> threads;
    std::vector<TimedSample> samples;  // in the order of time; none where the tool tells no times
    std::vector<std::string> problems;
    bool operator==(const FunctionProfile &) const = default;
};

// perf's samples of an hour at 999 a second, callgrind's contexts of a compiler's run.
inline constexpr size_t max_code_functions = 1u << 20;
inline constexpr size_t max_call_nodes = 4u << 20;
inline constexpr size_t max_timed_samples = 4u << 20;
inline constexpr size_t max_sampled_threads = 1u << 16;
// The kernel keeps 127 callers of a sample; more is no stack of anybody's.
inline constexpr size_t max_call_depth = 1024;

Status validate(const FunctionProfile &profile);
std::string write_functions(const FunctionProfile &profile);
Result<FunctionProfile> read_functions(const std::string &text);

}  // namespace thalweg::model
