// runtime: every event of the process, typed or not, by name, id and address. Any thread.
#pragma once

#include "internal.h"

namespace thalweg::runtime {

struct RunningStack;

void register_event(thalweg_event_info *info);  // gives it its id
void forget_event(thalweg_event_info *info);

thalweg_core *find_named(const char *name);
thalweg_core *find_id(uint64_t id);
// An event's innermost raise has its frame there.
bool has_raise_on(const RunningStack &stack);
bool is_event(const void *core);

}  // namespace thalweg::runtime
