// tests: a layer that writes bytes at an address that rises by what it reads, into a buffer above its handle, below it, and so close
// below it that the bytes change how the next ones are written.
// RUN: %run %s | %check %s
// PLAN: 1 specialize send : memory send/0:4 0 = 1 ; memory send/0 8 = @numbers
// CHECK: decision 1 applied: {{.*}} 1 loops with one test
// CHECK: ; the same
#include <stdio.h>
#include <string.h>

struct handle;
struct operations {
    void (*put)(struct handle *, unsigned);
};
struct handle {
    unsigned kind;
    const struct operations *operations;
    unsigned char *at;
};

void put_number(struct handle *handle, unsigned value) {
    if (handle->kind == 1)
        for (; value >= 128; value >>= 7)
            *handle->at++ = (unsigned char)(value | 128);
    *handle->at++ = (unsigned char)value;
}
const struct operations numbers = {put_number};

__attribute__((noinline)) void send(struct handle *handle, unsigned char *buffer, const unsigned *values, int count) {
    handle->at = buffer;
    for (int i = 0; i < count; ++i)
        handle->operations->put(handle, values[i]);
}

static void show(const char *name, const unsigned char *bytes, const struct handle *handle, const unsigned char *from) {
    unsigned sum = 0;
    for (int i = 0; i < 16; ++i)
        sum = sum * 31 + bytes[i];
    printf("%s %u %u %d\n", name, sum, handle->kind, (int)(handle->at - from));
}

enum { BEFORE = 40 };  // more than one number can take

int main(void) {
    const unsigned values[] = {300, 5, 1 << 20, 127, 128, 1, 70000};
    struct {
        unsigned char below[64];
        struct handle handle;
        unsigned char above[32];
    } all;
    for (unsigned kind = 0; kind < 3; ++kind)
        for (int count = 0; count <= 7; ++count) {
            memset(&all, 0, sizeof all);
            all.handle.kind = kind;
            all.handle.operations = &numbers;
            send(&all.handle, all.above, values, count);
            show("above", all.above, &all.handle, all.above);
            send(&all.handle, all.below, values, count < 6 ? count : 6);
            show("below", all.below, &all.handle, all.below);
        }
    // The first bytes go before the handle, the next one over its kind, so that the last ones are written another way.
    unsigned many[BEFORE + 3] = {0};
    many[BEFORE] = 5;
    many[BEFORE + 1] = 1 << 20;
    many[BEFORE + 2] = 127;
    memset(&all, 0, sizeof all);
    all.handle.kind = 1;
    all.handle.operations = &numbers;
    send(&all.handle, all.below + sizeof all.below - BEFORE, many, BEFORE + 3);
    show("over", all.below + 48, &all.handle, all.below);
    return 0;
}
