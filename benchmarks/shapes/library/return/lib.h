#pragma once
#include "shapes.h"
#define PUBLIC __attribute__((noinline))
struct piece {
    int (*emit)(char *to, const struct piece *p, uint32_t v);
    int width;
    char text;
};
struct format {
    struct piece pieces[8];
    int count, limit;
};
PUBLIC struct format *format_default(void);
PUBLIC struct format *format_parse(const char *s);
PUBLIC int format_render(const struct format *f, char *to, uint32_t v);
int emit_text(char *to, const struct piece *p, uint32_t v);
int emit_hex(char *to, const struct piece *p, uint32_t v);
int emit_flag(char *to, const struct piece *p, uint32_t v);
