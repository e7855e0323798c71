// tests: an address that may also fall, by what the loop reads, is not known to stay above anything: the facts are tested as they are read.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @operations_of_numbers
// CHECK: decision 1 applied: {{.*}} facts tested{{$}}
#define WRITTEN unsigned char
#define VALUE unsigned
#include "writing_handle.h"

void put_number(struct handle *handle, unsigned value) {
    for (; value >= 128; value >>= 7)
        put_next(handle, (unsigned char)(value | 128));
    *handle->place = (unsigned char)value;
    handle->place += (int)value - 64;
}
const struct operations operations_of_numbers = {put_number};

void send(struct handle *handle, unsigned char *buffer, const unsigned *values, int count) {
    handle->place = buffer;
    for (int i = 0; i < count; ++i)
        handle->operations->put(handle, values[i]);
}
