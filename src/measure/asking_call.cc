// measure: calls by which a program asks without waiting.
#include "measure/asking_call.h"

#include <algorithm>

#include <linux/audit.h>
#include <sys/syscall.h>
#include <sys/uio.h>

namespace thalweg::measure {

namespace {

// How a call's time limit is given. milliseconds: as an int; limit_at: as two 64-bit words at an address, null for none.
enum class Limit { none, milliseconds, limit_at };

struct Row {
    uint64_t number;
    Limit limit;
    size_t argument;
};

constexpr Row rows[] = {
    {SYS_sched_yield, Limit::none, 0},        {SYS_poll, Limit::milliseconds, 2},
    {SYS_epoll_wait, Limit::milliseconds, 3}, {SYS_epoll_pwait, Limit::milliseconds, 3},
    {SYS_ppoll, Limit::limit_at, 2},          {SYS_select, Limit::limit_at, 4},
    {SYS_pselect6, Limit::limit_at, 4},       {SYS_epoll_pwait2, Limit::limit_at, 3},
    {SYS_nanosleep, Limit::limit_at, 0},
};

bool is_zero_at(pid_t thread, uint64_t address) {
    if (address == 0)
        return false;
    std::array<uint64_t, 2> words{};
    iovec here = {words.data(), sizeof words};
    iovec there = {reinterpret_cast<void *>(address),
                   sizeof words};  // NOLINT(performance-no-int-to-ptr): another process's address
    const ssize_t got = ::process_vm_readv(thread, &here, 1, &there, 1, 0);
    return got == static_cast<ssize_t>(sizeof words) && words[0] == 0 && words[1] == 0;
}

}  // namespace

bool asks_without_waiting(pid_t thread, const CallStart &call) {
    if (call.key.architecture != AUDIT_ARCH_X86_64)
        return false;
    const auto *const row = std::ranges::find(rows, call.key.number, &Row::number);
    if (row == std::end(rows))
        return false;
    const uint64_t argument = call.arguments[row->argument];
    switch (row->limit) {
    case Limit::none:
        return true;
    case Limit::milliseconds:
        return static_cast<int32_t>(argument) == 0;
    case Limit::limit_at:
        return is_zero_at(thread, argument);
    }
    return false;
}

}  // namespace thalweg::measure
