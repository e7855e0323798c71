#pragma once
#include "shapes.h"
#define PUBLIC __attribute__((noinline))
enum { F_ID, F_FLAGS, F_SIZE, F_TEXT, FIELDS };
struct field {
    unsigned width;
    int is_signed, big, present;
    uint32_t fixed;
};
struct codec {
    struct field fields[FIELDS];
    unsigned char *out;
    unsigned at;
};
PUBLIC struct codec *codec_new(int version);
PUBLIC void codec_put(struct codec *c, int id, uint32_t value);
PUBLIC void codec_begin(struct codec *c);
void put_bytes(struct codec *c, uint32_t v, unsigned width, int big);
