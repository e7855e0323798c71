// recorder: what one thread has going on: the dispatches it is in, and when it samples.
#include "recorder/thread.h"

#include <thalweg/abi.h>

namespace thalweg::recorder {

namespace {

raw::Header &header(Thread &thread) { return thread.tables.chunk->header; }

// xorshift64: gaps must differ, not be secret.
uint64_t next_random(Thread &thread) {
    thread.random ^= thread.random << 13;
    thread.random ^= thread.random >> 7;
    thread.random ^= thread.random << 17;
    return thread.random;
}

raw::Phase phase_of(Thread &thread) {
    return thread.all || header(thread).recorded[raw::exact] < exact_dispatches ? raw::exact : raw::sampled;
}

// Frames below `limit` have been left by an exception; they told nobody.
void drop_frames_below(Thread &thread, uint64_t limit) {
    while (thread.depth > 0 && thread.frames[thread.depth - 1].address < limit) {
        --thread.depth;
        ++header(thread).unfinished;
    }
}

// A dispatch of the same loop in the same function's frame cannot be inside itself: the earlier one was left.
void drop_same_dispatch(Thread &thread, uint32_t site, uint64_t frame_address) {
    for (uint32_t i = thread.depth; i > 0 && thread.frames[i - 1].address == frame_address; --i) {
        if (thread.frames[i - 1].site != site)
            continue;
        header(thread).unfinished += thread.depth - (i - 1);
        thread.depth = i - 1;
        return;
    }
}

void end_gap(Thread &thread) {
    header(thread).skipped += header(thread).open_gap;
    header(thread).open_gap = 0;
    thread.previous_event = raw::none;
    thread.burst_left = burst_dispatches;
    thread.overrun_left = overrun_dispatches;
    thread.burst_depth = thread.depth;
}

// The dispatch that is about to run is the first of the gap.
void begin_gap(Thread &thread) {
    const uint64_t gap = mean_gap_dispatches / 2 + next_random(thread) % mean_gap_dispatches;
    header(thread).open_gap = gap;
    *thread.countdown = static_cast<int32_t>(gap) - 1;
}

bool burst_is_over(Thread &thread) {
    if (thread.burst_left > 0) {
        --thread.burst_left;
        return false;
    }
    if (thread.depth <= thread.burst_depth || thread.overrun_left == 0)
        return true;
    --thread.overrun_left;
    return false;
}

// What is about to be entered.
struct Dispatch {
    uint32_t site;
    uint32_t mode;
    bool is_trigger;
};

uint32_t event_of(Thread &thread, uint32_t site, const thalweg_core *core) {
    if (core == nullptr)
        return intern_list(thread.tables, site);
    const auto *info = reinterpret_cast<const thalweg_event_info_head *>(core->info);
    return intern_event(thread.tables, reinterpret_cast<uint64_t>(core), info->name);
}

// How this dispatch was raised. The loop said so before; it holds for the first raise after that, not for those inside.
uint32_t take_mode(Thread &thread, const thalweg_core *core) {
    if (core == nullptr)
        return THALWEG_RAISE_SYNC;
    const uint32_t mode = thread.mode;
    thread.mode = THALWEG_RAISE_SYNC;
    return mode;
}

void note_neighbours(Thread &thread, uint32_t site, uint32_t event, uint32_t mode, raw::Phase phase) {
    raw::Chunk &chunk = *thread.tables.chunk;
    bool kept = true;
    if (thread.previous_event != raw::none)
        kept &= count_edge(chunk, {thread.previous_event, event, mode, 0, {}}, phase);
    if (thread.depth > 0 && thread.frames[thread.depth - 1].count > 0) {
        const Frame &parent = thread.frames[thread.depth - 1];
        kept &= count_nesting(
            chunk, {parent.event, parent.site, parent.position, parent.handler, event, site, mode, 0, {}}, phase);
    }
    if (!kept)
        ++chunk.header.lost;
}

CachedPlace &place_of(Thread &thread, uint64_t address) {
    CachedPlace &cached = thread.places[(address >> 3 ^ address >> 11) % place_cache_size];
    if (cached.address != address || address == 0)
        cached = {address, thread.symbols->find(address), raw::none, false};
    return cached;
}

uint32_t function_of(Thread &thread, uint64_t address) {
    CachedPlace &cached = place_of(thread, address);
    if (cached.asked || address == 0)
        return cached.function;
    const bool known = cached.place.symbol != raw::none && cached.place.offset == 0;
    cached.function = known ? cached.place.symbol : intern_opaque(*thread.tables.chunk, address);
    cached.asked = true;
    if (cached.function == raw::none)
        ++header(thread).lost;
    return cached.function;
}

}  // namespace

namespace {

// `event_here` is asked only when the dispatch is to be noted.
template <class Event>
int enter_dispatch(Thread &thread, const Dispatch &dispatch, Event event_here, uint64_t frame_address) {
    if (header(thread).open_gap != 0)
        end_gap(thread);
    const raw::Phase phase = phase_of(thread);
    if (phase == raw::sampled && burst_is_over(thread)) {
        begin_gap(thread);
        return 0;
    }
    const uint32_t event = event_here();
    if (event == raw::none || thread.depth == depth_at_most) {
        ++header(thread).lost;
        return 0;
    }
    ++header(thread).recorded[phase];
    ++thread.tables.chunk->events[event].raises[phase];
    note_neighbours(thread, dispatch.site, event, dispatch.mode, phase);
    thread.previous_event = event;
    Frame &frame = thread.frames[thread.depth++];
    frame.address = frame_address;
    frame.site = dispatch.site;
    frame.event = event;
    frame.count = 0;
    frame.position = 0;
    frame.handler = raw::none;
    frame.truncated = false;
    frame.is_trigger = dispatch.is_trigger;
    frame.phase = phase;
    return 1;
}

void begin_dispatch(Thread &thread, uint32_t site, uint64_t frame_address) {
    *thread.countdown = 0;
    drop_frames_below(thread, frame_address);
    drop_same_dispatch(thread, site, frame_address);
}

// In the innermost dispatch.
void add_target(Thread &thread, uint32_t ordinal, uint64_t function, uint64_t context) {
    Frame &frame = thread.frames[thread.depth - 1];
    frame.handler = function_of(thread, function);
    if (frame.count == raw::targets_per_sequence) {
        frame.truncated = true;
        ++frame.position;
        return;
    }
    frame.position = frame.count;
    const Place place = context == 0 ? Place{raw::none, 0} : place_of(thread, context).place;
    frame.targets[frame.count++] = {frame.handler, place.symbol, place.offset, ordinal, 0};
}

}  // namespace

int enter(Thread &thread, uint32_t site, const thalweg_core *core, uint64_t frame_address) {
    begin_dispatch(thread, site, frame_address);
    const Dispatch dispatch{site, take_mode(thread, core), false};
    return enter_dispatch(thread, dispatch, [&] { return event_of(thread, site, core); }, frame_address);
}

int enter_trigger(Thread &thread, uint32_t site, const thalweg_node_head *node, uint64_t frame_address) {
    begin_dispatch(thread, site, frame_address);
    return enter_dispatch(
        thread, {site, THALWEG_RAISE_SYNC, true},
        [&] { return intern_place(thread.tables, site, thalweg_node_place(node)); }, frame_address);
}

// Inside of the trigger that it waited for the function is its handler, and the wait a dispatch of its own. Otherwise it goes on later
// than it was triggered, or waited for something else.
int enter_wait(Thread &thread, uint32_t site, uint64_t function, uint64_t frame_address) {
    begin_dispatch(thread, site, frame_address);
    const bool is_inside = thread.depth > 0 && thread.frames[thread.depth - 1].is_trigger;
    if (is_inside)
        add_target(thread, 0, function, 0);
    const uint32_t mode = is_inside ? THALWEG_RAISE_SYNC : THALWEG_RAISE_ASYNC;
    if (enter_dispatch(
            thread, {site, mode, false}, [&] { return intern_list(thread.tables, site); }, frame_address) == 0)
        return 0;
    add_target(thread, 0, function, 0);
    return 1;
}

void target(Thread &thread, uint32_t ordinal, uint64_t function, uint64_t context, uint64_t stack) {
    drop_frames_below(thread, stack);
    if (thread.depth > 0)
        add_target(thread, ordinal, function, context);
}

void leave(Thread &thread, uint32_t site, uint64_t stack) {
    drop_frames_below(thread, stack);
    uint32_t i = thread.depth;
    while (i > 0 && thread.frames[i - 1].site != site)
        --i;
    if (i == 0)
        return;
    header(thread).unfinished += thread.depth - i;
    thread.depth = i - 1;
    const Frame &frame = thread.frames[i - 1];
    if (!count_sequence(*thread.tables.chunk, {frame.site, frame.event, frame.count, frame.truncated, frame.targets},
                        frame.phase))
        ++header(thread).lost;
}

namespace {

Entered count_entry_of(Thread &thread, uint32_t function, raw::Phase phase) {
    const uint32_t before = count_entry(*thread.tables.chunk, function, phase);
    if (before == raw::none) {
        ++header(thread).lost;
        return {false, true};
    }
    // The first entry may be that of a main loop, which would note as long as the program runs.
    return {before > 0, before + 1 >= first_entries};
}

}  // namespace

Entered enter_function(Thread &thread, uint32_t function) {
    raw::Header &own = header(thread);
    if (*thread.entry_countdown >= 0)  // between the samples: the function is not known yet
        return count_entry_of(thread, function, raw::exact);
    if (own.entries_open_gap != 0) {
        own.entries_skipped += own.entries_open_gap;
        own.entries_open_gap = 0;
        thread.entry_burst_left = burst_entries;
    }
    const bool exact = thread.all || own.entered[raw::exact] < exact_entries;
    if (!exact && thread.entry_burst_left == 0) {
        own.entries_open_gap = mean_gap_entries / 2 + next_random(thread) % mean_gap_entries;
        *thread.entry_countdown = static_cast<int32_t>(own.entries_open_gap) - 1;
        return {};
    }
    *thread.entry_countdown = 0;
    thread.entry_burst_left -= exact ? 0 : 1;
    const raw::Phase phase = exact ? raw::exact : raw::sampled;
    ++own.entered[phase];
    return count_entry_of(thread, function, phase);
}

bool note(Thread &thread, uint32_t place, uint64_t value, bool is_pointer) {
    // No object lies in the first page: these are numbers that stand where a pointer might, null among them.
    constexpr uint64_t first_page = 4096;
    Place symbol{raw::none, 0};
    if (is_pointer && value >= first_page)
        symbol = place_of(thread, value).place;
    const bool is_address = symbol.symbol != raw::none;
    raw::Fact *fact = note_fact(*thread.tables.chunk, place, symbol.symbol, is_address ? symbol.offset : value);
    if (fact == nullptr) {
        ++header(thread).lost;
        return false;
    }
    if (is_pointer && value >= first_page && !is_address)
        note_varying(*fact);
    return fact->varies == 0 && fact->notes < notes_at_most;
}

void close_gap(Thread &thread) {
    raw::Header &own = header(thread);
    const uint64_t entries_left = *thread.entry_countdown > 0 ? static_cast<uint64_t>(*thread.entry_countdown) : 0;
    own.entries_skipped += own.entries_open_gap > entries_left ? own.entries_open_gap - entries_left : 0;
    own.entries_open_gap = 0;
    const uint64_t left = *thread.countdown > 0 ? static_cast<uint64_t>(*thread.countdown) : 0;
    own.skipped += own.open_gap > left ? own.open_gap - left : 0;
    own.open_gap = 0;
}

}  // namespace thalweg::recorder
