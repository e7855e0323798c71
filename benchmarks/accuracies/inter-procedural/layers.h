// benchmarks: parameters travel through all layers in a structure; what each layer does depends on one of them.
#pragma once

#include "../program.h"

enum direction { ENCODE, DECODE, SKIP };
enum order { LITTLE, BIG };

struct parameters {
    enum direction direction;
    enum order order;
    int width;  // bytes that count: 2 or 4
    uint32_t sum;
};

void item(struct parameters *parameters, uint32_t value);
void word(struct parameters *parameters, uint32_t value);
void elementary(struct parameters *parameters, uint32_t value);
