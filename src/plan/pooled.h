// plan: events that differ in nothing but the object that they are.
#pragma once

#include "model/profile.h"

namespace thalweg::plan {

// Unnamed events that were made at one place ("file:line", "file:line #2", ...) and run the same functions: a connection's event, say, of
// which each connection has its own. One super-handler serves them all, so that what each of them weighs counts together. The others stay apart.
model::Profile pooled(const model::Profile &profile);

}  // namespace thalweg::plan
