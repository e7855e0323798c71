#pragma once
#include "shapes.h"
struct port;
struct codec {
    const char *name;
    unsigned size;
    int (*load)(const unsigned char *p);
    void (*store)(unsigned char *p, int v);
};
struct port {
    const struct codec *codec;
    int gain, bias;
    int channels;
    unsigned char *data;
    unsigned at, size;
};
const struct codec *codec_find(int id);
struct port *port_open(const char *prefix);
int port_get(struct port *p);
void port_put(struct port *p, int v);
int scaled(const struct port *p, int v);
void copy_frames(struct port *from, struct port *to, unsigned frames);
