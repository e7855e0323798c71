// runtime: what the room's own files share. Nothing here throws, prints or needs the C++ library at link time.
#pragma once

#include <cstddef>
#include <cstdint>

#include <thalweg/abi.h>
#include <thalweg/runtime.h>

// The list that raises walk. Made anew at each change; the old one lives until the last raise that walks it has ended.
struct SlotArray {
    uint32_t references;
    uint32_t count;
    thalweg_slot slots[];  // NOLINT: C's flexible array, which both compilers accept
};

struct thalweg_event_info {
    thalweg_event_info_head head;
    const thalweg_event_type *type;
    thalweg_core *core;
    thalweg_binding *first, *last;  // in the order in which they run
    uint32_t running;               // how many of them are not blocked
    uint32_t last_binding;          // id
    thalweg_task *tasks;            // raises that have still to happen
    uint64_t id;                    // unique in the process, never used again
    thalweg_event_info *next[3];    // in the registry's tables
#ifdef THALWEG_CHECK_THREADS
    const void *thread;  // as thalweg_this_thread says it
#endif
};

namespace thalweg::runtime {

inline SlotArray *array_of(thalweg_slot *slots) {
    if (!slots)
        return nullptr;
    return reinterpret_cast<SlotArray *>(reinterpret_cast<char *>(slots) - offsetof(SlotArray, slots));
}

// Memory that the runtime cannot do without: the program ends where there is none.
void *allocate(size_t bytes);

// Whether an event can be raised with these: against its declared types, or its C++ type's.
thalweg_status check_arguments(const thalweg_core *core, const thalweg_value *arguments, size_t count);

#ifdef THALWEG_CHECK_THREADS
inline void check_thread(const thalweg_core *core, const char *use) { thalweg_core_check_thread(core, use); }
inline void check_thread(const thalweg_loop *loop, const char *use) { thalweg_loop_check_thread(loop, use); }
#else
inline void check_thread(const thalweg_core *, const char *) {}
inline void check_thread(const thalweg_loop *, const char *) {}
#endif

// Sets core->path for the slots that the core has now, and the words of the groups that it is in.
void find_path(thalweg_core *core);
// The core is about to go away.
void forget_paths(thalweg_core *core);

}  // namespace thalweg::runtime
