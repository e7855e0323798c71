// report: system calls as text, and their graph for graphviz and as rows.
#include "report/system_call.h"
#include "report/costs.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/quoted.h"
#include "report/text.h"
#include "report/text_table.h"

namespace thalweg::report {

using model::Profile;

namespace {

struct Dependence {
    const char *words;
    uint64_t model::SystemCallEdge::*times;
};
constexpr Dependence dependences[] = {
    {"same descriptor", &model::SystemCallEdge::same_descriptor},
    {"same buffer", &model::SystemCallEdge::same_buffer},
    {"result is size", &model::SystemCallEdge::result_is_size},
    {"adjacent", &model::SystemCallEdge::adjacent},
};

std::string calls_table(const Profile &profile, const TextStyle &style) {
    std::vector<const model::NotedSystemCall *> order;
    for (const model::NotedSystemCall &one : profile.system_calls)
        order.push_back(&one);
    std::sort(order.begin(), order.end(), [](const auto *a, const auto *b) {
        return a->calls != b->calls ? a->calls > b->calls : a->site < b->site;
    });
    TextTable table(
        {">calls", ">errors", ">ends", ">short", ">bytes asked", ">bytes given", ">time in it", "call", "at"});
    for (const model::NotedSystemCall *one : order) {
        const model::Site &site = profile.sites[one->site];
        table.row({grouped(one->calls), grouped(one->errors), grouped(one->zeros), grouped(one->shorts),
                   grouped(one->asked_bytes), grouped(one->given_bytes), mean_time(one->inside_ns, one->timed),
                   site.callee, place_words(site)});
    }
    return heading("System calls", style) + table.text(style);
}

std::string output_table(const Profile &profile, const TextStyle &style) {
    std::vector<model::NotedOutput> order = profile.output_calls;
    std::sort(order.begin(), order.end(),
              [](auto &a, auto &b) { return a.calls != b.calls ? a.calls > b.calls : a.site < b.site; });
    TextTable table({">calls", "call", "at"});
    for (const model::NotedOutput &one : order)
        table.row({grouped(one.calls), profile.sites[one.site].callee, place_words(profile.sites[one.site])});
    return heading("Calls that print or read", style) + table.text(style);
}

std::string blocks_table(const Profile &profile, const TextStyle &style) {
    TextTable table({">calls", ">served", ">share", "function"});
    for (const model::NotedBlocks &one : profile.block_calls)
        table.row({grouped(one.calls), grouped(one.served),
                   percent(static_cast<double>(one.served) / static_cast<double>(std::max<uint64_t>(one.calls, 1))),
                   one.callee});
    return heading("Small blocks of memory, and calls that a thread's own lists served", style) + table.text(style);
}

std::string edges_table(const Profile &profile, const model::SystemCallGraph &graph, const TextStyle &style) {
    TextTable table({">weight", ">own code between", ">shortest", ">timed", "from", "to", "depends by"});
    for (const model::SystemCallEdge &edge : graph.edges)
        table.row({grouped(edge.weight), mean_time(edge.between_ns, edge.timed),
                   mean_time(edge.least_ns, edge.timed == 0 ? 0 : 1), grouped(edge.timed),
                   call_words(profile.sites[edge.from]), call_words(profile.sites[edge.to]), dependence_words(edge)});
    const std::string title = fmt::format("System-call graph, eta {}: {} of {} edges", grouped(graph.eta),
                                          grouped(graph.edges.size()), grouped(profile.system_call_edges.size()));
    return heading(title, style) + table.text(style) + clock_words(profile.call_clock) + "\n";
}

std::string sequences_table(const Profile &profile, const model::SystemCallGraph &graph, const TextStyle &style) {
    TextTable table({">weight", ">repeated", "calls"});
    for (const model::CallSequence &sequence : graph.sequences) {
        std::string words;
        for (const uint32_t site : sequence.sites)
            words += (words.empty() ? "" : " -> ") + profile.sites[site].callee;
        const model::Site &first = profile.sites[sequence.sites.front()];
        table.row({grouped(sequence.weight), grouped(sequence.repeats), words + " (" + place_words(first) + ")"});
    }
    return heading("Hottest sequences of system calls", style) + table.text(style);
}

std::string releases_table(const Profile &profile, const TextStyle &style) {
    if (profile.releases.empty())
        return {};
    TextTable table({">count", "given by", "given back by"});
    for (const model::Release &one : profile.releases)
        table.row({grouped(one.count), call_words(profile.sites[one.from]), call_words(profile.sites[one.to])});
    return heading("Large blocks of memory", style) + table.text(style);
}

}  // namespace

// A trace without stacks has no functions: its sites are called as their calls.
std::string call_words(const model::Site &site) {
    const bool has_place = site.function != site.callee || !site.place.file.empty();
    return has_place ? site.callee + ", " + place_words(site) : site.callee;
}

std::string clock_words(model::CallClock clock) {
    switch (clock) {
    case model::CallClock::none:
        return "How long calls and the program's own code between them take is unknown: nothing was timed.";
    case model::CallClock::probes:
        return "Times are of a sample of the calls, in the instrumented program; the mean has other processes' turns "
               "in it, the shortest has not.";
    case model::CallClock::strace:
        return "Times are measured under strace: it stops the program at each call, which is most of a short time.";
    case model::CallClock::perf:
        return "Times are measured under perf's tracepoints, whose own work at each call is part of them.";
    case model::CallClock::several:
        break;
    }
    return "Times are of runs under different tools, whose own work at each call is part of them.";
}

std::string mean_time(uint64_t total_ns, uint64_t timed) {
    if (timed == 0)
        return "unknown";
    return duration(static_cast<double>(total_ns) / static_cast<double>(timed));
}

std::string dependence_words(const model::SystemCallEdge &edge) {
    std::string words;
    for (const Dependence &one : dependences) {
        const uint64_t times = edge.*one.times;
        if (times == 0)
            continue;
        words += (words.empty() ? "" : ", ") + std::string(one.words);
        if (times < edge.weight)
            words += " " + percent(static_cast<double>(times) / static_cast<double>(edge.weight));
    }
    return words;
}

std::string text_system_calls(const Profile &profile, const model::SystemCallGraph &graph, const TextStyle &style) {
    const std::string library = (profile.output_calls.empty() ? "" : output_table(profile, style)) +
                                (profile.block_calls.empty() ? "" : blocks_table(profile, style));
    if (profile.system_calls.empty())
        return library;
    return library + calls_table(profile, style) + edges_table(profile, graph, style) +
           sequences_table(profile, graph, style) + releases_table(profile, style);
}

std::string dot_system_calls(const Profile &profile, const model::SystemCallGraph &graph) {
    std::string text = "digraph system_calls {\n  node [shape=box, style=rounded];\n";
    std::vector<bool> shown(profile.sites.size());
    for (const model::SystemCallEdge &edge : graph.edges)
        shown[edge.from] = shown[edge.to] = true;
    for (size_t i = 0; i < shown.size(); ++i)
        if (shown[i])
            text += fmt::format("  c{} [label={}];\n", i, dot_string(call_words(profile.sites[i])));
    // Dashed: nothing but the order ties the two together.
    for (const model::SystemCallEdge &edge : graph.edges) {
        std::string words = dependence_words(edge);
        const bool is_tied = !words.empty();
        if (edge.timed != 0)
            words += (is_tied ? "; " : "") + mean_time(edge.between_ns, edge.timed) + " between";
        text += fmt::format("  c{} -> c{} [label={}, penwidth={:.2f}{}];\n", edge.from, edge.to,
                            dot_string(fmt::format("{}{}{}", edge.weight, words.empty() ? "" : ": ", words)),
                            pen_width(edge.weight, graph.edges.front().weight), is_tied ? "" : ", style=dashed");
    }
    return text + "}\n";
}

std::string csv_system_calls(const Profile &profile, const model::SystemCallGraph &graph) {
    std::string text =
        "from_call,from_place,to_call,to_place,weight,same_descriptor,same_buffer,result_is_size,adjacent,"
        "timed,between_ns,least_ns\r\n";
    for (const model::SystemCallEdge &edge : graph.edges) {
        const model::Site &from = profile.sites[edge.from], &to = profile.sites[edge.to];
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\r\n", csv_string(from.callee),
                            csv_string(place_words(from)), csv_string(to.callee), csv_string(place_words(to)),
                            edge.weight, edge.same_descriptor, edge.same_buffer, edge.result_is_size, edge.adjacent,
                            edge.timed, edge.between_ns, edge.least_ns);
    }
    return text;
}

}  // namespace thalweg::report
