// tests: layers that copy a few bytes, of each length and to each place, out of buffers that are kept in registers, into others, within one; nothing
// beside them is written, and bytes that nobody wrote do not spoil the others.
// RUN: %run %s | %check %s
// FLAGS: -mllvm -inline-threshold=-100000
// PLAN: 1 specialize send_varint : memory send_varint/0 0 = @memory_operations
// PLAN: 2 specialize send_part : memory send_part/0 0 = @memory_operations
// PLAN: 3 specialize send_words : memory send_words/0 0 = @memory_operations
// PLAN: 4 specialize receive : memory receive/0 0 = @memory_operations
// PLAN: 5 specialize move_inside : memory move_inside/0 0 = @memory_operations
// PLAN: 6 specialize pass_through : memory pass_through/0 0 = @memory_operations
// CHECK: decision 1 applied
// CHECK: decision 2 applied
// CHECK: decision 3 applied
// CHECK: decision 4 applied
// CHECK: decision 5 applied
// CHECK: decision 6 applied
// CHECK: ; the same
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct handle;
struct operations {
    void (*put)(struct handle *, const void *, size_t);
    void (*take)(struct handle *, void *, size_t);
    void (*move)(void *, const void *, size_t);
};
struct handle {
    const struct operations *operations;
    unsigned char *place;
};

void put(struct handle *handle, const void *bytes, size_t size) {
    memcpy(handle->place, bytes, size);
    handle->place += size;
}
void take(struct handle *handle, void *bytes, size_t size) { memcpy(bytes, handle->place, size); }
void move(void *to, const void *from, size_t size) { memmove(to, from, size); }
void put_twice(struct handle *handle, const void *bytes, size_t size) {
    put(handle, bytes, size);
    put(handle, bytes, size);
}
const struct operations memory_operations = {put, take, move};
const struct operations other_operations = {put_twice, take, move};

void send_varint(struct handle *handle, uint64_t value) {
    unsigned char bytes[10];
    size_t size = 0;
    if (value < 128) {
        bytes[0] = (unsigned char)value;
        size = 1;
    } else if (value < 16384) {
        bytes[0] = (unsigned char)(value | 128);
        bytes[1] = (unsigned char)(value >> 7);
        size = 2;
    } else {
#pragma clang loop vectorize(disable) unroll(disable)
        for (; value > 127; value >>= 7)
            bytes[size++] = (unsigned char)(value | 128);
        bytes[size++] = (unsigned char)value;
    }
    handle->operations->put(handle, bytes, size);
    if (size > 3)
        handle->operations->put(handle, bytes, 3);
}

void send_part(struct handle *handle, unsigned from, unsigned size) {
    unsigned char bytes[16];
    handle->operations->put(handle, "", 0);
    for (unsigned i = 0; i < 4; ++i) {
        const uint32_t word = i * 0x25374901u + size;
        memcpy(bytes + 4 * i, &word, sizeof word);
    }
    bytes[from] = (unsigned char)size;
    if (from == 0)
        handle->operations->put(handle, bytes, size);
    if (from <= 3)
        handle->operations->put(handle, bytes + 3, size < 13 ? size : 13);
    handle->operations->put(handle, bytes + 11, size < 5 ? size : 5);
}

void send_words(struct handle *handle, uint32_t word, size_t size) {
    union {
        uint32_t words[3];
        uint16_t halves[6];
        unsigned char bytes[12];
    } all;
    all.words[0] = word;
    all.words[1] = ~word;
    all.halves[4] = (uint16_t)(word >> 3);
    all.bytes[5] = 0x5a;
    all.halves[1 + (word & 1)] = 0x1234;
    all.halves[5] = 7;
    handle->operations->put(handle, &all, size);
    all.words[1] = word;
    handle->operations->put(handle, all.bytes + 2, size < 10 ? size : 10);
}

unsigned receive(struct handle *handle, size_t size) {
    unsigned char bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    unsigned sum = 0;
    handle->operations->take(handle, bytes, size);
    for (int i = 0; i < 16; ++i)
        sum = sum * 31 + bytes[i];
    return sum;
}

void pass_through(struct handle *handle, size_t in, size_t out) {
    unsigned char bytes[8];
    handle->operations->put(handle, "", 0);
    bytes[6] = (unsigned char)in;
    handle->operations->take(handle, bytes, in);
    bytes[7] = (unsigned char)out;
    handle->operations->put(handle, bytes, out);
}

unsigned move_inside(struct handle *handle, size_t to, size_t from, size_t size) {
    unsigned char bytes[16];
    unsigned sum = 0;
    for (int i = 0; i < 16; ++i)
        bytes[i] = (unsigned char)(i * 11);
    handle->operations->move(bytes + to, bytes + from, size);
    for (int i = 0; i < 16; ++i)
        sum = sum * 31 + bytes[i];
    return sum;
}

static unsigned char memory[256];

static void tell(const struct handle *handle) {
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof memory; ++i)
        sum = sum * 31 + memory[i];
    printf("%08x %d\n", sum, (int)(handle->place - memory));
    memset(memory, 0xee, sizeof memory);
}

int main(void) {
    for (int other = 0; other < 2; ++other) {
        const struct handle start = {other ? &other_operations : &memory_operations, memory + 8};
        struct handle handle = start;
        for (int shift = 0; shift < 64; ++shift) {
            send_varint(&handle, UINT64_C(0xfedcba9876543210) >> shift);
            tell(&handle);
            handle = start;
        }
        for (unsigned from = 0; from < 12; ++from)
            for (unsigned size = 0; from + size <= 16; ++size) {
                send_part(&handle, from, size);
                tell(&handle);
                handle = start;
            }
        for (size_t size = 0; size <= 12; ++size) {
            send_words(&handle, (uint32_t)(0x9e3779b1u * (size + 1)), size);
            tell(&handle);
            handle = start;
        }
        for (size_t in = 0; in <= 8; ++in) {
            for (size_t i = 0; i < sizeof memory; ++i)
                memory[i] = (unsigned char)(i * 5);
            pass_through(&handle, in, in == 7 ? 8 : in);
            tell(&handle);
            handle = start;
        }
        for (size_t size = 0; size <= 16; ++size) {
            for (size_t i = 0; i < sizeof memory; ++i)
                memory[i] = (unsigned char)(i * 7);
            printf("%08x\n", receive(&handle, size));
            for (size_t to = 0; to + size <= 16; ++to)
                for (size_t from = 0; from + size <= 16; ++from)
                    printf("%08x\n", move_inside(&handle, to, from, size));
        }
    }
    return 0;
}
