// benchmarks: with nanopb, whose descriptors are constants made by its generator.
#include "nanopb.h"

#include <pb_decode.h>
#include <pb_encode.h>

bool encode_report(uint8_t *bytes, size_t room, const weather_Report *report, size_t *size) {
    pb_ostream_t stream = pb_ostream_from_buffer(bytes, room);
    const bool done = pb_encode(&stream, weather_Report_fields, report);
    *size = stream.bytes_written;
    return done;
}

bool decode_report(const uint8_t *bytes, size_t size, weather_Report *report) {
    pb_istream_t stream = pb_istream_from_buffer(bytes, size);
    return pb_decode(&stream, weather_Report_fields, report);
}
