/* abi: what the probe pass inserts calls to. Linked only into the instrumented twin.
 *
 * The probe pass gives every dispatch site (a loop that calls through pointers) an instrumented copy. At the loop's
 * preheader the twin does:   if (--thalweg_probe_slots[slot].left < 0 && thalweg_probe_enter(site, slot, core, frame_address))
 * run the copy; else run the loop.   In the copy each indirect call is preceded by thalweg_probe_target, each ordinary exit of the
 * loop by thalweg_probe_leave. A large loop has no copy: it tests at these places what thalweg_probe_enter returned. A loop left by an
 * exception has no leave: enter drops entries whose frame is gone (frame_address grows towards the callers). */
#ifndef THALWEG_ABI_PROBE_H
#define THALWEG_ABI_PROBE_H
#include <stdint.h>
#include <thalweg/abi.h>
#ifdef __cplusplus
extern "C" {
#endif
/* Counts what passes at one place. The thread's variable points to the recorder's slots, or where each dispatch is to ask to others. */
typedef struct thalweg_probe_slot {
    int32_t left; /* so many more may pass before the recorder is asked */
    uint32_t owner; /* site or function + 1; 0: never asked */
    uint64_t granted; /* in all, those that are left too */
    uint64_t attributed; /* of those that passed, so many are in the tables' estimated counts */
    double squares; /* sum of the squares of what each sample was attributed */
} thalweg_probe_slot;
extern __thread thalweg_probe_slot *thalweg_probe_slots;
/* Bound by the pass: how many there are, and as many that are zero, where a thread asks before the recorder knows it. */
extern const uint64_t thalweg_probe_slot_count;
extern thalweg_probe_slot thalweg_probe_first_slots[];
/* site: index into the site table that the pass wrote; slot: a site that tells lists apart by an address has several; core: the event when the
 * loop is our runtime's, else null. Returns 1 when this dispatch is to be recorded. */
int thalweg_probe_enter(uint32_t site, uint32_t slot, const struct thalweg_core *core,
                        const void *frame_address) THALWEG_NOEXCEPT;
/* ordinal: which indirect call of the loop (0, 1, ...); context: the first argument where it is a pointer, else null. */
void thalweg_probe_target(uint32_t ordinal, const void *function, const void *context) THALWEG_NOEXCEPT;
void thalweg_probe_leave(uint32_t site) THALWEG_NOEXCEPT;
/* Coroutines, with slots of their own. An event of thalweg/tame.h is triggered: node is the event's (thalweg_node_head). A function goes on
 * behind a place where it waited: function is the part of it that runs. Both end with thalweg_probe_leave, where they returned 1. */
int thalweg_probe_trigger(uint32_t site, uint32_t slot, const void *node, const void *frame_address) THALWEG_NOEXCEPT;
int thalweg_probe_go_on(uint32_t site, uint32_t slot, const void *function, const void *frame_address) THALWEG_NOEXCEPT;
/* Bound by the pass: every function whose address is taken and every global variable, in the order of the site file's
 * "symbols" list. size is 0 for functions. */
typedef struct {
    const void *address;
    uint64_t size;
} thalweg_probe_symbol;
extern const thalweg_probe_symbol thalweg_probe_symbols[];
extern const uint64_t thalweg_probe_symbol_count;
/* Generic code (functions that call through pointers, switch on what they read, or lead to such). At the entry of each:
 * if (--thalweg_probe_entries[slot].left < 0 && thalweg_probe_function(function, slot)) run the body that notes values. function: index into
 * the site table's functions. The slots are as those of dispatches. */
extern __thread thalweg_probe_slot *thalweg_probe_entries;
extern const uint64_t thalweg_probe_entry_count;
extern thalweg_probe_slot thalweg_probe_first_entries[];
/* Which call led to the function that is about to ask: its number in the upper half, and in the lower how much further on in fact_places
 * its loads are noted. Set by a body that notes just before the call, taken by the callee's; 0: no such call. */
extern __thread uint64_t thalweg_probe_entry_call;
int thalweg_probe_function(uint32_t function, uint32_t slot) THALWEG_NOEXCEPT;
/* place: index into the site table's fact_places, called while thalweg_probe_fact_open[place] is not 0. The value is
 * zero-extended. Bound by the pass, one byte a place, all 1. */
void thalweg_probe_fact(uint32_t place, uint64_t value, int is_pointer) THALWEG_NOEXCEPT;
extern uint8_t thalweg_probe_fact_open[];
/* A function whose results may be kept has a place behind the fact_places, by its number in the site table's computations. While that is
 * open, each entry notes 1 there if its inputs have the hash of this thread's entry before, else 0. The hash goes on from `hash`. */
uint64_t thalweg_probe_hash(uint64_t hash, const void *bytes, uint64_t size) THALWEG_NOEXCEPT;
/* Behind each system call (knowledge/function.h); errno stays as it is. `call` is the call's site, and in the upper half these flags.
 * descriptor, offset: -1 where it has none; buffer null; result: an address where it gives one, else sign-extended. Of memory the compiled
 * code tells only where THALWEG_PROBE_LARGE_BLOCK bytes or more were asked for. */
enum {
    THALWEG_CALL_GIVES_BYTES = 1,
    THALWEG_CALL_GIVES_DESCRIPTOR = 2,
    THALWEG_CALL_GIVES_ADDRESS = 4, /* -1 and null are errors */
    THALWEG_CALL_GIVES_ERROR_NUMBER = 8, /* 0: none */
    THALWEG_CALL_HAS_SIZE = 16,
    THALWEG_CALL_IS_WRITE = 32,
    THALWEG_CALL_IS_COUNTED = 64 /* thalweg_probe_release is all that tells of it */
};
void thalweg_probe_system_call(uint64_t call, int64_t descriptor, const void *buffer, uint64_t size, int64_t offset,
                               int64_t result) THALWEG_NOEXCEPT;
/* Just before a system call, where thalweg_probe_call_timed is not 0: the program's own code since the last one is being timed. `call` as
 * above. Of memory only where THALWEG_PROBE_LARGE_BLOCK bytes or more are asked for; what is given back is asked about anyhow. */
extern __thread uint8_t thalweg_probe_call_timed;
void thalweg_probe_before_call(uint64_t call) THALWEG_NOEXCEPT;
/* glibc maps larger blocks one by one (mallopt(3), M_MMAP_THRESHOLD): such a call enters the kernel. */
#define THALWEG_PROBE_LARGE_BLOCK (128 * 1024)
/* Before a block is given back: asked where the byte of its page (modulo the bytes that there are) is not 0. */
#define THALWEG_PROBE_PAGE_BITS 12
#define THALWEG_PROBE_BLOCK_BITS 12
extern uint8_t thalweg_probe_blocks[1 << THALWEG_PROBE_BLOCK_BITS];
void thalweg_probe_release(uint64_t call, const void *block) THALWEG_NOEXCEPT;
/* An optimised program that is recorded counts its guards, by the id of the decision: [2 * decision] hits,
 * [2 * decision + 1] failures. The count is the largest decision's id + 1: the recorder keeps so many pairs, in its mapped
 * file, and points this at them before main (at memory of its own when nothing is recorded). */
extern uint64_t *thalweg_probe_guards;
extern const uint64_t thalweg_probe_guard_count;
/* Counters of LLVM's IR instrumentation: the compiled code adds to them where they are. Bound by the pass, on pages of their own, because the
 * recorder maps its file in their place. */
#define THALWEG_PROBE_COUNTER_PAGE 4096
extern uint64_t thalweg_probe_counters[];
extern const uint64_t thalweg_probe_counter_count;
/* Behind the counters, and counted with them as words of 64 bits: what the calls through pointers called (LLVM's value sites). The compiled code
 * adds to the first target where that is the one, and asks for every other. A thread that comes in between may count for its neighbour. */
#define THALWEG_PROBE_CALL_TARGETS 8
typedef struct {
    uint64_t address;
    uint64_t symbol; /* in thalweg_probe_symbols, + 1; 0: in none of them */
    uint64_t count;
} thalweg_probe_call_target_count;
typedef struct {
    thalweg_probe_call_target_count targets[THALWEG_PROBE_CALL_TARGETS];
    uint64_t others; /* of targets that gave way */
} thalweg_probe_call;
void thalweg_probe_call_target(thalweg_probe_call *call, uint64_t address) THALWEG_NOEXCEPT;
/* Behind the calls of a function, for each of its memory operations of varying size: how often it had a size of each of LLVM's ranges. 0 to 8 are
 * one each; then the sizes between two powers of two and the upper one of them by turns (9 to 15, 16, 17 to 31, ... 512); the last is all above. */
#define THALWEG_PROBE_MEMORY_SIZES 22
#define THALWEG_PROBE_LAST_SIZE_ALONE 8
#define THALWEG_PROBE_LAST_SIZE_BOUNDED 512
/* Bound by the pass in the twin of a shared library, which has a recorder of its own: the folder in that of the recording for its files. */
extern const char thalweg_probe_part[];
#ifdef __cplusplus
}
#endif
#endif
