// measure: a running program and all that it started, looked at now and then.
#include "measure/process_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace thalweg::measure {

namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string &path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::optional<ProcessStat> stat_of(const std::string &folder) {
    const long ticks = ::sysconf(_SC_CLK_TCK);
    return parse_stat(text_of(folder + "/stat"), ticks > 0 ? static_cast<uint64_t>(ticks) : 100);
}

// /proc/PID/schedstat: time on a processor, time ready for one, both in ns, and turns.
uint64_t ready_us_of(const std::string &folder) {
    std::istringstream numbers(text_of(folder + "/schedstat"));
    uint64_t running_ns = 0, ready_ns = 0;
    numbers >> running_ns >> ready_ns;
    return numbers ? ready_ns / 1000 : 0;
}

std::vector<pid_t> threads_of(pid_t process) {
    std::vector<pid_t> threads;
    std::error_code gone;
    fs::directory_iterator entry(fmt::format("/proc/{}/task", process), gone);
    for (; !gone && entry != fs::directory_iterator(); entry.increment(gone))
        threads.push_back(static_cast<pid_t>(std::atol(entry->path().filename().c_str())));
    std::sort(threads.begin(), threads.end());
    return threads;
}

// The sum only grows, but for a process whose end nobody waits for.
uint64_t grown(uint64_t now, uint64_t before) { return now > before ? now - before : 0; }

}  // namespace

void ProcessTree::look_at_thread(pid_t process, pid_t thread) {
    const auto key = std::make_pair(process, thread);
    if (threads_.size() + 1 >= model::max_threads_told && !threads_.contains(key)) {
        left_out_ = true;
        return;
    }
    const std::string folder = fmt::format("/proc/{}/task/{}", process, thread);
    const auto stat = stat_of(folder);
    if (!stat)
        return;
    model::ThreadWork &work = threads_[key];
    work.process = static_cast<uint64_t>(process);
    work.thread = static_cast<uint64_t>(thread);
    work.name = stat->name;
    work.user_us = std::max(work.user_us, stat->user_us);
    work.system_us = std::max(work.system_us, stat->system_us);
    work.ready_us = std::max(work.ready_us, ready_us_of(folder));
}

void ProcessTree::look_at_process(pid_t process, Totals &totals, std::vector<pid_t> &children) {
    const auto stat = stat_of(fmt::format("/proc/{}", process));
    if (!stat)
        return;
    if (process == root_)
        root_stat_ = stat;
    totals.user_us += stat->user_us + stat->children_user_us;
    totals.system_us += stat->system_us + stat->children_system_us;
    totals.threads += stat->threads;
    for (const pid_t thread : threads_of(process)) {
        look_at_thread(process, thread);
        std::istringstream numbers(text_of(fmt::format("/proc/{}/task/{}/children", process, thread)));
        for (pid_t child = 0; numbers >> child;)
            children.push_back(child);
    }
}

void ProcessTree::look(uint64_t elapsed_us) {
    Totals totals;
    std::vector<pid_t> processes = {root_};
    for (size_t i = 0; i < processes.size(); ++i) {
        if (i >= model::max_threads_told) {
            left_out_ = true;
            break;
        }
        look_at_process(processes[i], totals, processes);
    }
    if (++looks_ % looks_a_sample_ == 0)
        add_sample(elapsed_us, totals);
}

void ProcessTree::last_look(uint64_t elapsed_us) {
    looks_a_sample_ = 1;
    look(elapsed_us);
}

void ProcessTree::add_sample(uint64_t elapsed_us, const Totals &totals) {
    if (samples_.size() == model::max_samples) {
        std::vector<model::WorkSample> halved;
        for (size_t i = 0; i + 1 < samples_.size(); i += 2) {
            model::WorkSample both = samples_[i + 1];
            both.user_us += samples_[i].user_us;
            both.system_us += samples_[i].system_us;
            halved.push_back(both);
        }
        samples_ = std::move(halved);
        looks_a_sample_ *= 2;
    }
    samples_.push_back({elapsed_us, grown(totals.user_us, before_.user_us), grown(totals.system_us, before_.system_us),
                        totals.threads});
    before_ = {std::max(totals.user_us, before_.user_us), std::max(totals.system_us, before_.system_us), 0};
}

std::vector<model::ThreadWork> ProcessTree::threads() const {
    std::vector<model::ThreadWork> list;
    for (const auto &[key, work] : threads_)
        list.push_back(work);
    return list;
}

uint64_t ProcessTree::ready_us() const {
    uint64_t sum = 0;
    for (const auto &[key, work] : threads_)
        sum += work.ready_us;
    return sum;
}

}  // namespace thalweg::measure
