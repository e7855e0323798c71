// model: in which functions a run spent its time, as JSON (docs/formats/functions.md).
#include "model/functions.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "model/json.h"
#include "model/limits.h"

namespace thalweg::model {

namespace {

constexpr std::string_view format = "thalweg-functions";
constexpr uint32_t version = 1;
constexpr size_t max_roles = 4096;

// A list of records as one list of numbers for each of their members: there are many, and their members' names say nothing.
template <class Records, class Member>
json::Ordered column(const Records &records, Member member) {
    json::Ordered list = json::Ordered::array();
    for (const auto &record : records)
        list.push_back(record.*member);
    return list;
}

class Columns {
  public:
    Columns(json::Members &from, const char *key, size_t limit, json::Problem &problem)
        : key_(key), limit_(limit), problem_(problem), value_(from.find(key)) {
        if (value_ != nullptr)
            members_.emplace(*value_, std::string(key) + ".", problem);
    }
    template <class Record, class Number>
    void read(const char *name, std::vector<Record> &records, Number Record::*member) {
        std::vector<Number> numbers;
        if (members_)
            members_->list(name, limit_, [&](const json::Value &value, const std::string &where) {
                if (!value.is_number_unsigned() || value.get<uint64_t>() > std::numeric_limits<Number>::max())
                    return problem_.add(where + " is not a number, or too large");
                numbers.push_back(static_cast<Number>(value.get<uint64_t>()));
            });
        if (first_)
            records.resize(numbers.size());
        first_ = false;
        if (numbers.size() != records.size())
            return problem_.add(fmt::format("{}.{} has {} entries, and not {} as the others", key_, name,
                                            numbers.size(), records.size()));
        for (size_t i = 0; i < numbers.size(); ++i)
            records[i].*member = numbers[i];
    }
    void finish() {
        if (members_)
            members_->finish();
    }

  private:
    std::string key_;
    size_t limit_;
    json::Problem &problem_;
    const json::Value *value_;
    std::optional<json::Members> members_;
    bool first_ = true;
};

size_t one_of(json::Members &from, const char *key, std::span<const char *const> words, json::Problem &problem) {
    std::string text = words[0];
    from.text(key, text);
    const auto found =
        std::ranges::find(words, std::string_view(text), [](const char *w) { return std::string_view(w); });
    if (found == words.end())
        problem.add(fmt::format("{} has the unknown value \"{}\"", key, text));
    return found == words.end() ? 0 : static_cast<size_t>(found - words.begin());
}

void read_functions_list(json::Members &from, std::vector<CodeFunction> &out, json::Problem &problem) {
    from.list("functions", max_code_functions, [&](const json::Value &value, const std::string &where) {
        CodeFunction &function = out.emplace_back();
        json::Members members(value, where, problem);
        members.text("name", function.name, true);
        members.text("object", function.object);
        members.list("roles", max_roles, [&](const json::Value &inner, const std::string &place) {
            RoleOf &role = function.roles.emplace_back();
            json::Members role_members(inner, place, problem);
            role.role = static_cast<FunctionRole>(one_of(role_members, "role", function_role_words, problem));
            role_members.text("of", role.of);
            role_members.number("count", role.count);
            role_members.finish();
        });
        members.finish();
    });
}

void read_threads(json::Members &from, std::vector<SampledThread> &out, json::Problem &problem) {
    from.list("threads", max_sampled_threads, [&](const json::Value &value, const std::string &where) {
        SampledThread &thread = out.emplace_back();
        json::Members members(value, where, problem);
        members.number("process", thread.process);
        members.number("thread", thread.thread);
        members.text("name", thread.name);
        members.finish();
    });
}

json::Ordered function_json(const CodeFunction &function) {
    json::Ordered object{{"name", function.name}, {"object", function.object}};
    for (const RoleOf &role : function.roles)
        object["roles"].push_back(json::Ordered{{"role", word(role.role)}, {"of", role.of}, {"count", role.count}});
    return object;
}

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

std::string write_functions(const FunctionProfile &profile) {
    json::Ordered document = json::document(format, version);
    document["command"] = profile.command;
    document["exit_code"] = profile.exit_code;
    document["tool"] = profile.tool;
    document["unit"] = word(profile.unit);
    document["problems"] = profile.problems;
    document["functions"] = json::Ordered::array();
    for (const CodeFunction &function : profile.functions)
        document["functions"].push_back(function_json(function));
    document["nodes"] = {{"parent", column(profile.nodes, &CallNode::parent)},
                         {"function", column(profile.nodes, &CallNode::function)},
                         {"self", column(profile.nodes, &CallNode::self)},
                         {"count", column(profile.nodes, &CallNode::count)}};
    document["threads"] = json::Ordered::array();
    for (const SampledThread &thread : profile.threads)
        document["threads"].push_back(
            json::Ordered{{"process", thread.process}, {"thread", thread.thread}, {"name", thread.name}});
    document["samples"] = {{"time_ns", column(profile.samples, &TimedSample::time_ns)},
                           {"cost", column(profile.samples, &TimedSample::cost)},
                           {"thread", column(profile.samples, &TimedSample::thread)},
                           {"node", column(profile.samples, &TimedSample::node)}};
    return json::print(document);
}

Result<FunctionProfile> read_functions(const std::string &text) {
    Result<json::Value> document = json::parse(text, format, version);
    if (!document)
        return document.error();
    FunctionProfile profile;
    json::Problem problem;
    json::Members members(*document, "", problem);
    members.texts("command", max_calls, profile.command);
    members.number("exit_code", profile.exit_code);
    members.text("tool", profile.tool, true);
    profile.unit = static_cast<CostUnit>(one_of(members, "unit", cost_unit_words, problem));
    members.texts("problems", max_reasons, profile.problems);
    read_functions_list(members, profile.functions, problem);
    Columns nodes(members, "nodes", max_call_nodes, problem);
    nodes.read("parent", profile.nodes, &CallNode::parent);
    nodes.read("function", profile.nodes, &CallNode::function);
    nodes.read("self", profile.nodes, &CallNode::self);
    nodes.read("count", profile.nodes, &CallNode::count);
    nodes.finish();
    read_threads(members, profile.threads, problem);
    Columns samples(members, "samples", max_timed_samples, problem);
    samples.read("time_ns", profile.samples, &TimedSample::time_ns);
    samples.read("cost", profile.samples, &TimedSample::cost);
    samples.read("thread", profile.samples, &TimedSample::thread);
    samples.read("node", profile.samples, &TimedSample::node);
    samples.finish();
    members.finish();
    if (problem.any())
        return json::does_not_fit(format, problem);
    if (const Status valid = validate(profile); !valid)
        return valid.error();
    return profile;
}

}  // namespace thalweg::model
