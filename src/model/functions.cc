// model: in which functions a run spent its time, as JSON (docs/formats/functions.md).
#include "model/functions.h"

#include "model/json_fields.h"
#include "model/limits.h"

namespace thalweg::model {

namespace fields {

template <>
struct Of<RoleOf> {
    static constexpr std::tuple rows{key("role", &RoleOf::role, function_role_words), value("of", &RoleOf::of),
                                     value("count", &RoleOf::count)};
};

template <>
struct Of<CodeFunction> {
    static constexpr size_t max_roles = 4096;
    static constexpr std::tuple rows{name("name", &CodeFunction::name), value("object", &CodeFunction::object),
                                     objects("roles", &CodeFunction::roles, max_roles).sparse()};
};

template <>
struct Of<CallNode> {
    static constexpr std::tuple rows{value("parent", &CallNode::parent), value("function", &CallNode::function),
                                     value("self", &CallNode::self), value("count", &CallNode::count)};
};

template <>
struct Of<SampledThread> {
    static constexpr std::tuple rows{value("process", &SampledThread::process), value("thread", &SampledThread::thread),
                                     value("name", &SampledThread::name)};
};

template <>
struct Of<TimedSample> {
    static constexpr std::tuple rows{value("time_ns", &TimedSample::time_ns), value("cost", &TimedSample::cost),
                                     value("thread", &TimedSample::thread), value("node", &TimedSample::node)};
};

template <>
struct Of<FunctionProfile> {
    static constexpr std::tuple rows{values("command", &FunctionProfile::command, max_calls),
                                     value("exit_code", &FunctionProfile::exit_code),
                                     value("tool", &FunctionProfile::tool).needed(),
                                     key("unit", &FunctionProfile::unit, cost_unit_words),
                                     values("problems", &FunctionProfile::problems, max_reasons),
                                     objects("functions", &FunctionProfile::functions, max_code_functions),
                                     columns("nodes", &FunctionProfile::nodes, max_call_nodes),
                                     objects("threads", &FunctionProfile::threads, max_sampled_threads),
                                     columns("samples", &FunctionProfile::samples, max_timed_samples)};
};

}  // namespace fields

namespace {

constexpr std::string_view format = "thalweg-functions";
constexpr uint32_t version = 1;

Status validate_nodes(const FunctionProfile &profile) {
    std::vector<uint32_t> depth(profile.nodes.size(), 1);
    uint64_t total = 0;
    for (size_t i = 0; i < profile.nodes.size(); ++i) {
        const CallNode &node = profile.nodes[i];
        if (node.function >= profile.functions.size())
            return fail(ErrorCode::does_not_fit, "functions: node {} is of function {} of {}", i, node.function,
                        profile.functions.size());
        if (node.parent != none && node.parent >= i)
            return fail(ErrorCode::does_not_fit, "functions: node {} is called by node {}, which is not before it", i,
                        node.parent);
        if (node.parent != none)
            depth[i] = depth[node.parent] + 1;
        if (depth[i] > max_call_depth)
            return fail(ErrorCode::does_not_fit, "functions: node {} has more than {} callers", i, max_call_depth);
        if (node.self > max_count - total)
            return fail(ErrorCode::does_not_fit, "functions: all costs together are more than {}", max_count);
        total += node.self;
    }
    return Done{};
}

}  // namespace

Status validate(const FunctionProfile &profile) {
    if (const Status nodes = validate_nodes(profile); !nodes)
        return nodes;
    uint64_t before = 0;
    for (const TimedSample &sample : profile.samples) {
        if (sample.node >= profile.nodes.size() || sample.thread >= profile.threads.size())
            return fail(ErrorCode::does_not_fit, "functions: a sample is of node {} and thread {}; there are {} and {}",
                        sample.node, sample.thread, profile.nodes.size(), profile.threads.size());
        if (sample.time_ns < before)
            return fail(ErrorCode::does_not_fit, "functions: a sample at {} ns stands behind one at {} ns",
                        sample.time_ns, before);
        before = sample.time_ns;
    }
    return Done{};
}

std::string write_functions(const FunctionProfile &profile) { return json::write_document(format, version, profile); }

Result<FunctionProfile> read_functions(const std::string &text) {
    return json::read_document<FunctionProfile>(text, format, version);
}

}  // namespace thalweg::model
