// tests: nobody knows how far a loop writes that steps on by what it reads, but its address only rises: it is tested once to begin
// above the handle.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @operations_of_numbers
// CHECK: decision 1 applied: {{.*}} 1 loops with one test for all that they touch
#define WRITTEN unsigned char
#define VALUE unsigned
#include "writing_handle.h"

void put_number(struct handle *handle, unsigned value) {
    for (; value >= 128; value >>= 7)
        put_next(handle, (unsigned char)(value | 128));
    put_next(handle, (unsigned char)value);
}
const struct operations operations_of_numbers = {put_number};

void send(struct handle *handle, unsigned char *buffer, const unsigned *values, int count) {
    handle->place = buffer;
    for (int i = 0; i < count; ++i)
        handle->operations->put(handle, values[i]);
}
