// report: a run's functions over time, for trace viewers (the "Trace Event Format" of Chromium).
#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/functions.h"
#include "report/functions_export.h"
#include "report/names.h"

namespace thalweg::report {

namespace {

using Json = nlohmann::ordered_json;
using model::CallNode;
using model::FunctionProfile;
using model::none;

constexpr double ns_a_us = 1e3;  // the format counts in microseconds

// The functions of one thread that are running, each from its begin on.
class Lane {
  public:
    Lane(const FunctionProfile &run, Json &events, uint64_t process, uint64_t thread)
        : run_(run), events_(&events), process_(process), thread_(thread) {}

    // `node` runs from `begin` to `end`. Functions that ran until then and still do stay one box.
    void runs(uint32_t node, uint64_t begin, uint64_t end) {
        std::vector<uint32_t> stack;
        for (uint32_t at = node; at != none; at = run_.nodes[at].parent)
            stack.push_back(at);
        std::ranges::reverse(stack);
        const bool gap = begin > end_;
        size_t same = 0;
        while (!gap && same < stack.size() && same < open_.size() && open_[same].node == stack[same])
            ++same;
        close_from(same, end_);
        for (size_t i = same; i < stack.size(); ++i)
            open_.push_back({stack[i], begin});
        end_ = end;
    }
    void finish() { close_from(0, end_); }

  private:
    struct Open {
        uint32_t node;
        uint64_t begin;
    };
    void close_from(size_t first, uint64_t end) {
        while (open_.size() > first) {
            const Open &last = open_.back();
            const model::CodeFunction &function = run_.functions[run_.nodes[last.node].function];
            events_->push_back(Json{{"name", harmless(function_words(function))},
                                    {"cat", harmless(function.object)},
                                    {"ph", "X"},
                                    {"ts", static_cast<double>(last.begin) / ns_a_us},
                                    {"dur", static_cast<double>(end - std::min(end, last.begin)) / ns_a_us},
                                    {"pid", process_},
                                    {"tid", thread_}});
            open_.pop_back();
        }
    }
    const FunctionProfile &run_;
    Json *events_;
    uint64_t process_, thread_;
    std::vector<Open> open_;
    uint64_t end_ = 0;
};

Json name_of_thread(uint64_t process, uint64_t thread, const std::string &name) {
    return {
        {"name", "thread_name"}, {"ph", "M"}, {"pid", process}, {"tid", thread}, {"args", {{"name", harmless(name)}}}};
}

void add_over_time(const FunctionProfile &run, Json &events) {
    std::vector<Lane> lanes;
    std::vector<uint64_t> ends(run.threads.size());
    for (const model::SampledThread &thread : run.threads) {
        events.push_back(name_of_thread(thread.process, thread.thread, thread.name));
        lanes.emplace_back(run, events, thread.process, thread.thread);
    }
    // The first sample's time is 0, and it ends there: all begin a sample's time later.
    const uint64_t shift = run.samples.empty() ? 0 : run.samples.front().cost;
    for (const model::TimedSample &sample : run.samples) {
        const uint64_t end = sample.time_ns + shift;
        // A sample comes some microseconds early or late: what nearly meets the one before it, meets.
        constexpr uint64_t nearly = 2;
        uint64_t begin = end - std::min(end, sample.cost);
        if (begin < ends[sample.thread] + sample.cost / nearly)
            begin = std::min(ends[sample.thread], end);
        lanes[sample.thread].runs(sample.node, begin, end);
        ends[sample.thread] = end;
    }
    for (Lane &lane : lanes)
        lane.finish();
}

void add_side_by_side(const FunctionProfile &run, Json &events) {
    events.push_back(name_of_thread(1, 1, "all stacks, by cost"));
    std::vector<uint64_t> inclusive(run.nodes.size()), begin(run.nodes.size());
    for (size_t i = run.nodes.size(); i-- > 0;) {
        inclusive[i] += run.nodes[i].self;
        if (run.nodes[i].parent != none)
            inclusive[run.nodes[i].parent] += inclusive[i];
    }
    uint64_t end = 0;
    std::vector<uint64_t> next(run.nodes.size());  // where a node's next callee begins
    for (size_t i = 0; i < run.nodes.size(); ++i) {
        const CallNode &node = run.nodes[i];
        uint64_t &place = node.parent == none ? end : next[node.parent];
        begin[i] = place;
        place += inclusive[i];
        next[i] = begin[i];
        if (inclusive[i] == 0)
            continue;
        const model::CodeFunction &function = run.functions[node.function];
        events.push_back(Json{{"name", harmless(function_words(function))},
                              {"cat", harmless(function.object)},
                              {"ph", "X"},
                              {"ts", static_cast<double>(begin[i]) / ns_a_us},
                              {"dur", static_cast<double>(inclusive[i]) / ns_a_us},
                              {"pid", 1},
                              {"tid", 1}});
    }
}

}  // namespace

std::string chrome_trace(const FunctionProfile &run) {
    Json document{{"traceEvents", Json::array()}, {"displayTimeUnit", "ms"}};
    if (run.samples.empty())
        add_side_by_side(run, document["traceEvents"]);
    else
        add_over_time(run, document["traceEvents"]);
    return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace thalweg::report
