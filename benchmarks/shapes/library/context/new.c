#include "lib.h"
struct codec *codec_new(int version) {
    struct codec *c = calloc(1, sizeof *c);
    c->out = calloc(1, 64);
    c->fields[F_ID] = (struct field){2, 0, version & 1, 1, 0};
    c->fields[F_FLAGS] = (struct field){1, 0, 0, version != 3, version > 1 ? 0x80 : 0};
    c->fields[F_SIZE] = (struct field){version > 2 ? 4 : 3, version == 4, version & 1, 1, 0};
    c->fields[F_TEXT] = (struct field){4, 1, version & 1, version > 1, 0};
    return c;
}
