// benchmarks: a report into bytes, of which there are enough.
#pragma once

#include "report.pb-c.h"

size_t pack_report(const Weather__Report *report, uint8_t *bytes);
