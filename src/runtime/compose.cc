// runtime: complex events: when a pattern of other events is complete.
#include "compose.h"

#include <cstdlib>

#include "internal.h"
#include "loop_state.h"
#include "registry.h"

using namespace thalweg::runtime;

// since: of ALL_OF, when the part was raised last; of SEQUENCE, when the youngest run of the parts up to this one began.
// 0: not yet.
struct PatternPart {
    const void *part;
    uint64_t since;
};
struct thalweg_pattern {
    thalweg_pattern_kind kind;
    uint64_t within_ns;
    size_t count;
    PatternPart parts[];  // NOLINT: C's flexible array, which both compilers accept
};

namespace {

bool is_recent(const thalweg_pattern *pattern, uint64_t since, uint64_t now) {
    return since != 0 && (pattern->within_ns == 0 || now - since <= pattern->within_ns);
}

bool all_seen(const thalweg_pattern *pattern, uint64_t now) {
    for (size_t i = 0; i < pattern->count; ++i) {
        if (!is_recent(pattern, pattern->parts[i].since, now))
            return false;
    }
    return true;
}

// The last first: one raise of an event that is several parts counts once.
bool note_raise(thalweg_pattern *pattern, const void *part, uint64_t now) {
    for (size_t i = pattern->count; i-- > 0;) {
        if (pattern->parts[i].part != part)
            continue;
        const bool begins = pattern->kind == THALWEG_ALL_OF || i == 0;
        const uint64_t since = begins ? now : pattern->parts[i - 1].since;
        if (!is_recent(pattern, since, now))
            continue;
        pattern->parts[i].since = since;
        if (pattern->kind == THALWEG_SEQUENCE && i + 1 == pattern->count)
            return true;
    }
    return pattern->kind == THALWEG_ALL_OF && all_seen(pattern, now);
}

thalweg_status bind_parts(thalweg_composed *composed, thalweg_event *const *events) {
    const auto *cores = reinterpret_cast<const void *const *>(events);
    for (size_t i = 0; i < composed->count; ++i) {
        Part &part = composed->parts[i];
        if (thalweg_pattern_has_before(cores, i))
            continue;
        part.whole = composed;
        part.core = cores[i];
        if (const thalweg_status status = thalweg_bind(events[i], part_raised, &part, 0, &part.binding))
            return status;
        part.event_id = thalweg_event_id(events[i]);
    }
    return THALWEG_OK;
}

}  // namespace

thalweg_pattern *thalweg_pattern_create(thalweg_pattern_kind kind, uint64_t within_ns, const void *const *parts,
                                        size_t count) noexcept {
    auto *pattern = static_cast<thalweg_pattern *>(allocate(sizeof(thalweg_pattern) + count * sizeof(PatternPart)));
    pattern->kind = kind;
    pattern->within_ns = within_ns;
    pattern->count = count;
    for (size_t i = 0; i < count; ++i)
        pattern->parts[i].part = parts[i];
    return pattern;
}

int thalweg_pattern_has_before(const void *const *parts, size_t index) noexcept {
    for (size_t i = 0; i < index; ++i) {
        if (parts[i] == parts[index])
            return 1;
    }
    return 0;
}

void thalweg_pattern_destroy(thalweg_pattern *pattern) noexcept { free(pattern); }

int thalweg_pattern_seen(thalweg_pattern *pattern, const void *part) noexcept {
    if (pattern->kind == THALWEG_ANY_OF)
        return 1;
    // Without a limit any time will do, and the clock is not asked.
    const uint64_t now = pattern->within_ns ? clock_of_thread() : 1;
    if (!note_raise(pattern, part, now))
        return 0;
    for (size_t i = 0; i < pattern->count; ++i)
        pattern->parts[i].since = 0;
    return 1;
}

thalweg_status thalweg_compose(thalweg_composite *composite, const char *name, thalweg_pattern_kind kind,
                               uint64_t within_ns, thalweg_event *const *parts, size_t count,
                               thalweg_event **out) noexcept {
    if (!parts || !name || !out)
        return THALWEG_NULL_POINTER;
    if (count == 0 || kind < THALWEG_ANY_OF || kind > THALWEG_SEQUENCE)
        return THALWEG_OUT_OF_RANGE;
    thalweg_event *event = nullptr;
    if (const thalweg_status status = thalweg_event_create(composite, name, &event))
        return status;
    event->composed = static_cast<thalweg_composed *>(allocate(sizeof(thalweg_composed) + count * sizeof(Part)));
    event->composed->event = event;
    event->composed->pattern =
        thalweg_pattern_create(kind, within_ns, reinterpret_cast<const void *const *>(parts), count);
    event->composed->count = count;
    if (const thalweg_status status = bind_parts(event->composed, parts)) {
        thalweg_event_destroy(event);
        return status;
    }
    *out = event;
    return THALWEG_OK;
}

namespace thalweg::runtime {

void free_composed(thalweg_composed *composed) {
    for (size_t i = 0; i < composed->count; ++i) {
        const Part &part = composed->parts[i];
        thalweg_core *core = part.event_id ? find_id(part.event_id) : nullptr;
        if (core)
            thalweg_unbind(reinterpret_cast<thalweg_event *>(core), part.binding);
    }
    thalweg_pattern_destroy(composed->pattern);
    free(composed);
}

}  // namespace thalweg::runtime
