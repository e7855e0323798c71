// runtime: the parts of a complex event of the C interface.
#pragma once

#include "event_layout.h"

namespace thalweg::runtime {

struct Part {
    thalweg_composed *whole;
    const void *core;
    uint64_t event_id;  // 0: not bound
    thalweg_binding_id binding;
};

void free_composed(thalweg_composed *composed);

// The handler of each part.
void part_raised(void *part, thalweg_event *event, const thalweg_value *arguments, size_t count);

}  // namespace thalweg::runtime

struct thalweg_composed {
    thalweg_event *event;
    thalweg_pattern *pattern;
    size_t count;
    thalweg::runtime::Part parts[];  // NOLINT: C's flexible array, which both compilers accept
};
