// recorder: system calls: how often, what came of them, and which followed which in a thread.
#include "recorder/system_call.h"

#include "abi/probe.h"
#include "recorder/entry.h"

namespace thalweg::recorder {

namespace {

// An address space has no more bytes (x86-64, 47 bits for a process); what asks for more fails, and is not to drown the others.
constexpr uint64_t bytes_at_most = uint64_t{1} << 47;

bool has(const CallNote &note, uint32_t flag) { return (note.flags & flag) != 0; }

bool is_error(const CallNote &note) {
    if (has(note, THALWEG_CALL_GIVES_ERROR_NUMBER))
        return note.result != 0;
    return note.result == -1 || (has(note, THALWEG_CALL_GIVES_ADDRESS) && note.result == 0);
}

uint64_t capped(uint64_t bytes) { return bytes < bytes_at_most ? bytes : bytes_at_most; }

// The sum is there before the number: a reader of a process that was killed in between sees no time for nothing.
void count_inside(raw::SystemCall &entry, const CallTimes &times) {
    if (!times.returned)
        return;
    entry.inside_ns += times.inside_ns;
    __atomic_signal_fence(__ATOMIC_RELEASE);
    ++entry.timed;
}

void count_between(raw::SystemCallEdge &edge, const CallTimes &times) {
    if (!times.any)
        return;
    const bool is_shortest = edge.timed == 0 || times.between_ns < edge.least_ns;
    edge.between_ns += times.between_ns;
    edge.least_ns = is_shortest ? times.between_ns : edge.least_ns;
    __atomic_signal_fence(__ATOMIC_RELEASE);
    ++edge.timed;
}

void count(raw::SystemCall &entry, const CallNote &note) {
    const bool failed = is_error(note);
    ++entry.calls;
    entry.errors += failed ? 1 : 0;
    if (has(note, THALWEG_CALL_HAS_SIZE))
        entry.asked_bytes += capped(note.size);
    if (failed)
        return;
    if (has(note, THALWEG_CALL_GIVES_ADDRESS) && has(note, THALWEG_CALL_HAS_SIZE))
        entry.given_bytes += capped(note.size);
    if (!has(note, THALWEG_CALL_GIVES_BYTES) || note.result < 0)
        return;
    const auto given = static_cast<uint64_t>(note.result);
    entry.given_bytes += capped(given);
    const bool has_size = has(note, THALWEG_CALL_HAS_SIZE);
    entry.zeros += given == 0 && (!has_size || note.size > 0) ? 1 : 0;
    entry.shorts += has_size && given < note.size ? 1 : 0;
}

bool same_descriptor(const CallNote &from, const CallNote &to) {
    if (to.descriptor < 0)
        return false;
    return to.descriptor == from.descriptor ||
           (has(from, THALWEG_CALL_GIVES_DESCRIPTOR) && to.descriptor == from.result);
}

uint64_t buffer_of(const CallNote &note) {
    const bool gives = has(note, THALWEG_CALL_GIVES_ADDRESS) && !is_error(note);
    return gives ? static_cast<uint64_t>(note.result) : note.buffer;
}

bool same_buffer(const CallNote &from, const CallNote &to) { return to.buffer != 0 && to.buffer == buffer_of(from); }

bool result_is_size(const CallNote &from, const CallNote &to) {
    return has(from, THALWEG_CALL_GIVES_BYTES) && has(to, THALWEG_CALL_HAS_SIZE) && from.result > 0 &&
           static_cast<uint64_t>(from.result) == to.size;
}

// Of writes at the descriptor's own offset one goes on where the other ended.
bool adjacent(const CallNote &from, const CallNote &to) {
    const bool writes = has(from, THALWEG_CALL_IS_WRITE) && has(to, THALWEG_CALL_IS_WRITE);
    if (!writes || from.descriptor != to.descriptor || from.result < 0)
        return false;
    if (from.offset < 0 || to.offset < 0)
        return from.offset < 0 && to.offset < 0;
    return static_cast<uint64_t>(to.offset) == static_cast<uint64_t>(from.offset) + static_cast<uint64_t>(from.result);
}

bool count_edge(Tables &tables, const CallNote &from, const CallNote &to, const CallTimes &times) {
    raw::SystemCallEdge *edge = entry_for<raw::SystemCallEdge>(
        tables, raw::system_call_edges, mixed(uint64_t{from.site} << 32 | to.site),
        [&](const raw::SystemCallEdge &other) { return other.from == from.site && other.to == to.site; },
        [&](raw::SystemCallEdge &fresh) {
            fresh.from = from.site;
            fresh.to = to.site;
            return true;
        });
    if (edge == nullptr)
        return false;
    // First the whole, then its parts: a reader of a process that was killed in between sees no part that is more than the whole.
    ++edge->weight;
    __atomic_signal_fence(__ATOMIC_RELEASE);
    edge->same_descriptor += same_descriptor(from, to) ? 1 : 0;
    edge->same_buffer += same_buffer(from, to) ? 1 : 0;
    edge->result_is_size += result_is_size(from, to) ? 1 : 0;
    edge->adjacent += adjacent(from, to) ? 1 : 0;
    count_between(*edge, times);
    return true;
}

}  // namespace

uint64_t hash_of(const raw::SystemCall &entry) { return mixed(entry.site + 1); }

uint64_t hash_of(const raw::SystemCallEdge &entry) { return mixed(uint64_t{entry.from} << 32 | entry.to); }

uint64_t hash_of(const raw::Release &entry) { return mixed(uint64_t{entry.from} << 32 | entry.to); }

bool note_call(Tables &tables, LastCall &last, const CallNote &note, const CallTimes &times) {
    raw::SystemCall *entry = entry_for<raw::SystemCall>(
        tables, raw::system_calls, mixed(note.site + 1),
        [&](const raw::SystemCall &other) { return other.site == note.site; },
        [&](raw::SystemCall &fresh) {
            fresh.site = note.site;
            return true;
        });
    if (entry != nullptr) {
        count(*entry, note);
        count_inside(*entry, times);
    }
    const bool kept = !last.any || count_edge(tables, last.note, note, times);
    last = {true, note};
    return kept && entry != nullptr;
}

bool note_release(Tables &tables, uint32_t from, uint32_t to) {
    raw::Release *release = entry_for<raw::Release>(
        tables, raw::releases, mixed(uint64_t{from} << 32 | to),
        [&](const raw::Release &other) { return other.from == from && other.to == to; },
        [&](raw::Release &fresh) {
            fresh.from = from;
            fresh.to = to;
            return true;
        });
    if (release == nullptr)
        return false;
    ++release->count;
    return true;
}

bool gives_large_block(const CallNote &note) {
    return has(note, THALWEG_CALL_GIVES_ADDRESS) && has(note, THALWEG_CALL_HAS_SIZE) && !is_error(note) &&
           note.size >= THALWEG_PROBE_LARGE_BLOCK;
}

}  // namespace thalweg::recorder
