// benchmarks: a field that is one thing before a point of the program and another after it; and tests of data after which
// each branch still knows what was known before.
#pragma once

#include "../program.h"

enum direction { ENCODE, DECODE };
enum status { GOOD, TOO_LARGE };

struct stream {
    enum direction direction;
    int swap;
    uint32_t sum;
};

struct server {
    struct stream stream;
    uint32_t limit;
};

// By the stream's direction: takes the word off the wire, or puts it there.
enum status pass(struct server *server, uint32_t *word);
uint32_t ordered(const struct stream *stream, uint32_t word);
void answer(struct server *server, enum status status, uint32_t word);
