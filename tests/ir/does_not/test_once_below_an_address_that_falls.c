// tests: an address that may also fall, by what the loop reads, is not known to stay above anything: the facts are tested as they are read.
// RUN: %optimize %s | %check %s
// PLAN: 1 specialize send : memory send/0 0 = @operations_of_numbers
// CHECK: decision 1 applied: {{.*}} facts tested{{$}}
struct handle;
struct operations {
    void (*put)(struct handle *, unsigned);
};
struct handle {
    const struct operations *operations;
    unsigned char *at;
};

void put_number(struct handle *handle, unsigned value) {
    for (; value >= 128; value >>= 7)
        *handle->at++ = (unsigned char)(value | 128);
    *handle->at = (unsigned char)value;
    handle->at += (int)value - 64;
}
const struct operations operations_of_numbers = {put_number};

void send(struct handle *handle, unsigned char *buffer, const unsigned *values, int count) {
    handle->at = buffer;
    for (int i = 0; i < count; ++i)
        handle->operations->put(handle, values[i]);
}
