// benchmarks: the limit: this one message, written by hand.
#include "protobuf_c.h"
#include "wire.h"

// protobuf_c.c, compiled under this name.
size_t general_pack_report(const Weather__Report *report, uint8_t *bytes);

// Of these, an array's length takes one byte whatever they are; a longer one goes the general way.
enum { FEW = 12 };

static uint8_t *put_position(uint8_t *at, uint8_t key, const Weather__Position *position) {
    uint8_t *length_at = at + 1;
    *at = key;
    at = length_at + 1;
    *at++ = 0x08;
    at = put_varint(at, zigzag(position->latitude));
    *at++ = 0x10;
    at = put_varint(at, zigzag(position->longitude));
    if (position->has_altitude) {
        *at++ = 0x18;
        at = put_varint(at, position->altitude);
    }
    return put_length(length_at, at);
}

static uint8_t *put_text(uint8_t *at, uint8_t key, const char *text) {
    *at = key;
    return put_string(at + 1, text, text == NULL ? 0 : strlen(text));
}

static uint8_t *put_samples(uint8_t *at, const Weather__Report *report) {
    if (report->n_samples == 0)
        return at;
    uint8_t *length_at = at + 1;
    *at = 0x52;
    at = length_at + 1;
    for (size_t i = 0; i < report->n_samples; ++i)
        at = put_varint(at, report->samples[i]);
    return put_length(length_at, at);
}

static uint8_t *put_first_half(uint8_t *at, const Weather__Report *report) {
    *at++ = 0x08;
    at = put_varint(at, report->station);
    *at++ = 0x10;
    at = put_varint(at, report->time);
    at = put_text(at, 0x1a, report->name);
    *at++ = 0x20;
    at = put_varint(at, zigzag(report->temperature));
    *at++ = 0x28;
    at = put_varint(at, report->humidity);
    *at++ = 0x35;
    at = put_bytes(at, &report->serial, 4);
    *at++ = 0x38;
    *at++ = report->online != 0;
    return at;
}

static uint8_t *put_second_half(uint8_t *at, const Weather__Report *report) {
    at = put_position(at, 0x4a, report->position);
    at = put_samples(at, report);
    for (size_t i = 0; i < report->n_track; ++i)
        at = put_position(at, 0x5a, report->track[i]);
    *at++ = 0x65;
    at = put_bytes(at, &report->voltage, 4);
    if (report->has_errors) {
        *at++ = 0x68;
        at = put_varint(at, report->errors);
    }
    *at++ = 0x70;
    // Negative numbers of an enumeration take ten bytes.
    at = put_varint(at, (uint64_t)(int64_t)(int32_t)report->mode);
    *at++ = 0x7a;
    at = put_string(at, report->key.data, report->key.len);
    if (report->has_pressure) {
        *at++ = 0xe1;
        *at++ = 0x12;
        at = put_bytes(at, &report->pressure, 8);
    }
    return at;
}

size_t pack_report(const Weather__Report *report, uint8_t *bytes) {
    if (report->position == NULL || report->n_samples > FEW || report->base.n_unknown_fields > 0)
        return general_pack_report(report, bytes);
    uint8_t *at = put_first_half(bytes, report);
    if (report->remark != NULL)
        at = put_text(at, 0x42, report->remark);
    return (size_t)(put_second_half(at, report) - bytes);
}
