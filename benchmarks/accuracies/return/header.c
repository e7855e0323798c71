// benchmarks: the layer that writes headers.
#include "layers.h"

int put_header(struct sink *sink, uint32_t value) {
    switch (sink->width) {
    case NARROW:
        return put_word(sink, value & 0xff) == DONE ? NARROW : 0;
    case WIDE:
        return put_word(sink, value & 0xffff) == DONE ? WIDE : 0;
    }
    return 0;
}
