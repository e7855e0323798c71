#include "lib.h"
struct format *format_parse(const char *s) {
    struct format *f = calloc(1, sizeof *f);
    f->limit = 32;
    for (; *s && f->count < 8; ++s, ++f->count) {
        struct piece *p = &f->pieces[f->count];
        if (*s >= '0' && *s <= '9') {
            p->emit = emit_hex;
            p->width = *s - '0';
        } else if (*s == 'f') {
            p->emit = emit_flag;
            p->width = f->count;
        } else {
            p->emit = emit_text;
            p->text = *s;
        }
    }
    return f;
}
struct format *format_default(void) { return format_parse("a4:2"); }
