// plan: what a crossing costs and what its removal saves, in nanoseconds; every threshold of the planner, with its source.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "model/plan.h"

namespace thalweg::plan {

// Source of the ns figures: four handlers of one addition each, clang 19 -O3, a Xeon in a virtual machine, best of 7 times 20
// million raises: dispatch loop 14.4 ns a raise (8 handlers 29.8, 1 handler 3.4), direct calls 4.9. The ratios to
// hand-merged code (1.0, that is 2.6 ns) are those of DESIGN law 3: dispatch loop 5.5, one version word for the path 1.35, a
// test for each slot 1.75. Handlers that share values save more, for the optimiser then sees across them; and a C raise
// with marshalled arguments saves their marshalling. The planner counts on neither.
struct CostTable {
    // A call through a slot of a list, less what a direct call costs: 3.6 - 1.2 (dispatch loop against direct calls).
    double indirect_call_ns = 2.4;
    // A direct call that is inlined besides: 1.2 - 0.65 (direct calls against hand-merged code).
    double merged_call_ns = 0.55;
    // The test of the path word before the first handler: (1.35 - 1) * 2.6.
    double path_guard_ns = 0.9;
    // The test of one slot of a list that is not ours, leaving to the original loop: (1.75 - 1) * 2.6 / 4.
    double slot_guard_ns = 0.5;
    // A flag that is loaded and compared, and its branch: DESIGN law 3's test of a slot, which is the same three instructions.
    double decided_branch_ns = 0.5;
    // Entering a raise: call, frame pushed and popped. Measured on an event with one handler, 3.4 - 2.4.
    double raise_ns = 1.0;
    // An instruction that runs for the first time: its share of a page fault (0.5 us for 1,000 instructions) and of a cache
    // line from memory (80 ns for 16). What code growth costs even when it is never needed again.
    double first_use_ns = 5.5;
    // An instruction of a computation, in the units of LLVM's cost model. `./bench layers`, nettle's key schedules: AES 0.056 (128 ns for
    // 2,268 of them), Twofish 0.072; where each needs the one before it is three times as much.
    double instruction_ns = 0.06;
    // An IR instruction that the counted run executed: the median of eight programs of the board, processor time by instructions (0.10 to 0.22).
    double executed_instruction_ns = 0.17;
    // The guard of a function whose results are kept, and the call behind it: of the 7 ns that AES's key costs more than by hand, those
    // that are not for its bytes.
    double kept_guard_ns = 5;
    // A byte that is compared, or copied from or to what is kept: 4,272 of Twofish's in 52 ns.
    double kept_byte_ns = 0.012;
    // Into the kernel and out again for a call that does next to nothing: `./bench machine`, system-call.
    double system_call_ns = 168;
    // A block of 132 KiB of malloc's that is mapped, touched in one page and unmapped: 8.5 us, in a loop of nothing else.
    double kept_block_ns = 8500;
    // A page of a file that is read and written, less its part of a large copy_file_range: `./bench machine` on ext4, read-4096 0.56 us,
    // write-4096 0.93 us, a sixteenth of copy_file_range-64K 0.27 us, less the two entries, which are counted apart.
    double copied_page_ns = 890;
    // What is asked before a copy (crossing/copy.cc): ten calls, three fstat at 443 ns and seven at 168 ns (`./bench machine`).
    double copy_guard_ns = 2505;
    // A write that becomes a part of another one: `./bench machine` on ext4, (writes-8 6.7 us - writev-8 1.13 us) / 7.
    double joined_write_ns = 796;
    // What is asked before writes are joined: statx, as fstat 443 ns, and fcntl 168 ns (`./bench machine`).
    double join_guard_ns = 611;
    // What a program with any decision about system calls asks once, before it begins (crossing/own_calls.cc): openat, two reads and close of
    // /proc/self/status, the least of 2,000 on Linux 6.18.
    double start_question_ns = 10700;
    // Of what kind a file system is, asked once a mount (crossing/file_system.cc): fstatfs, measured beside the above.
    double file_system_ns = 430;
    // Calls of the C library, by the instructions that they execute (callgrind, glibc 2.36, loops of 100,000), less those that stand in their place, at what an
    // executed instruction takes in a program. In a loop of nothing else they take a third of that, all branches foreseen and all code at hand (fprintf
    // 38 ns, malloc 4): by that, what two programs of the board save by them was foretold as a quarter and as half of what it is (docs/FIGURES.md).
    // fprintf of a text and a number; one text 470, two of each 1,300, snprintf of two numbers 930. Of fputs and fwrite of four bytes 81 and 114, of putc.
    double format_ns = 740 * executed_instruction_ns;
    double put_ns = 100 * executed_instruction_ns;
    double byte_ns = 12 * executed_instruction_ns;
    // Of getc; of fgets 107, getline 70 and fread of eight bytes 112.
    double taken_byte_ns = 11 * executed_instruction_ns;
    double taken_ns = 100 * executed_instruction_ns;
    // A call of malloc or free that the thread's own blocks serve: 78 a pair.
    double served_block_ns = 39 * executed_instruction_ns;
    // And one that they don't serve, for the questions before the library's call: four instructions there (bulk), whose time can't be told from none.
    double missed_block_ns = 1;
    // What a process that may keep blocks asks before it begins (crossing/blocks.cc): 3,700 instructions by callgrind, and a dozen symbols for the loader.
    double keeping_blocks_ns = 5000;
    // Which numbers are descriptors, asked when that pays: `./bench machine`, list-descriptors 6.46 us, and calls_before_list at 168 ns.
    double list_ns = 13180;
};

// For each target besides its body: the test, the direct call when it is not merged, its call in the cold tail.
inline constexpr uint32_t target_overhead_instructions = 12;

// A sequence that fewer of the place's dispatches run than this is no prediction. At 1 in 5 the path word's test, paid by
// all, is still a fifth of what the one saves on two handlers.
inline constexpr double default_min_share = 0.2;
// So many different sequences of one event at one place are worth a straight line each; the next one is seldom
// above the smallest share anyway, and each costs a test for those behind it.
inline constexpr size_t max_alternatives = 4;
// A place that all events are raised through (the C interface) gets a line for so many of them.
inline constexpr size_t max_alternatives_at_site = 32;
// More than one change of the bindings in ten raises: each change compares the slots with all paths anew, about the
// cost of ten dispatches.
inline constexpr double max_changes_a_raise = 0.1;
// Deeper than any chain of synchronous raises that was seen in a program (the paper's go to 3, our examples to 5).
inline constexpr size_t max_nesting = 16;
// Growth of the whole program's code, in percent, if nobody names another bound. The paper reports 1.1 and 1.3 %.
inline constexpr double default_max_growth_percent = 10;
// Growth that is always allowed unless the user bounds it: 20,000 instructions are about 80 KB, which no program feels;
// without it nothing would ever fit into a small one.
inline constexpr uint64_t always_allowed_growth = 20000;
// A plan that a person may still read; only a hostile profile has more.
inline constexpr size_t max_decisions = 10000;
inline constexpr size_t max_plan_text_bytes = 64u << 20;
// Candidates that wait for their turn: a hundred for each decision that there may be.
inline constexpr size_t max_waiting = 1u << 20;
// Of the events that one handler raises, the most frequent are looked at; a handler that raises more than these is a
// dispatcher itself, and the growth bound would stop long before.
inline constexpr size_t max_nestings_at_place = 64;

// A layer that reaches more IR instructions than this is entered further in: unfolded, it would be a program of its own. Of those that
// were measured, Sun RPC's encode reaches 423 and a whole call 1,237, nanopb's encoder 1,400 and its decoder 2,300.
inline constexpr uint64_t max_layer_instructions = 10000;
// For each instruction that a layer reaches: the code for its facts, the program's own for where they fail, and some of it
// for more than one set of facts. Measured on Sun RPC: encode 0.84, a whole call 1.7, decode 3.2.
inline constexpr uint64_t layer_growth = 4;
// And for a root however small: its tests, and the ways that leave it. Measured on a layer of 20 instructions, which becomes 108.
inline constexpr uint64_t layer_base_growth = 64;
// Of ten layers that are asked for on the board's programs, the specialiser makes one or two (expat 9 of 24, lua 1 of 40): so many times as much growth
// is asked for as there may be.
inline constexpr uint64_t most_asked_for = 4;
// A layer that may add no more than this part of the room is asked for whatever others ask for: to make it, or to find that it gains nothing, takes the
// specialiser some hundred looks, and where the large ones come to no end (redis, nginx) there is room for it.
inline constexpr uint64_t small_part_of_room = 20;
// Where the program's bound leaves room a layer may become so many times larger than that: a table of 20 rows that a loop walks is 20 times its
// body. The bound on the whole (always_allowed_growth) stays.
inline constexpr double most_times_the_growth = 8;
// Of a layer's entries, the part that a loop around it leads to, where the two are alternatives: what is left has no layer when the loop is taken.
inline constexpr double least_part_inside = 0.9;
// Functions that a root is followed through; the bound above, at 20 instructions for the smallest function that does anything, stops
// all trees but those of empty ones before.
inline constexpr size_t max_functions_reached = 512;
// Values that one specialised function assumes, those first that save most: each costs a test. Sun RPC's call has 25 that are tested,
// nanopb's decoder 41 that were noted.
inline constexpr size_t max_facts_of_layer = 256;
// A number that was read so often and was always the same belongs to the configuration, even if it is a length: if one in a hundred
// were another, it would have been seen with a probability of 92 %.
inline constexpr uint64_t min_notes_of_constant = 256;
// A number that only branches test, and that is no larger, is a flag, a status or a version, not a length: the enumerations of the
// programs that were looked at (Sun RPC, nanopb, libpcap, Lua's types) stay below.
inline constexpr uint64_t largest_flag = 16;
// A number from here on, and below the other, was an address of the recorded run, and is another one in the next: Linux puts programs,
// heaps, libraries and stacks above two thirds of the 2^47 bytes of x86-64's user space, of the 2^48 of AArch64's (ELF_ET_DYN_BASE).
inline constexpr uint64_t first_random_address = uint64_t{1} << 46;
inline constexpr uint64_t end_of_addresses = uint64_t{1} << 48;

// The code of a guard that keeps results: 40 to 90 instructions in the functions that were looked at.
inline constexpr uint32_t kept_growth = 80;
// Entries of which it is known whether their inputs were those of the entry before: fewer show nothing.
inline constexpr uint64_t min_notes_of_computation = 16;

// The code of a guarded crossing: 10 to 60 instructions beside the original call, the library's own functions not counted.
inline constexpr uint32_t crossing_growth = 60;
// A function that puts a format of a few conversions, or one text, and calls the library where there is no room.
inline constexpr uint32_t format_growth = 80;
inline constexpr uint32_t put_growth = 30;
// A function that hands out a kept block or keeps one: malloc has 34 IR instructions, calloc 42, free 59 with what it seldom does, realloc 117.
inline constexpr uint32_t block_growth = 60;
// A system call that was made less often than this in the recorded run: at the dearest of the costs above (8.5 us), 16 are 0.14 ms, which
// is less than a process takes to start.
inline constexpr uint64_t min_system_calls = 16;
// Of the large blocks that a call gave, this part must have come back for one to be kept: a block that never comes back keeps the slot
// empty, which costs nothing but the tests.
inline constexpr double min_share_given_back = 0.5;
// Of the reads that a write follows, this part must have been written as it was read for the loop to be a copy.
inline constexpr double min_share_copied = 0.9;
// So many calls in vain are made before it is asked which numbers are descriptors: crossing/absent_number.cc.
inline constexpr double calls_before_list = 40;
// Of the calls of a loop over numbers of descriptors, this part must have failed: the others are made anyway.
inline constexpr double min_share_absent = 0.5;
// Of the descriptors that a call makes, this part must have been given flags by the next one: where the flags are taken back, it costs two
// calls for each that was saved.
inline constexpr double min_share_flagged = 0.9;
// Calls for one descriptor's flags: F_GETFD, F_SETFD, F_GETFL and F_SETFL, for both ends of a pipe.
inline constexpr size_t max_flag_calls = 8;
// A page of the machines that are served (x86-64, AArch64 with small pages).
inline constexpr double page_bytes = 4096;

// What a straight line of `targets` handlers, `merged` of them inlined, saves on one dispatch that takes it.
struct Line {
    size_t targets = 0;
    size_t merged = 0;
    bool path_word = false;  // an event of ours: one test for all; else a test for each slot
    bool subsumed = false;  // inside another line, whose test holds for this one too
};
double saved_ns(const CostTable &costs, const Line &line);
// What a dispatch pays that does not take the line.
double missed_ns(const CostTable &costs, const Line &line);

using model::rounded;

}  // namespace thalweg::plan
