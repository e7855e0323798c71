// benchmarks: reports of a weather station with protobuf-c's structures.   main protobuf-c-pack|all|edges COUNT
#include <stdlib.h>

#include "driver.h"
#include "protobuf_c.h"
#include "weather.h"

enum { ROOM = 1024, SMALL_VALUE = 0x3fff, KEY_BYTES = 16, MANY_SAMPLES = 64 };

static Weather__Position *position_of(unsigned number, unsigned field) {
    Weather__Position *position = malloc(sizeof *position);
    weather__position__init(position);
    position->latitude = (int32_t)observed(number, field) >> 4;
    position->longitude = (int32_t)observed(number, field + 1) >> 4;
    position->has_altitude = field % 2 == 1;
    position->altitude = observed(number, field + 2) & 0xfff;
    return position;
}

static void add_lists(Weather__Report *report, unsigned number) {
    report->n_samples = number % (MOST_SAMPLES + 1);
    report->samples = calloc(MANY_SAMPLES, sizeof *report->samples);
    for (unsigned i = 0; i < MANY_SAMPLES; ++i)
        report->samples[i] = observed(number, 20 + i) >> (i % MOST_SAMPLES * 3 + 1);
    report->n_track = number % (MOST_TRACK + 1);
    report->track = calloc(MOST_TRACK, sizeof *report->track);
    for (unsigned i = 0; i < MOST_TRACK; ++i)
        report->track[i] = position_of(number, 30 + 3 * i);
    report->key.len = number % (KEY_BYTES + 1);
    report->key.data = malloc(KEY_BYTES);
    for (unsigned i = 0; i < KEY_BYTES; ++i)
        report->key.data[i] = (uint8_t)observed(number, 40 + i);
}

static Weather__Report *report_of(unsigned number) {
    Weather__Report *report = malloc(sizeof *report);
    weather__report__init(report);
    report->station = observed(number, 1) & SMALL_VALUE;
    report->time = 1700000000000u + observed(number, 2);
    report->name = strdup(names[number % 4]);
    report->temperature = (int32_t)(observed(number, 4) % 800) - 400;
    report->humidity = observed(number, 5) % 101;
    report->serial = observed(number, 6);
    report->online = number % 3 != 0;
    report->remark = number % 4 == 1 ? strdup(remarks[number % 3]) : NULL;
    report->position = position_of(number, 9);
    report->voltage = (float)observed(number, 12) / 1e9f;
    report->has_errors = number % 5 == 0;
    report->errors = observed(number, 13);
    report->mode = (Weather__Mode)(number % 3);
    report->has_pressure = number % 2 == 0;
    report->pressure = (double)observed(number, 50) / 1e6;
    add_lists(report, number);
    return report;
}

static void time_pack(Weather__Report **reports, uint64_t count) {
    uint8_t bytes[ROOM] = {0};
    uint64_t digest = DIGEST_START;
    size_t size = 0;
    size_t total = 0;
    const double start = now_ns();
    for (uint64_t i = 0; i < count; ++i) {
        const Weather__Report *report = reports[i % REPORTS];
        from_outside(report);
        size = pack_report(report, bytes);
        from_outside(bytes);
        total += size;
    }
    const double taken = now_ns() - start;
    digest = digest_of(digest, &total, sizeof total);
    tell("protobuf-c-pack", taken, count, digest_of(digest, bytes, size));
}

static uint64_t pack_one(uint64_t digest, const Weather__Report *report) {
    uint8_t bytes[ROOM];
    memset(bytes, 0x55, sizeof bytes);
    const size_t size = pack_report(report, bytes);
    digest = digest_of(digest, &size, sizeof size);
    return digest_of(digest, bytes, sizeof bytes);
}

// What is there and what is not, in all ways; lists of every length; negative and large numbers.
static uint64_t edges(Weather__Report **reports) {
    uint64_t digest = DIGEST_START;
    for (unsigned i = 0; i < REPORTS; ++i) {
        Weather__Report *report = reports[i];
        for (unsigned without = 0; without < 8; ++without) {
            Weather__Report other = *report;
            other.has_errors = (without & 1) != 0;
            other.has_pressure = (without & 2) != 0;
            other.remark = (without & 4) != 0 ? (char *)remarks[1] : NULL;
            other.name = without == 5 ? NULL : report->name;
            other.mode = (Weather__Mode)(without == 6 ? -1 : 2);
            other.time = (uint64_t)0 - without;
            digest = pack_one(digest, &other);
        }
        for (unsigned samples = 0; samples <= MANY_SAMPLES; ++samples) {
            Weather__Report other = *report;
            other.n_samples = samples;
            digest = pack_one(digest, &other);
        }
    }
    return digest;
}

int main(int argc, char **argv) {
    Weather__Report *reports[REPORTS];
    if (argc != 3) {
        fprintf(stderr, "usage: %s protobuf-c-pack|all|edges COUNT\n", argv[0]);
        return 2;
    }
    for (unsigned i = 0; i < REPORTS; ++i)
        reports[i] = report_of(i);
    if (strcmp(argv[1], "edges") == 0)
        printf("edges %016" PRIx64 "\n", edges(reports));
    else
        time_pack(reports, strtoull(argv[2], NULL, 10));
    return 0;
}
