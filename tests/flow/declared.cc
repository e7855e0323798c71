// flow: events whose types are declared, with and without a lock, one raised inside the other's handler. "wild": raises of
// wrong types and counts in between, and a declaration that changes in mid-run.
#include <cstdio>
#include <cstring>

#include <thalweg/thalweg.h>

namespace {

constexpr int raises = 4000;  // enough for the plan to take one into the other
thalweg_event *segment, *packet, *locked;
long sum;

int64_t number(const thalweg_value *arguments, size_t count) {
    int64_t value = 0;
    thalweg_get_integer(arguments, count, 0, &value);
    return value;
}
void on_packet_first(void *, thalweg_event *, const thalweg_value *arguments, size_t count) {
    sum += number(arguments, count);
}
void on_packet_second(void *, thalweg_event *, const thalweg_value *arguments, size_t count) {
    sum = sum * 31 + number(arguments, count);
}
void on_segment(void *, thalweg_event *, const thalweg_value *arguments, size_t count) {
    sum ^= THALWEG_RAISE(packet, thalweg_integer(number(arguments, count) + 1));
}
void on_locked(void *, thalweg_event *, const thalweg_value *arguments, size_t count) {
    sum = sum * 7 + number(arguments, count);
}

void declare(thalweg_type type) {
    thalweg_event_declare(segment, &type, 1);
    thalweg_event_declare(packet, &type, 1);
    thalweg_event_declare(locked, &type, 1);
}

[[gnu::noinline]] int raise_wrong(int i) {
    switch (i % 5) {
    case 0:
        return THALWEG_RAISE(segment, thalweg_real(i));
    case 1:
        return THALWEG_RAISE(segment, thalweg_integer(i), thalweg_integer(i));
    case 2:
        return THALWEG_RAISE(locked, thalweg_text("no number"));
    case 3:
        return thalweg_raise(locked, nullptr, 0);
    default:
        return thalweg_raise(locked, nullptr, 1);
    }
}

}  // namespace

int main(int count, char **words) {
    const bool wild = count > 1 && std::strcmp(words[1], "wild") == 0;
    thalweg_event_create(nullptr, "segment", &segment);
    thalweg_event_create(nullptr, "packet", &packet);
    thalweg_event_create(thalweg_composite_create(), "locked", &locked);
    declare(THALWEG_INTEGER);
    thalweg_bind(segment, on_segment, nullptr, 0, nullptr);
    thalweg_bind(packet, on_packet_first, nullptr, 0, nullptr);
    thalweg_bind(packet, on_packet_second, nullptr, 1, nullptr);
    thalweg_bind(locked, on_locked, nullptr, 0, nullptr);
    thalweg_bind(locked, on_locked, nullptr, 0, nullptr);
    for (int i = 0; i < raises; ++i) {
        if (wild && i == 100)
            declare(THALWEG_REAL);
        if (wild && i == 120)
            declare(THALWEG_INTEGER);
        const int status = THALWEG_RAISE(segment, thalweg_integer(i));
        const int status_locked = THALWEG_RAISE(locked, thalweg_integer(i));
        std::printf("%d %d %d %ld\n", status, status_locked, wild ? raise_wrong(i) : 0, sum);
    }
}
