// plan: the class of a run's work after Spinellis's Table 4.1, and what follows from it; every threshold with its source.
#pragma once

#include <cstdint>

#include "model/workload.h"

namespace thalweg::plan {

// "Spend most of their time idle" (section 4.1.2, of r >> u + s): more than half.
inline constexpr double idle_share_of_io_bound = 0.5;
// So long the start alone may wait: five times what `thalweg stat -- true` takes on a busy machine (10 ms).
inline constexpr double least_idle_us_of_io_bound = 50000;
// u ~ r (Table 4.1): user time is at least twice all else together. The example of section 4.1.4 has 0.95; what a program needs to
// start and to read its input lies between.
inline constexpr double user_share_of_cpu_bound = 2.0 / 3;
// The kernel tells u from s by what ran at its ticks, of 4 ms or 10: with less processor time there are too few of them (5
// to 12) to say which is larger.
inline constexpr uint64_t least_cpu_us_to_tell_user_from_system = 50000;
// A processor that was wanted and not free for so much of the run: its times say little of an idle machine (section 4.1.1).
inline constexpr double ready_share_worth_a_word = 0.1;
inline constexpr double least_ready_us_worth_a_word = 50000;  // less is a start's
// The longest call is worth a word where it took so much of the run.
inline constexpr double call_share_worth_a_word = 0.1;
// From so much on, a disk is worth looking at: a start from a cold cache reads 8 to 204 KiB (sleep, dd, passwd) and writes none.
inline constexpr uint64_t least_kib_read = 1024;
inline constexpr uint64_t least_kib_written = 64;
// Section 4.6: below so many, pages are those that any start reads (programs of Debian, started from a cold cache: 5 to 90).
inline constexpr uint64_t least_major_faults = 100;
inline constexpr uint64_t page_kib = 4;
// Section 4.4 has a program that waits block. Asking 1,000 times a second is as often as a tick of the fastest kernel.
inline constexpr double busy_asks_per_second = 1000;
inline constexpr double busy_share_of_calls = 0.5;
// What counting a call costs in real time: `dd bs=1 count=100000` took 6.55 s with its 200,125 calls counted and 0.07 s without, on two
// processors shared with others (docs/STAT.md). A traced run's class is told where all calls together took less than a twentieth of it.
inline constexpr double traced_call_us = 33;
inline constexpr double tracing_share_that_does_not_matter = 0.05;

// Whether a run that nothing else slowed down waited for the most part (I/O-bound, Table 4.1). Its times in microseconds.
bool waits(double real_us, double cpu_us);

// Fills in class, reason and advice.
void judge(model::Workload &workload);

}  // namespace thalweg::plan
