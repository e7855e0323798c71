// measure: prepares the machine's rows, calibrates them, measures them in interleaved rounds.
#include "measure/machine.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#include "base/temporary.h"
#include "measure/machine_row.h"
#include "measure/statistics.h"

namespace thalweg::measure {

namespace {

using model::CrossingCost;
using model::Machine;
using model::TimeKind;

double now_s(TimeKind kind) {
    timespec time{};
    ::clock_gettime(kind == TimeKind::wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The clock's own step: what took less can't be told from nothing.
constexpr double clock_step_s = 1e-9;

std::string error_words(int error) {
    return std::strerror(error);  // NOLINT(concurrency-mt-unsafe)
}

// A row that runs, and what it took in each round.
struct Running {
    const MachineRow *row = nullptr;
    std::string folder;
    model::Completion completion = model::Completion::none;
    Work work;
    uint64_t count = 1;
    int error = 0;
    std::vector<double> seconds;

    double once() {
        const double start = now_s(row->time);
        error = work(count);
        const double taken = std::max(now_s(row->time) - start, clock_step_s);
        return taken / (static_cast<double>(count) * row->operations);
    }
};

// So many that they take a slice. Doubling from one on is also what warms everything up.
void calibrate(Running &running, const MachineOptions &options) {
    constexpr uint64_t most = uint64_t{1} << 40;
    if (options.fixed_count != 0) {
        running.count = options.fixed_count;
        return;
    }
    double slice = 0;
    while (running.error == 0 && running.count < most) {
        const double per_count = running.once() * running.row->operations;
        slice = per_count * static_cast<double>(running.count);
        if (slice >= options.slice_s / 2) {
            running.count = std::max<uint64_t>(1, static_cast<uint64_t>(options.slice_s / per_count));
            return;
        }
        running.count *= 2;
    }
}

class Measuring {
  public:
    explicit Measuring(const MachineOptions &options) : options_(options) {}

    void add(std::span<const MachineRow> rows, const std::string &folder, const std::string &scratch) {
        for (const MachineRow &row : rows)
            add(row, folder, scratch);
    }

    void run() {
        for (Running &running : running_)
            calibrate(running, options_);
        for (uint32_t round = 1; round <= options_.rounds; ++round) {
            if (options_.progress)
                options_.progress(round);
            for (Running &running : running_)
                if (running.error == 0)
                    running.seconds.push_back(running.once());
        }
    }

    void put_into(Machine &machine) {
        for (const Running &running : running_) {
            if (running.error != 0)
                leave_out(*running.row, running.folder, error_words(running.error));
            else
                machine.costs.push_back(cost_of(running));
        }
        machine.left_out = std::move(left_out_);
    }

    void leave_out(const MachineRow &row, const std::string &folder, std::string reason) {
        const std::string name = row.group == 0 ? row.name : fmt::format("{}, group of {}", row.name, row.group);
        left_out_.push_back({name, folder, std::move(reason)});
    }

  private:
    void add(const MachineRow &row, const std::string &folder, const std::string &scratch) {
        Running running{.row = &row, .folder = folder};
        if (row.group != 0) {
            const Result<model::Completion> completion = completion_of(row, scratch);
            if (!completion)
                return leave_out(row, folder, completion.error().message);
            running.completion = *completion;
        }
        Result<Work> work = row.prepare(scratch, row.group);
        if (!work)
            return leave_out(row, folder, work.error().message);
        running.work = std::move(*work);
        running_.push_back(std::move(running));
    }

    const Running *partner_of(const Running &running) const {
        for (const Running &other : running_)
            if (std::string_view(running.row->against) == other.row->name && other.row->group == 0 &&
                other.error == 0 && (other.folder == running.folder || other.folder.empty()))
                return &other;
        return nullptr;
    }

    CrossingCost cost_of(const Running &running) const {
        const MachineRow &row = *running.row;
        CrossingCost cost{.name = row.name,
                          .what = row.what,
                          .folder = running.folder,
                          .group = row.group,
                          .time = row.time,
                          .completion = running.completion,
                          .seconds = estimate_median(running.seconds)};
        const Running *partner = partner_of(running);
        if (partner == nullptr)
            return cost;
        cost.against = partner->row->name;
        std::vector<double> ratios;
        for (size_t i = 0; i < running.seconds.size(); ++i)
            ratios.push_back(running.seconds[i] / partner->seconds[i]);
        cost.ratio = estimate_median(std::move(ratios));
        return cost;
    }

    const MachineOptions &options_;
    std::vector<Running> running_;
    std::vector<model::LeftOut> left_out_;
};

std::string date_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string cpu_model() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const size_t colon = line.find(": "); colon != std::string::npos)
                return line.substr(colon + 2);
    return "unknown";
}

// As the kernel names it in its table of mounts, where the device is the third field and the type the first behind " - ".
std::string file_system_type(dev_t device) {
    const std::string wanted = fmt::format("{}:{}", ::major(device), ::minor(device));
    std::ifstream file("/proc/self/mountinfo");
    for (std::string line; std::getline(file, line);) {
        std::istringstream fields(line);
        std::string skipped, found, type;
        fields >> skipped >> skipped >> found;
        const size_t dash = line.find(" - ");
        if (found != wanted || dash == std::string::npos)
            continue;
        std::istringstream(line.substr(dash + 3)) >> type;
        return type;
    }
    return "unknown";
}

}  // namespace

OneProcessor::OneProcessor() {
    ::sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(std::max(0, ::sched_getcpu())), &one);
    ::sched_setaffinity(0, sizeof one, &one);
}

