// recorder: system calls: how often, what came of them, and which followed which in a thread.
#pragma once

#include <cstdint>

#include "recorder/call_timer.h"
#include "recorder/tables.h"

namespace thalweg::recorder {

// One call, as the probe behind it tells of it (abi/probe.h).
struct CallNote {
    uint32_t site;
    uint32_t flags;
    int64_t descriptor;
    uint64_t buffer;
    uint64_t size;
    int64_t offset;
    int64_t result;
};

// What the next call of the thread is compared with.
struct LastCall {
    bool any;
    CallNote note;
};

// False: a table is full.
bool note_call(Tables &tables, LastCall &last, const CallNote &note, const CallTimes &times);
bool note_release(Tables &tables, uint32_t from, uint32_t to);
// Whether the call gave a block of memory that its release is looked for.
bool gives_large_block(const CallNote &note);

}  // namespace thalweg::recorder
