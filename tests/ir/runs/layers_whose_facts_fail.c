// tests: layers that became code for facts, with facts that hold, fail on entry, fail in the middle, and with a buffer that lies over
// the handle itself, so that writing into it changes the layer that writes.
// RUN: %run %s | %check %s
// PLAN: 1 specialize send_all : memory send_all/0 0 = @plain_operations ; memory send_all/0:4 24 = 0 ; argument send_all/2:4 = 3 | 5
// PLAN: 2 specialize total : argument total/0 = @constant_weights
// CHECK: decision 1 applied: {{.*}} 1 loops with one test
// CHECK: decision 2 applied
// CHECK: ; the same
#include <stdio.h>
#include <stdlib.h>

typedef long __attribute__((may_alias)) word;  // a buffer of them may lie over anything
struct handle;
struct operations {
    int (*put)(struct handle *, long);
    void (*flush)(struct handle *);
};
struct handle {
    const struct operations *operations;
    word *place;
    word *end;
    int mode, count;
};

__attribute__((noinline)) void opaque(struct handle *handle) { __asm__ volatile("" : : "r"(handle) : "memory"); }

int put_plain(struct handle *handle, long value) {
    if (handle->place == handle->end)
        return 0;
    *handle->place = value;
    handle->place += 1;
    handle->count += 1;
    return 1;
}
int put_twice(struct handle *handle, long value) { return put_plain(handle, value) && put_plain(handle, -value); }
void flush(struct handle *handle) { opaque(handle); }
const struct operations plain_operations = {put_plain, flush};
const struct operations twice_operations = {put_twice, flush};

int send_all(struct handle *handle, const long *values, int count) {
    for (int i = 0; i < count; ++i) {
        if (handle->mode == 1 && i == 2)
            handle->operations->flush(handle);
        if (!handle->operations->put(handle, values[i] + handle->mode))
            return -i;
    }
    return handle->count;
}

const int constant_weights[] = {3, 1, 4, 1, 0};
int other_weights[] = {2, 7, 0};
int total(const int *weights, const long *values) {
    int sum = 0;
    for (; *weights; ++weights, ++values)
        sum += (int)*values > 5 ? *weights * (int)*values : *weights;
    return sum;
}

int main(void) {
    const long values[] = {7, 11, (long)&twice_operations, 13, 17, 19, 23};
    for (int mode = 0; mode < 3; ++mode)
        for (int count = 0; count <= 7; ++count)
            for (int room = 0; room <= 8; ++room)
                for (int twice = 0; twice < 2; ++twice) {
                    word buffer[8] = {0};
                    struct handle handle = {twice ? &twice_operations : &plain_operations, buffer, buffer + room, mode,
                                            0};
                    const int result = send_all(&handle, values, count);
                    long sum = 0;
                    for (int i = 0; i < 8; ++i)
                        sum = sum * 31 + (labs(buffer[i]) > 1000 ? 1 : buffer[i]);  // addresses differ from run to run
                    printf("%d %d %ld %d\n", result, handle.count, sum, (int)(handle.place - buffer));
                }
    // The third value replaces the handle's own operations.
    struct {
        word before[2];
        struct handle handle;
    } both = {{0, 0}, {&plain_operations, both.before, both.before + 3, 0, 0}};
    printf("%d %d\n", send_all(&both.handle, values, 5), both.handle.operations == &twice_operations);
    printf("%d %d\n", total(constant_weights, values + 3), total(other_weights, values));
    return 0;
}