Machine this_machine() {
    utsname system{};
    ::uname(&system);
    return {.date = date_now(),
            .kernel = system.release,
            .cpu = cpu_model(),
            .cpus = static_cast<uint32_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)))};
}

Result<Machine> measure_machine(const MachineOptions &options) {
    Machine machine = this_machine();
    const OneProcessor here;
    std::vector<TemporaryFolder> scratches;  // outlives what works in them
    std::set<dev_t> seen;
    Measuring measuring(options);
    measuring.add(call_rows(), "", "");
    measuring.add(exchange_rows(), "", "");
    measuring.add(socket_rows(), "", "");
    measuring.add(ring_rows(), "", "");
    for (const std::string &folder : options.folders) {
        struct stat status{};
        if (::stat(folder.c_str(), &status) != 0)
            return fail(ErrorCode::usage, "{}: {}; name a folder that is there", folder, error_words(errno));
        if (!seen.insert(status.st_dev).second)
            continue;
        machine.file_systems.push_back({folder, file_system_type(status.st_dev)});
        Result<TemporaryFolder> scratch = TemporaryFolder::make_in(folder, "machine");
        if (!scratch) {
            for (const auto rows : {file_rows(), ring_file_rows()})
                for (const MachineRow &row : rows)
                    measuring.leave_out(row, folder, scratch.error().message);
            continue;
        }
        scratches.push_back(std::move(*scratch));
        measuring.add(file_rows(), folder, scratches.back().path());
        measuring.add(ring_file_rows(), folder, scratches.back().path());
    }
    measuring.run();
    measuring.put_into(machine);
    if (machine.costs.empty())
        return fail(ErrorCode::environment, "none of {} rows could be measured; the first: {}: {}",
                    machine.left_out.size(), machine.left_out.front().name, machine.left_out.front().reason);
    return machine;
}

// What a new process changes by where its code and memory lie, which none of its own rounds shows: of 72 rows that were measured three
// times, those which take no disk and no worker lay at most 4.1 % apart.
constexpr double near_ratio = 1.05;

model::MachineAgreement agreement_of(const Machine &older, const Machine &newer) {
    model::MachineAgreement agreement{.older_date = older.date,
                                      .same_machine = older.cpu == newer.cpu && older.kernel == newer.kernel};
    for (size_t i = 0; i < newer.costs.size(); ++i) {
        const CrossingCost &cost = newer.costs[i];
        const CrossingCost *before = model::find_cost(older, cost.name, cost.folder, cost.group);
        if (before == nullptr)
            continue;
        const bool agrees = cost.seconds.low <= before->seconds.high && before->seconds.low <= cost.seconds.high;
        const double ratio = cost.seconds.median / before->seconds.median;
        const bool near = !agrees && ratio <= near_ratio && ratio >= 1 / near_ratio;
        agreement.rows.push_back({i, agrees, near, ratio});
        agreement.agreeing += agrees ? 1 : 0;
        agreement.near += near ? 1 : 0;
    }
    agreement.only_in_one = older.costs.size() + newer.costs.size() - 2 * agreement.rows.size();
    return agreement;
}

}  // namespace thalweg::measure
