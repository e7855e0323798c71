// benchmarks: reports of a weather station with nanopb's structures.   main nanopb-encode|nanopb-decode|all|edges COUNT
#include <stdlib.h>

#include "driver.h"
#include "nanopb.h"
#include "weather.h"

enum { ROOM = 320, SMALL_VALUE = 0x3fff };

static weather_Position position_of(unsigned number, unsigned field) {
    weather_Position position = {.latitude = (int32_t)observed(number, field) >> 4,
                                 .longitude = (int32_t)observed(number, field + 1) >> 4,
                                 .has_altitude = field % 2 == 1,
                                 .altitude = observed(number, field + 2) & 0xfff};
    return position;
}

static weather_Report report_of(unsigned number) {
    weather_Report report = weather_Report_init_zero;
    report.station = observed(number, 1) & SMALL_VALUE;
    report.time = 1700000000000u + observed(number, 2);
    strcpy(report.name, names[number % 4]);
    report.temperature = (int32_t)(observed(number, 4) % 800) - 400;
    report.humidity = observed(number, 5) % 101;
    report.serial = observed(number, 6);
    report.online = number % 3 != 0;
    report.has_remark = number % 4 == 1;
    strcpy(report.remark, remarks[number % 3]);
    report.position = position_of(number, 9);
    report.samples_count = (pb_size_t)(number % (MOST_SAMPLES + 1));
    for (unsigned i = 0; i < MOST_SAMPLES; ++i)
        report.samples[i] = observed(number, 20 + i) >> (i * 3 + 1);
    report.track_count = (pb_size_t)(number % (MOST_TRACK + 1));
    for (unsigned i = 0; i < MOST_TRACK; ++i)
        report.track[i] = position_of(number, 30 + 3 * i);
    report.voltage = (float)observed(number, 12) / 1e9f;
    report.has_errors = number % 5 == 0;
    report.errors = observed(number, 13);
    report.mode = (weather_Mode)(number % 3);
    report.key.size = (pb_size_t)(number % 17);
    for (unsigned i = 0; i < sizeof report.key.bytes; ++i)
        report.key.bytes[i] = (uint8_t)observed(number, 40 + i);
    report.has_pressure = number % 2 == 0;
    report.pressure = (double)observed(number, 50) / 1e6;
    return report;
}

static void time_encode(const weather_Report *reports, uint64_t count) {
    uint8_t bytes[ROOM] = {0};
    uint64_t digest = DIGEST_START;
    size_t size = 0;
    size_t total = 0;
    const double start = now_ns();
    for (uint64_t i = 0; i < count; ++i) {
        const weather_Report *report = &reports[i % REPORTS];
        from_outside(report);
        if (!encode_report(bytes, sizeof bytes, report, &size))
            break;
        from_outside(bytes);
        total += size;
    }
    const double taken = now_ns() - start;
    digest = digest_of(digest, &total, sizeof total);
    tell("nanopb-encode", taken, count, digest_of(digest, bytes, size));
}

static void time_decode(const weather_Report *reports, uint64_t count) {
    uint8_t bytes[REPORTS][ROOM];
    size_t sizes[REPORTS] = {0};
    weather_Report report = weather_Report_init_zero;
    uint64_t sum = 0;
    for (unsigned i = 0; i < REPORTS; ++i)
        if (!encode_report(bytes[i], ROOM, &reports[i], &sizes[i]))
            return;
    const double start = now_ns();
    for (uint64_t i = 0; i < count; ++i) {
        from_outside(bytes);
        if (!decode_report(bytes[i % REPORTS], sizes[i % REPORTS], &report))
            break;
        from_outside(&report);
        sum = sum * 33 + report.station + report.key.size;
    }
    tell("nanopb-decode", now_ns() - start, count, sum);
}

static uint64_t encode_edges(const weather_Report *reports) {
    uint64_t digest = DIGEST_START;
    for (unsigned i = 0; i < REPORTS; ++i)
        for (size_t room = 0; room <= ROOM; ++room) {
            uint8_t bytes[ROOM + 8];
            size_t size = 0;
            memset(bytes, 0x55, sizeof bytes);
            const bool done = encode_report(bytes, room, &reports[i], &size);
            digest = digest_of(digest, &done, sizeof done);
            digest = digest_of(digest, &size, sizeof size);
            digest = digest_of(digest, bytes, sizeof bytes);
        }
    return digest;
}

static uint64_t decode_one(uint64_t digest, const uint8_t *bytes, size_t size) {
    uint8_t again[ROOM] = {0};
    size_t length = 0;
    weather_Report report = weather_Report_init_zero;
    const bool done = decode_report(bytes, size, &report);
    digest = digest_of(digest, &done, sizeof done);
    if (done && encode_report(again, ROOM, &report, &length))
        digest = digest_of(digest, again, length);
    return digest;
}

// Reports cut off at every length, and with each byte made wrong.
static uint64_t decode_edges(const weather_Report *reports) {
    uint64_t digest = DIGEST_START;
    for (unsigned i = 0; i < REPORTS; ++i) {
        uint8_t bytes[ROOM];
        size_t size = 0;
        if (!encode_report(bytes, ROOM, &reports[i], &size))
            return 0;
        for (size_t cut = 0; cut <= size; ++cut)
            digest = decode_one(digest, bytes, cut);
        for (size_t at = 0; at < size; ++at)
            for (unsigned value = 0; value < 256; ++value) {
                const uint8_t right = bytes[at];
                bytes[at] = (uint8_t)value;
                digest = decode_one(digest, bytes, size);
                bytes[at] = right;
            }
    }
    return digest;
}

int main(int argc, char **argv) {
    weather_Report reports[REPORTS];
    if (argc != 3) {
        fprintf(stderr, "usage: %s nanopb-encode|nanopb-decode|all|edges COUNT\n", argv[0]);
        return 2;
    }
    const uint64_t count = strtoull(argv[2], NULL, 10);
    for (unsigned i = 0; i < REPORTS; ++i)
        reports[i] = report_of(i);
    if (strcmp(argv[1], "edges") == 0) {
        printf("encode-edges %016" PRIx64 "\n", encode_edges(reports));
        printf("decode-edges %016" PRIx64 "\n", decode_edges(reports));
        return 0;
    }
    if (chosen(argv[1], "nanopb-encode"))
        time_encode(reports, count);
    if (chosen(argv[1], "nanopb-decode"))
        time_decode(reports, count);
    return 0;
}
