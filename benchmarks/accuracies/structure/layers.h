// benchmarks: two instances of one structure, some of whose fields never change, each to its own value; the others do.
#pragma once

#include "../program.h"

enum direction { ENCODE, DECODE };
enum order { LITTLE, BIG };

struct stream {
    enum direction direction;
    enum order order;
    uint32_t *at;
    unsigned left;
    uint32_t sum;
};

struct pair {
    struct stream *from;
    struct stream *to;
    uint32_t *buffer;
};

// Reads or writes a word, by the stream's direction. 0: the stream is at its end.
int transfer(struct stream *stream, uint32_t *word);
uint32_t ordered(const struct stream *stream, uint32_t word);
