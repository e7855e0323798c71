#include "port.h"
static int load_u8(const unsigned char *p) { return (p[0] - 128) * 256; }
static void store_u8(unsigned char *p, int v) { p[0] = (unsigned char)(v / 256 + 128); }
static int load_le16(const unsigned char *p) { return (short)(p[0] | p[1] << 8); }
static void store_le16(unsigned char *p, int v) {
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
}
static int load_be16(const unsigned char *p) { return (short)(p[1] | p[0] << 8); }
static void store_be16(unsigned char *p, int v) {
    p[1] = (unsigned char)v;
    p[0] = (unsigned char)(v >> 8);
}
static const struct codec codecs[] = {
    {"u8", 1, load_u8, store_u8}, {"le16", 2, load_le16, store_le16}, {"be16", 2, load_be16, store_be16}};
const struct codec *codec_find(int id) { return &codecs[id % 3]; }
