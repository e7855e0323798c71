// examples: what --stats prints
#pragma once

#include "composite/composite.h"
#include "ctp/context.h"

namespace video {

// On standard error: one line an event (program, name, raises, of these timed, microseconds in handlers), then totals.
void print_statistics(const char *program, composite::Composite &composite, const ctp::Statistics &transport);

}  // namespace video
