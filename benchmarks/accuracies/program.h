// benchmarks: what each of the six small programs consists of; main.c drives it.
#pragma once

#include <stdint.h>

// What is set up once, from numbers of the command line, and never changes afterwards. On the heap.
void *configure(const int *settings);

// The operation that is measured: all layers of the program on each of the values.
uint32_t operate(void *handle, const uint32_t *values, unsigned count);

// A number for all that the operations left in the handle's memory, told by what they meant and not by how it came to be.
uint32_t left_behind(void *handle);

// A step that no compiler can do for several values at once: so that instructions are comparable.
static inline uint32_t mixed(uint32_t sum, uint32_t value) {
    sum = (sum ^ value) * 0x9e3779b1u;
    return sum ^ (sum >> 15);
}
