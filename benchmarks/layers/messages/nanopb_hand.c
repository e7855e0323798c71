// benchmarks: the limit: this one message, written by hand. Whatever is not as usual goes nanopb's way, so that errors are
// what they always were.
#include "nanopb.h"
#include "wire.h"

// nanopb.c, compiled under these names.
bool general_encode_report(uint8_t *bytes, size_t room, const weather_Report *report, size_t *size);
bool general_decode_report(const uint8_t *bytes, size_t size, weather_Report *report);

static uint8_t *put_position(uint8_t *at, uint8_t key, const weather_Position *position) {
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

static uint8_t *put_samples(uint8_t *at, const weather_Report *report) {
    if (report->samples_count == 0)
        return at;
    uint8_t *length_at = at + 1;
    *at = 0x52;
    at = length_at + 1;
    for (pb_size_t i = 0; i < report->samples_count; ++i)
        at = put_varint(at, report->samples[i]);
    return put_length(length_at, at);
}

static uint8_t *put_first_half(uint8_t *at, const weather_Report *report, size_t name) {
    *at++ = 0x08;
    at = put_varint(at, report->station);
    *at++ = 0x10;
    at = put_varint(at, report->time);
    *at++ = 0x1a;
    at = put_string(at, report->name, name);
    *at++ = 0x20;
    at = put_varint(at, zigzag(report->temperature));
    *at++ = 0x28;
    at = put_varint(at, report->humidity);
    *at++ = 0x35;
    at = put_bytes(at, &report->serial, 4);
    *at++ = 0x38;
    *at++ = report->online;
    return at;
}

static uint8_t *put_second_half(uint8_t *at, const weather_Report *report) {
    at = put_position(at, 0x4a, &report->position);
    at = put_samples(at, report);
    for (pb_size_t i = 0; i < report->track_count; ++i)
        at = put_position(at, 0x5a, &report->track[i]);
    *at++ = 0x65;
    at = put_bytes(at, &report->voltage, 4);
    if (report->has_errors) {
        *at++ = 0x68;
        at = put_varint(at, report->errors);
    }
    *at++ = 0x70;
    at = put_varint(at, report->mode);
    *at++ = 0x7a;
    at = put_string(at, report->key.bytes, report->key.size);
    if (report->has_pressure) {
        *at++ = 0xe1;
        *at++ = 0x12;
        at = put_bytes(at, &report->pressure, 8);
    }
    return at;
}

bool encode_report(uint8_t *bytes, size_t room, const weather_Report *report, size_t *size) {
    const size_t name = strnlen(report->name, sizeof report->name);
    const size_t remark = report->has_remark ? strnlen(report->remark, sizeof report->remark) : 0;
    if (room < weather_Report_size || name == sizeof report->name || remark == sizeof report->remark ||
        report->samples_count > 8 || report->track_count > 4 || report->key.size > sizeof report->key.bytes)
        return general_encode_report(bytes, room, report, size);
    uint8_t *at = put_first_half(bytes, report, name);
    if (report->has_remark) {
        *at++ = 0x42;
        at = put_string(at, report->remark, remark);
    }
    *size = (size_t)(put_second_half(at, report) - bytes);
    return true;
}

static const uint8_t *get_u32(const uint8_t *at, const uint8_t *end, uint32_t *value) {
    uint64_t wide = 0;
    at = get_varint(at, end, &wide);
    if (at == NULL || wide > UINT32_MAX)
        return NULL;
    *value = (uint32_t)wide;
    return at;
}

static const uint8_t *get_s32(const uint8_t *at, const uint8_t *end, int32_t *value) {
    uint32_t raw = 0;
    at = get_u32(at, end, &raw);
    *value = unzigzag(raw);
    return at;
}

static const uint8_t *get_bytes(const uint8_t *at, const uint8_t *end, void *bytes, size_t size) {
    if ((size_t)(end - at) < size)
        return NULL;
    memcpy(bytes, at, size);
    return at + size;
}

// The end of what has its length before it, and where it begins. NULL: it is not all there.
static const uint8_t *get_length(const uint8_t **at, const uint8_t *end) {
    uint32_t size = 0;
    *at = get_u32(*at, end, &size);
    return *at == NULL || size > (size_t)(end - *at) ? NULL : *at + size;
}

static const uint8_t *get_string(const uint8_t *at, const uint8_t *end, char *text, size_t room) {
    const uint8_t *stop = get_length(&at, end);
    if (stop == NULL || (size_t)(stop - at) >= room)
        return NULL;
    memcpy(text, at, (size_t)(stop - at));
    text[stop - at] = '\0';
    return stop;
}

// Both fields that must be there, each once, in their order; then perhaps the third.
static const uint8_t *get_position(const uint8_t *at, const uint8_t *end, weather_Position *position) {
    const uint8_t *stop = get_length(&at, end);
    if (stop == NULL || at == stop || *at++ != 0x08)
        return NULL;
    at = get_s32(at, stop, &position->latitude);
    if (at == NULL || at == stop || *at++ != 0x10)
        return NULL;
    at = get_s32(at, stop, &position->longitude);
    position->has_altitude = false;
    position->altitude = 0;
    if (at == NULL || at == stop)
        return at;
    position->has_altitude = true;
    return *at == 0x18 && (at = get_u32(at + 1, stop, &position->altitude)) == stop ? at : NULL;
}

static const uint8_t *get_samples(const uint8_t *at, const uint8_t *end, weather_Report *report) {
    const uint8_t *stop = get_length(&at, end);
    if (stop == NULL)
        return NULL;
    while (at != stop) {
        if (report->samples_count == 8)
            return NULL;
        at = get_u32(at, stop, &report->samples[report->samples_count]);
        if (at == NULL)
            return NULL;
        ++report->samples_count;
    }
    return at;
}

static const uint8_t *get_flag(const uint8_t *at, const uint8_t *end, bool *flag) {
    uint32_t value = 0;
    at = get_u32(at, end, &value);
    *flag = value != 0;
    return at;
}

static const uint8_t *get_key(const uint8_t *at, const uint8_t *end, weather_Report *report) {
    const uint8_t *stop = get_length(&at, end);
    if (stop == NULL || (size_t)(stop - at) > sizeof report->key.bytes)
        return NULL;
    report->key.size = (pb_size_t)(stop - at);
    memcpy(report->key.bytes, at, report->key.size);
    return stop;
}

static const uint8_t *get_field(const uint8_t *at, const uint8_t *end, weather_Report *report, unsigned field) {
    uint64_t wide = 0;
    uint32_t mode = 0;
    switch (field) {
    case 0x08:
        return get_u32(at, end, &report->station);
    case 0x10:
        at = get_varint(at, end, &wide);
        report->time = wide;
        return at;
    case 0x1a:
        return get_string(at, end, report->name, sizeof report->name);
    case 0x20:
        return get_s32(at, end, &report->temperature);
    case 0x28:
        return get_u32(at, end, &report->humidity);
    case 0x35:
        return get_bytes(at, end, &report->serial, 4);
    case 0x38:
        return get_flag(at, end, &report->online);
    case 0x42:
        report->has_remark = true;
        return get_string(at, end, report->remark, sizeof report->remark);
    case 0x4a:
        return get_position(at, end, &report->position);
    case 0x52:
        return get_samples(at, end, report);
    case 0x5a:
        return report->track_count < 4 ? get_position(at, end, &report->track[report->track_count++]) : NULL;
    case 0x65:
        return get_bytes(at, end, &report->voltage, 4);
    case 0x68:
        report->has_errors = true;
        return get_u32(at, end, &report->errors);
    case 0x70:
        at = get_u32(at, end, &mode);
        report->mode = (weather_Mode)mode;
        return at;
    case 0x7a:
        return get_key(at, end, report);
    default:
        return NULL;
    }
}

bool decode_report(const uint8_t *bytes, size_t size, weather_Report *report) {
    // Every field but 8, 10, 11, 13 must be there; each key is larger than the one before, but for field 11's.
    enum { REQUIRED = 0xd2fe };
    const uint8_t *at = bytes;
    const uint8_t *end = bytes + size;
    unsigned seen = 0;
    unsigned last = 0;
    report->has_remark = report->has_errors = report->has_pressure = false;
    report->samples_count = report->track_count = 0;
    while (at != NULL && at != end) {
        const unsigned field = *at++;
        if (field == 0xe1 && at != end && *at == 0x12) {
            report->has_pressure = true;
            at = get_bytes(at + 1, end, &report->pressure, 8);
            if (at == NULL || at != end)
                return general_decode_report(bytes, size, report);
            break;
        }
        if (field >= 0x80 || field < last || (field == last && field != 0x5a))
            return general_decode_report(bytes, size, report);
        at = get_field(at, end, report, field);
        seen |= 1u << (field >> 3);
        last = field;
    }
    if (at == NULL || (seen & REQUIRED) != REQUIRED)
        return general_decode_report(bytes, size, report);
    return true;
}
