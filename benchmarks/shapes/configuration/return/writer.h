#pragma once
#include "shapes.h"
struct device {
    int block;
    long fail_after;
    int kind;
    unsigned char *data;
    unsigned at;
    uint32_t sum;
};
struct writer {
    struct device *device;
    int checked;
    int retries;
    int escape;
};
struct writer *writer_new(void);
int device_write(struct device *d, unsigned char c);
int write_byte(struct writer *w, unsigned char c);
int write_u16(struct writer *w, unsigned v);
int write_message(struct writer *w, unsigned id, uint32_t v);
