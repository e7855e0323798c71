// report: what a run's work was, as text.
#include "report/workload.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "report/names.h"
#include "report/text_table.h"

namespace thalweg::report {

namespace {

using model::AdviceKind;
using model::CallCount;
using model::Workload;

std::string seconds(uint64_t us) { return fmt::format("{:.2f} s", static_cast<double>(us) * 1e-6); }

std::string times(const Workload &w) {
    std::string text = fmt::format(
        "  real     {:>9}\n  user     {:>9}{}\n  system   {:>9}{}\n", seconds(w.real_us), seconds(w.usage.user_us),
        w.children.user_us == 0 ? "" : fmt::format("   children's: {}", seconds(w.children.user_us)),
        seconds(w.usage.system_us),
        w.children.system_us == 0 ? "" : fmt::format("   children's: {}", seconds(w.children.system_us)));
    text +=
        fmt::format("  ready    {:>9}   in which it could have run, and no processor was free\n", seconds(w.ready_us));
    text += fmt::format("  memory   {:>9} KiB at most; page faults: {}, of them {} from a disk\n",
                        grouped(w.usage.max_rss_kib), grouped(w.usage.minor_faults + w.usage.major_faults),
                        grouped(w.usage.major_faults));
    text += fmt::format("  switches {:>9} when it waited, {} when its turn was over\n",
                        grouped(w.usage.voluntary_switches), grouped(w.usage.involuntary_switches));
    return text + fmt::format("  disk     {:>9} KiB read, {} KiB written\n", grouped(w.usage.blocks_in / 2),
                              grouped(w.usage.blocks_out / 2));
}

// As many stretches as fit on a line of a terminal, a digit each: tenths of one processor.
std::string over_time(const Workload &w) {
    constexpr size_t most_columns = 60;
    if (w.samples.size() < 2)
        return {};
    const size_t together = (w.samples.size() + most_columns - 1) / most_columns;
    std::string user, system;
    uint64_t begin_us = 0;
    for (size_t i = 0; i < w.samples.size(); i += together) {
        const size_t end = std::min(i + together, w.samples.size());
        uint64_t user_us = 0, system_us = 0;
        for (size_t k = i; k < end; ++k) {
            user_us += w.samples[k].user_us;
            system_us += w.samples[k].system_us;
        }
        const uint64_t long_us = std::max<uint64_t>(w.samples[end - 1].end_us - begin_us, 1);
        begin_us = w.samples[end - 1].end_us;
        const auto digit = [&](uint64_t us) { return "0123456789+"[std::min<uint64_t>(us * 10 / long_us, 10)]; };
        user += digit(user_us);
        system += digit(system_us);
    }
    return fmt::format(
        "  over time, in tenths of a processor (+: one or more), {:.2f} s a column\n    user   {}\n    system {}\n",
        static_cast<double>(w.samples.back().end_us) * 1e-6 / static_cast<double>(user.size()), user, system);
}

std::string errors_of(const CallCount &call) {
    std::string text;
    for (const model::ErrorCount &error : call.errors)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(error.count), error.error);
    return text;
}

std::string call_table(const std::vector<CallCount> &calls, const TextStyle &style) {
    TextTable table({">seconds", ">us a call", ">calls", "call", "errors"});
    for (const CallCount &call : calls) {
        const double time_s = static_cast<double>(call.time_ns) * 1e-9;
        table.row({fmt::format("{:.6f}", time_s),
                   fmt::format("{:.1f}", time_s * 1e6 / static_cast<double>(std::max<uint64_t>(call.count, 1))),
                   grouped(call.count), call.name, errors_of(call)});
    }
    return table.text(style);
}

std::string repeated_table(const Workload &w, const TextStyle &style) {
    std::vector<const model::RepeatedCalls *> order;
    for (const model::RepeatedCalls &calls : w.repeated)
        order.push_back(&calls);
    std::ranges::sort(order, [](const model::RepeatedCalls *a, const model::RepeatedCalls *b) {
        return std::tie(b->calls, a->name) < std::tie(a->calls, b->name);
    });
    std::vector<std::string> columns = {">calls", ">different"};
    for (const size_t size : model::cache_sizes)
        columns.push_back(fmt::format(">{}", size));
    columns.insert(columns.end(), {">changed", ">cache", "call", "most often", "why"});
    TextTable table(columns);
    for (const model::RepeatedCalls *calls : order) {
        std::vector<std::string> row = {grouped(calls->calls), grouped(calls->arguments)};
        for (const uint64_t hits : calls->hits)
            row.push_back(
                percent(static_cast<double>(hits) / static_cast<double>(std::max<uint64_t>(calls->calls, 1))));
        row.insert(row.end(),
                   {grouped(calls->changed), calls->entries == 0 ? "none" : std::to_string(calls->entries), calls->name,
                    fmt::format("{} x {}", grouped(calls->commonest.count), calls->commonest.arguments), calls->why});
        table.row(std::move(row));
    }
    return heading("Repeated calls: how many of them a cache of 1, 16, 64 results would have answered (section 4.7)",
                   style) +
           table.text(style);
}

std::string written_table(const Workload &w, const TextStyle &style) {
    if (w.written.empty())
        return {};
    TextTable table({">writes", ">bytes each", ">synced", "file", "why"});
    for (const model::WrittenFile &file : w.written)
        table.row({grouped(file.calls), grouped(file.bytes / std::max<uint64_t>(file.calls, 1)), grouped(file.synced),
                   file.file, file.why});
    return heading("Files written to: whether a buffer would make fewer writes (section 4.4)", style) +
           table.text(style);
}

std::string thread_table(const Workload &w, const TextStyle &style) {
    if (w.threads.size() < 2)
        return {};
    TextTable table({">process", ">thread", ">user", ">system", ">ready", ">calls", "name"});
    for (const model::ThreadWork &thread : w.threads) {
        uint64_t calls = 0;
        for (const CallCount &call : thread.calls)
            calls += call.count;
        table.row({std::to_string(thread.process), thread.thread == 0 ? "several" : std::to_string(thread.thread),
                   seconds(thread.user_us), seconds(thread.system_us), seconds(thread.ready_us),
                   w.traced ? grouped(calls) : "-", thread.name});
    }
    return heading("Threads, as they were last seen", style) + table.text(style);
}

std::string advice_of(const Workload &w, AdviceKind kind, std::string_view title) {
    std::string text;
    for (const model::Advice &advice : w.advice)
        if (advice.kind == kind)
            text += fmt::format("  {:<9}{}\n", text.empty() ? title : "", harmless(advice.text));
    return text;
}

}  // namespace

std::string text_workload(const Workload &w, const TextStyle &style) {
    std::string command;
    for (const std::string &word : w.command)
        command += (command.empty() ? "" : " ") + word;
    std::string text = marked(fmt::format("{}: {}", harmless(command), word(w.kind)), style) + "\n";
    text += fmt::format("  why      {}\n", harmless(w.why));
    text += advice_of(w, AdviceKind::seen, "seen");
    text += advice_of(w, AdviceKind::diagnose, "look at");
    text += advice_of(w, AdviceKind::resolve, "ways out");
    for (const std::string &problem : w.problems)
        text += fmt::format("  not all  {}\n", harmless(problem));
    text += "\n" + times(w) + over_time(w);
    if (w.traced)
        text += heading("System calls; times are longer than without counting them", style) +
                call_table(w.calls, style) + repeated_table(w, style) + written_table(w, style);
    return text + thread_table(w, style);
}

}  // namespace thalweg::report
