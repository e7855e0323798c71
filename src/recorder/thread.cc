// recorder: what one thread has going on: the dispatches it is in, and when it samples.
#include "recorder/thread.h"

#include <thalweg/abi.h>

namespace thalweg::recorder {

namespace {

raw::Header &header(Thread &thread) { return *thread.tables.header; }

// xorshift64: gaps must differ, not be secret.
uint64_t next_random(Thread &thread) {
    thread.random ^= thread.random << 13;
    thread.random ^= thread.random >> 7;
    thread.random ^= thread.random << 17;
    return thread.random;
}

// Frames below `limit` have been left by an exception; they told nobody.
void drop_frames_below(Thread &thread, uint64_t limit) {
    while (thread.depth > 0 && thread.frames[thread.depth - 1].address < limit) {
        --thread.depth;
        ++header(thread).unfinished;
    }
    close_timings(thread.timer, thread.depth);
}

// A dispatch of the same loop in the same function's frame cannot be inside itself: the earlier one was left.
void drop_same_dispatch(Thread &thread, uint32_t site, uint64_t frame_address) {
    for (uint32_t i = thread.depth; i > 0 && thread.frames[i - 1].address == frame_address; --i) {
        if (thread.frames[i - 1].site != site)
            continue;
        header(thread).unfinished += thread.depth - (i - 1);
        thread.depth = i - 1;
        close_timings(thread.timer, thread.depth);
        return;
    }
}

// Between g / 2 and 3 g / 2, g on average.
void grant(Thread &thread, Counting &counting, uint32_t at, uint64_t gap) {
    raw::Slot &slot = thread.tables.slots(counting.table)[at];
    SlotState &state = counting.states[at];
    const uint64_t length = gap / 2 + next_random(thread) % gap;
    slot.left = static_cast<int32_t>(length);
    __atomic_signal_fence(
        __ATOMIC_RELEASE);  // a reader of a process that was killed in between sees too few, not too many
    slot.granted += length;
    counting.passed += state.gap;
    state.gap = length;
}

// Whether there is room to look at each slot closely.
bool notes_freely(const Thread &thread) {
    return thread.tables.header->recorded <= noted_freely + thread.dispatches.passed / noted_share;
}

uint32_t first_of_slot(const Thread &thread) {
    return notes_freely(thread) ? first_dispatches : first_dispatches_of_many;
}

bool times_freely(const Thread &thread) {
    return thread.timer.first <= timed_freely + thread.tables.header->recorded / timed_share;
}

uint64_t gap_of(const Thread &thread, const raw::Slot &slot) {
    if (!notes_freely(thread))
        return mean_gap_dispatches;
    const uint64_t share = slot.granted / young_gap_share;
    if (share >= mean_gap_dispatches)
        return mean_gap_dispatches;
    return share < least_gap_dispatches ? least_gap_dispatches : share;
}

raw::Slot &slot_of(Thread &thread, uint32_t slot) { return thread.tables.slots(raw::dispatch_slots)[slot]; }

uint32_t length_of_sample(const Thread &thread, const SlotState &state) {
    if (!notes_freely(thread) && state.noted < first_dispatches_of_many)
        return 1;
    if (state.noted < first_of_slot(thread))
        return state.noted == 0 ? burst_dispatches : first_burst_dispatches;
    return thread.is_steady ? burst_dispatches : young_burst_dispatches;
}

// It is this slot's turn.
void begin_sample(Thread &thread, uint32_t slot) {
    // With the longest gap before it: any dispatch of the program was as likely to be the sample's first.
    constexpr uint64_t steady_from = (young_gap_share + 2) * mean_gap_dispatches;
    const SlotState &state = thread.dispatches.states[slot];
    thread.is_steady = state.noted >= first_of_slot(thread) && slot_of(thread, slot).granted >= steady_from;
    ++thread.sample;
    thread.sampled_slot = slot;
    thread.previous_event = raw::none;
    thread.burst_left = length_of_sample(thread, state) - 1;
    thread.overrun_left = thread.burst_left == 0 ? 0 : overrun_dispatches;
    thread.burst_depth = thread.depth;
    const raw::Slot &own = slot_of(thread, slot);
    const uint64_t passed = own.granted > own.attributed ? own.granted - own.attributed : 1;
    const bool is_timed = passed >= timed_gap_dispatches || times_freely(thread);
    thread.timer.sample = {passed, is_timed ? 0 : parts_of_sample};
    thread.timer.first += is_timed && passed < timed_gap_dispatches ? parts_of_sample : 0;
    *thread.dispatches.slots = thread.dispatches.asking;
}

bool sample_is_over(Thread &thread) {
    if (thread.burst_left > 0) {
        --thread.burst_left;
        return false;
    }
    if (thread.depth <= thread.burst_depth || thread.overrun_left == 0)
        return true;
    --thread.overrun_left;
    return false;
}

bool is_exact(const Thread &thread, const Counting &counting) { return thread.all || counting.exact_left > 0; }

// The program asked for this dispatch. False: it is not to be noted, and counted.
bool is_to_be_noted(Thread &thread, const At &at) {
    Counting &counting = thread.dispatches;
    (*counting.slots)[at.slot].left = 0;
    raw::Slot &own = slot_of(thread, at.slot);
    own.owner = at.site + 1;
    thread.timer.stands_for = 0;
    if (is_exact(thread, counting)) {
        const bool is_first = counting.states[at.slot].noted < timed_dispatches && times_freely(thread);
        thread.timer.stands_for = is_first ? 1 : take_turn(thread.timer.turns, 0);
        thread.timer.first += is_first ? 1 : 0;
        return true;
    }
    const bool is_in_sample = counting.asks(thread.tables) && !sample_is_over(thread);
    if (!is_in_sample && own.left <= 0)
        begin_sample(thread, at.slot);
    if (is_in_sample || own.left <= 0) {
        if (at.slot == thread.sampled_slot)
            thread.timer.stands_for = take_part(thread.timer.sample);
        return true;
    }
    --own.left;
    for (uint32_t i = 0; i < thread.depth; ++i)
        thread.frames[i].has_unnoted = true;
    *counting.slots = thread.tables.slots(raw::dispatch_slots);
    return false;
}

// What passed in the slot and was not noted is shared out among those that are noted when it is the slot's turn: what the others do, they
// do beside this one.
uint64_t attribute(Thread &thread, raw::Slot &own, SlotState &state) {
    const uint64_t passed = own.granted - static_cast<uint64_t>(own.left > 0 ? own.left : 0);
    const uint64_t share = (passed - own.attributed + attributed_share - 1) / attributed_share;
    if (share == 0)
        return 0;
    if (state.sample != thread.sample)
        state.attributed = 0;
    state.sample = thread.sample;
    own.squares += static_cast<double>(share) * static_cast<double>(2 * state.attributed + share);
    state.attributed += share;
    own.attributed += share;
    return share;
}

// The dispatch is noted. Gives how many it stands for besides itself.
uint64_t take_note(Thread &thread, uint32_t slot) {
    Counting &counting = thread.dispatches;
    SlotState &state = counting.states[slot];
    state.noted += state.noted < UINT32_MAX ? 1 : 0;
    ++header(thread).recorded;
    if (is_exact(thread, counting)) {
        counting.exact_left -= counting.exact_left > 0 ? 1 : 0;
        return 0;
    }
    raw::Slot &own = slot_of(thread, slot);
    const uint64_t estimated = slot == thread.sampled_slot ? attribute(thread, own, state) : 0;
    if (own.left <= 0 && state.noted >= first_of_slot(thread))
        grant(thread, counting, slot, gap_of(thread, own));
    return estimated;
}

// What is about to be entered.
struct Dispatch {
    At at;
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

// A sample's first dispatch has a neighbour and may be nested, but in what is not known. A sample that any dispatch may begin stands for as
// many others in this; one that an event's first dispatches began stands for itself: after these something else may run than does elsewhere.
void note_neighbours(Thread &thread, const Dispatch &dispatch, uint32_t event) {
    Tables &tables = thread.tables;
    const bool is_sampled = !is_exact(thread, thread.dispatches) && thread.is_steady;
    const bool stands = is_sampled && thread.previous_event != raw::none;
    const Weight weight{1, stands ? 1u : 0u};
    bool kept = true;
    if (thread.previous_event != raw::none)
        kept &= count_edge(tables, {thread.previous_event, event, dispatch.mode, 0, {}}, weight);
    if (thread.depth > 0 && thread.frames[thread.depth - 1].count > 0 && !thread.frames[thread.depth - 1].truncated) {
        const Frame &parent = thread.frames[thread.depth - 1];
        kept &= count_nesting(
            tables,
            {parent.event, parent.site, parent.position, parent.handler, event, dispatch.at.site, dispatch.mode, 0, {}},
            weight);
    }
    if (!kept)
        ++header(thread).lost;
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
    cached.function = known ? cached.place.symbol : intern_opaque(thread.tables, address);
    cached.asked = true;
    if (cached.function == raw::none)
        ++header(thread).lost;
    return cached.function;
}

}  // namespace

namespace {

// `event_here` is asked only when the dispatch is to be noted.
template <class Event>
int enter_dispatch(Thread &thread, const Dispatch &dispatch, Event event_here) {
    if (!is_to_be_noted(thread, dispatch.at))
        return 0;
    const uint32_t event = event_here();
    if (event == raw::none || thread.depth == depth_at_most) {
        ++header(thread).lost;
        return 0;
    }
    note_neighbours(thread, dispatch, event);
    const uint64_t estimated = take_note(thread, dispatch.at.slot);
    if (!count_raise(thread.tables, event, dispatch.at.slot, dispatch.at.site, {1, estimated}))
        ++header(thread).lost;
    thread.previous_event = event;
    Frame &frame = thread.frames[thread.depth++];
    frame.address = dispatch.at.frame_address;
    frame.site = dispatch.at.site;
    frame.event = event;
    frame.count = 0;
    frame.position = 0;
    frame.handler = raw::none;
    frame.truncated = false;
    frame.is_trigger = dispatch.is_trigger;
    frame.slot = dispatch.at.slot;
    frame.estimated = estimated;
    frame.timing = begin_timing(thread.timer, thread.depth);
    frame.inside_ns = 0;
    frame.has_unnoted = false;
    return 1;
}

void begin_dispatch(Thread &thread, const At &at) {
    drop_frames_below(thread, at.frame_address);
    drop_same_dispatch(thread, at.site, at.frame_address);
}

// In the innermost dispatch.
void add_target(Thread &thread, uint32_t ordinal, uint64_t function, uint64_t context) {
    Frame &frame = thread.frames[thread.depth - 1];
    frame.truncated = frame.count == raw::targets_per_sequence;
    if (frame.truncated)
        return;
    frame.handler = function_of(thread, function);
    frame.position = frame.count;
    const Place place = context == 0 ? Place{raw::none, 0} : place_of(thread, context).place;
    frame.targets[frame.count++] = {frame.handler, place.symbol, place.offset, ordinal, 0};
}

}  // namespace

void begin(Thread &thread, SlotsPointer dispatch_slots, SlotsPointer entry_slots) {
    Tables &tables = thread.tables;
    thread.dispatches.slots = tables.counting[raw::dispatch_slots] = dispatch_slots;
    thread.entries.slots = tables.counting[raw::entry_slots] = entry_slots;
    Counting *const both[] = {&thread.dispatches, &thread.entries};
    for (Counting *counting : both)
        *counting->slots = is_exact(thread, *counting) ? counting->asking : tables.slots(counting->table);
    thread.previous_event = raw::none;
    thread.depth = 0;
    thread.mode = 0;
    thread.burst_left = 0;
    thread.overrun_left = 0;
    thread.entry_burst_left = 0;
    thread.last_call = {};
    thread.call_timer.is_returned = thread.call_timer.is_entered = false;
    close_timings(thread.timer, 0);
}

void give_up_timings(Thread &thread) {
    for (uint32_t i = 0; i < thread.depth; ++i)
        thread.frames[i].timing.stands_for = 0;
    close_timings(thread.timer, 0);
}

int enter(Thread &thread, const At &at, const thalweg_core *core) {
    begin_dispatch(thread, at);
    return enter_dispatch(thread, {at, take_mode(thread, core), false},
                          [&] { return event_of(thread, at.site, core); });
}

int enter_trigger(Thread &thread, const At &at, const thalweg_node_head *node) {
    begin_dispatch(thread, at);
    return enter_dispatch(thread, {at, THALWEG_RAISE_SYNC, true},
                          [&] { return intern_place(thread.tables, at.site, thalweg_node_place(node)); });
}

// Inside of the trigger that it waited for the function is its handler, and the wait a dispatch of its own. Otherwise it goes on later
// than it was triggered, or waited for something else.
int enter_wait(Thread &thread, const At &at, uint64_t function) {
    begin_dispatch(thread, at);
    const bool is_inside = thread.depth > 0 && thread.frames[thread.depth - 1].is_trigger;
    if (is_inside)
        add_target(thread, 0, function, 0);
    const uint32_t mode = is_inside ? THALWEG_RAISE_SYNC : THALWEG_RAISE_ASYNC;
    if (enter_dispatch(thread, {at, mode, false}, [&] { return intern_list(thread.tables, at.site); }) == 0)
        return 0;
    add_target(thread, 0, function, 0);
    return 1;
}

void target(Thread &thread, uint32_t ordinal, uint64_t function, uint64_t context, uint64_t stack) {
    drop_frames_below(thread, stack);
    if (thread.depth > 0)
        add_target(thread, ordinal, function, context);
}

namespace {

// Of a dispatch that has just ended.
void note_time(Thread &thread, const Frame &frame) {
    const int64_t time_ns = time_of(thread.timer, frame.timing);
    if (thread.depth > 0)
        thread.frames[thread.depth - 1].inside_ns += time_ns;
    if (frame.timing.stands_for == 0)
        return;
    const raw::Raise key{frame.event, frame.slot, frame.site, 0, {}, {}, {}};
    const auto weight = static_cast<double>(frame.timing.stands_for);
    count_time(thread.tables, key, &raw::Raise::whole, weight, time_ns);
    if (!frame.has_unnoted)
        count_time(thread.tables, key, &raw::Raise::own, weight, time_ns - frame.inside_ns);
}

}  // namespace

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
    if (!count_sequence(thread.tables, {frame.site, frame.event, frame.count, frame.truncated, frame.targets},
                        {1, frame.estimated}))
        ++header(thread).lost;
    if (is_timing(thread.timer))
        note_time(thread, frame);
    close_timings(thread.timer, thread.depth);
}

namespace {

// Of this entry: false, it is counted and no more.
bool notes_entry(Thread &thread, raw::Slot &own, const SlotState &state) {
    Counting &counting = thread.entries;
    if (is_exact(thread, counting)) {
        counting.exact_left -= counting.exact_left > 0 ? 1 : 0;
        return true;
    }
    const bool asks = counting.asks(thread.tables);
    if (asks && thread.entry_burst_left > 0) {
        --thread.entry_burst_left;
        return true;
    }
    *counting.slots = thread.tables.slots(raw::entry_slots);
    if (own.left > 0) {
        --own.left;
        return false;
    }
    if (state.noted >= first_entries) {
        thread.entry_burst_left = burst_entries - 1;
        *counting.slots = counting.asking;
    }
    return true;
}

}  // namespace

bool enter_function(Thread &thread, uint32_t function, uint32_t slot) {
    Counting &counting = thread.entries;
    (*counting.slots)[slot].left = 0;
    raw::Slot &own = thread.tables.slots(raw::entry_slots)[slot];
    SlotState &state = counting.states[slot];
    own.owner = function + 1;
    if (!notes_entry(thread, own, state))
        return false;
    ++own.granted;
    // The first entry may be that of a main loop, which would note as long as the program runs.
    const bool is_first = state.noted == 0;
    state.noted += state.noted < UINT32_MAX ? 1 : 0;
    if (!is_exact(thread, counting) && own.left <= 0 && state.noted >= first_entries)
        grant(thread, counting, slot, mean_gap_entries);
    return !is_first;
}

bool note(Thread &thread, uint32_t place, uint64_t value, bool is_pointer) {
    // No object lies in the first page: these are numbers that stand where a pointer might, null among them.
    constexpr uint64_t first_page = 4096;
    Place symbol{raw::none, 0};
    if (is_pointer && value >= first_page)
        symbol = place_of(thread, value).place;
    const bool is_address = symbol.symbol != raw::none;
    raw::Fact *fact = note_fact(thread.tables, place, symbol.symbol, is_address ? symbol.offset : value);
    if (fact == nullptr) {
        ++header(thread).lost;
        return false;
    }
    if (is_pointer && value >= first_page && !is_address)
        note_varying(*fact);
    return fact->varies == 0 && fact->notes < notes_at_most;
}

}  // namespace thalweg::recorder
