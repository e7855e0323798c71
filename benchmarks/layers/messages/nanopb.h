// benchmarks: a report into bytes and back.
#pragma once

#include "report.pb.h"

bool encode_report(uint8_t *bytes, size_t room, const weather_Report *report, size_t *size);
bool decode_report(const uint8_t *bytes, size_t size, weather_Report *report);
