// plan: the class of a run's work after Spinellis's Table 4.1, and what follows from it.
#include "plan/workload.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace thalweg::plan {

namespace {

using model::AdviceKind;
using model::CallCount;
using model::WorkClass;
using model::Workload;

constexpr double us = 1e-6;

// The run's times as Table 4.1 has them, "on an otherwise idle system" (section 4.1.1): there a thread that is ready runs, and
// the run is shorter by the time in which it was ready and did not. Several threads' times are added up.
struct Profile {
    explicit Profile(const Workload &w)
        : real(static_cast<double>(std::max<uint64_t>(w.real_us, 1))), user(static_cast<double>(w.usage.user_us)),
          kernel(static_cast<double>(w.usage.system_us)), ready(static_cast<double>(w.ready_us)) {}
    double cpu() const { return user + kernel; }
    double real_when_alone() const { return std::max({real - ready, cpu(), 1.0}); }
    double idle() const { return real_when_alone() - std::min(cpu(), real_when_alone()); }
    double idle_share() const { return 1 - std::min(1.0, cpu() / real_when_alone()); }
    double user_share() const { return user / real_when_alone(); }

    double real, user, kernel, ready;
};

uint64_t all_calls(const Workload &w) {
    uint64_t sum = 0;
    for (const CallCount &call : w.calls)
        sum += call.count;
    return sum;
}

uint64_t asks(const Workload &w) {
    uint64_t sum = 0;
    for (const CallCount &call : w.calls)
        sum += call.without_waiting;
    return sum;
}

double tracing_us(const Workload &w) { return w.traced ? static_cast<double>(all_calls(w)) * traced_call_us : 0; }

bool tracing_matters(const Workload &w) { return tracing_us(w) > Profile(w).real * tracing_share_that_does_not_matter; }

std::string numbers(const Workload &w) {
    const Profile p(w);
    return fmt::format("real {:.2f} s, user {:.2f} s, system {:.2f} s, idle {:.0f} %", p.real * us, p.user * us,
                       p.kernel * us, p.idle_share() * 100);
}

struct ClassAndWhy {
    WorkClass kind;
    std::string why;
};

ClassAndWhy class_of(const Workload &w) {
    const Profile p(w);
    if (tracing_matters(w))
        return {WorkClass::not_judged,
                fmt::format("counting {} calls took up to {:.2f} s of {:.2f} s; without --calls the class is told",
                            all_calls(w), std::min(tracing_us(w), p.real) * us, p.real * us)};
    if (p.idle_share() > idle_share_of_io_bound && p.idle() < least_idle_us_of_io_bound)
        return {WorkClass::not_judged,
                fmt::format("it waited for {:.0f} ms, and a start may take so long ({:.0f} ms are "
                            "needed); give it more to do",
                            p.idle() / 1000, least_idle_us_of_io_bound / 1000)};
    if (p.idle_share() > idle_share_of_io_bound)
        return {WorkClass::io_bound, fmt::format("r >> u + s: {}", numbers(w))};
    if (p.cpu() < static_cast<double>(least_cpu_us_to_tell_user_from_system))
        return {WorkClass::not_judged,
                fmt::format(
                    "{:.0f} ms of processor time are too few to tell user from system time ({} ms are needed); give it "
                    "more to do",
                    p.cpu() / 1000, least_cpu_us_to_tell_user_from_system / 1000)};
    if (p.kernel > p.user)
        return {WorkClass::kernel_bound, fmt::format("s > u: {}", numbers(w))};
    if (p.user_share() >= user_share_of_cpu_bound)
        return {WorkClass::cpu_bound, fmt::format("u ~ r: {}", numbers(w))};
    return {WorkClass::mixed, fmt::format("u > s, and u is far from r: {}", numbers(w))};
}

// ---- what was noticed: each row gives a sentence, or nothing ----

std::string says_waiting_for_a_processor(const Workload &w) {
    const Profile p(w);
    // At each stop a traced thread becomes ready once more.
    if (p.ready < std::max(ready_share_worth_a_word * p.real, least_ready_us_worth_a_word) || tracing_matters(w))
        return {};
    return fmt::format(
        "its threads were ready for {:.2f} s while no processor was free: something else runs on this machine, or it "
        "has more threads at work than there are processors",
        p.ready * us);
}

std::string says_how_it_ended(const Workload &w) {
    if (w.signal != 0)
        return fmt::format("signal {} ended it ({})", w.signal, strsignal(static_cast<int>(w.signal)));
    return w.exit_code == 0 ? "" : fmt::format("it ended with code {}", w.exit_code);
}

std::string says_parallel(const Workload &w) {
    const Profile p(w);
    if (p.cpu() <= p.real)
        return {};
    return fmt::format("{:.1f} processors at work on average: several threads or processes", p.cpu() / p.real);
}

std::string says_thrashing(const Workload &w) {
    const model::Usage &usage = w.usage;
    const bool more_than_it_holds = usage.major_faults * page_kib > usage.max_rss_kib;
    if (usage.major_faults < least_major_faults || !more_than_it_holds)
        return {};
    return fmt::format("thrashing: {} pages were read from a disk, more than the {} KiB that it ever held ({} pages), "
                       "so some came again: "
                       "use less memory, use it with more locality, or add memory (section 4.6)",
                       usage.major_faults, usage.max_rss_kib, usage.max_rss_kib / page_kib);
}

std::string says_cold(const Workload &w) {
    if (w.usage.major_faults < least_major_faults || !says_thrashing(w).empty())
        return {};
    return fmt::format("{} page faults waited for a disk: its files were not in memory; a second run shows it warm",
                       w.usage.major_faults);
}

std::string says_busy_waiting(const Workload &w) {
    const Profile p(w);
    const auto often = static_cast<double>(asks(w));
    const bool busy =
        often >= busy_asks_per_second * p.real * us && often >= busy_share_of_calls * static_cast<double>(all_calls(w));
    if (often == 0 || !busy || p.idle_share() > idle_share_of_io_bound)
        return {};
    const auto most = std::ranges::max_element(w.calls, {}, &CallCount::without_waiting);
    return fmt::format(
        "busy-wait: of {} calls {} asked without waiting, most of them {}; a call that blocks until something is ready "
        "leaves the processor to others (section 4.4)",
        all_calls(w), asks(w), most->name);
}

// ---- the next diagnostic step, and ways out, of Table 4.1 ----

bool uses_disk(const Workload &w) {
    return w.usage.blocks_in / 2 >= least_kib_read || w.usage.blocks_out / 2 >= least_kib_written;
}

std::string disk_statistics(const Workload &w) {
    if (!uses_disk(w))
        return {};
    return fmt::format(
        "disk statistics: it read {} and wrote {} KiB; `iostat -x 1` beside it shows whether the disk is busy",
        w.usage.blocks_in / 2, w.usage.blocks_out / 2);
}

std::string memory_statistics(const Workload &w) {
    return w.usage.major_faults < least_major_faults
               ? ""
               : "virtual memory statistics: `vmstat 1` beside it (columns si, so, bi)";
}

std::string other_waits(const Workload &w) {
    return uses_disk(w)
               ? ""
               : "hardly any disk was used: it waited for a network (`ss -ti`, `tcpdump`), another process, a timer "
                 "or a person";
}

std::string call_tracing(const Workload &w) {
    return w.traced ? ""
                    : "system call tracing: `thalweg stat --calls` shows which calls it makes, and which take long";
}

std::string longest_call(const Workload &w) {
    if (w.calls.empty())
        return {};
    const auto most = std::ranges::max_element(w.calls, {}, &CallCount::time_ns);
    if (static_cast<double>(most->time_ns) < call_share_worth_a_word * static_cast<double>(w.real_us) * 1000)
        return {};
    return fmt::format("system call tracing: most time went into {}, {} times, {:.2f} s", most->name, most->count,
                       static_cast<double>(most->time_ns) * 1e-9);
}

std::string commonest_call(const Workload &w) {
    if (w.calls.empty())
        return {};
    const auto most = std::ranges::max_element(w.calls, {}, &CallCount::count);
    return fmt::format("{} is the commonest call, {} of {}: can it be called less often, with more to do each time?",
                       most->name, most->count, all_calls(w));
}

std::string failing_call(const Workload &w) {
    const auto failures = [](const CallCount &call) {
        uint64_t sum = 0;
        for (const model::ErrorCount &error : call.errors)
            sum += error.count;
        return sum;
    };
    constexpr uint64_t worth_a_word = 100;  // a start's search for libraries fails some dozens of times
    for (const CallCount &call : w.calls)
        if (failures(call) >= worth_a_word && failures(call) * 2 > call.count)
            return fmt::format("{} fails {} of {} times: what is known not to be there need not be asked for",
                               call.name, failures(call), call.count);
    return {};
}

std::string started_often(const Workload &w) {
    const uint64_t children_us = w.children.user_us + w.children.system_us;
    if (children_us * 2 <= w.usage.user_us + w.usage.system_us)
        return {};
    return fmt::format("its children used {:.2f} s of the {:.2f} s of processor time: measure what it starts",
                       static_cast<double>(children_us) * us,
                       static_cast<double>(w.usage.user_us + w.usage.system_us) * us);
}

template <char const *text>
std::string always(const Workload &) {
    return text;
}

constexpr char profiling[] =
    "function profiling: `thalweg functions` shows which functions take the time, and who calls them";
constexpr char callbacks[] =
    "where much of it is calls through lists of callbacks or layers: `thalweg record`, then `thalweg report`";
constexpr char caching_io[] = "caching: keep what it waits for, so that it is asked for once (section 4.7)";
constexpr char protocols[] =
    "fewer and larger requests: network protocols and disk data structures that need fewer round trips (section 4.5)";
constexpr char faster_devices[] = "faster I/O interfaces or peripherals";
constexpr char caching_calls[] =
    "caching in the program: keep results of calls, buffer small reads and writes (sections 4.4 and 4.7)";
constexpr char faster_cpu[] = "a faster CPU";
constexpr char algorithms[] = "efficient algorithms and data structures (section 4.2)";
constexpr char code[] = "other code improvements, once a profile shows where (section 4.3)";
constexpr char faster_memory[] = "a faster CPU or memory system";

struct Row {
    unsigned classes;  // a bit for each
    AdviceKind kind;
    std::string (*text)(const Workload &);
};

constexpr unsigned bit(WorkClass kind) { return 1u << static_cast<unsigned>(kind); }
constexpr unsigned io = bit(WorkClass::io_bound);
constexpr unsigned kernel = bit(WorkClass::kernel_bound);
constexpr unsigned cpu = bit(WorkClass::cpu_bound);
constexpr unsigned mixed = bit(WorkClass::mixed);
constexpr unsigned judged = io | kernel | cpu | mixed;
constexpr unsigned any = judged | bit(WorkClass::not_judged);

// Table 4.1, the column of each class from top to bottom; what a run's numbers speak for or against is left out or said.
constexpr Row rows[] = {
    {any, AdviceKind::seen, says_how_it_ended},
    {any, AdviceKind::seen, says_waiting_for_a_processor},
    {any, AdviceKind::seen, says_parallel},
    {any, AdviceKind::seen, says_thrashing},
    {any, AdviceKind::seen, says_cold},
    {any, AdviceKind::seen, says_busy_waiting},
    {any, AdviceKind::seen, started_often},
    {any, AdviceKind::seen, failing_call},
    {io, AdviceKind::diagnose, disk_statistics},
    {io, AdviceKind::diagnose, other_waits},
    {io, AdviceKind::diagnose, memory_statistics},
    {io | kernel | mixed, AdviceKind::diagnose, call_tracing},
    {any, AdviceKind::diagnose, longest_call},
    {kernel | mixed, AdviceKind::diagnose, commonest_call},
    {cpu | mixed, AdviceKind::diagnose, always<profiling>},
    {cpu, AdviceKind::diagnose, always<callbacks>},
    {io, AdviceKind::resolve, always<caching_io>},
    {io, AdviceKind::resolve, always<protocols>},
    {io, AdviceKind::resolve, always<faster_devices>},
    {kernel | mixed, AdviceKind::resolve, always<caching_calls>},
    {kernel, AdviceKind::resolve, always<faster_cpu>},
    {cpu | mixed, AdviceKind::resolve, always<algorithms>},
    {cpu | mixed, AdviceKind::resolve, always<code>},
    {cpu | mixed, AdviceKind::resolve, always<faster_memory>},
};

}  // namespace

bool waits(double real_us, double cpu_us) {
    const double idle_us = real_us - std::min(cpu_us, real_us);
    return idle_us > idle_share_of_io_bound * real_us && idle_us >= least_idle_us_of_io_bound;
}

void judge(Workload &workload) {
    ClassAndWhy found = class_of(workload);
    workload.kind = found.kind;
    workload.why = std::move(found.why);
    workload.advice.clear();
    for (const Row &row : rows) {
        if ((row.classes & bit(workload.kind)) == 0)
            continue;
        if (std::string text = row.text(workload); !text.empty())
            workload.advice.push_back({row.kind, std::move(text)});
    }
}

}  // namespace thalweg::plan
