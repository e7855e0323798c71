// benchmarks: the lowest layer, which succeeds with every width that there is.
#include "layers.h"

enum status put_word(struct sink *sink, uint32_t value) {
    if (sink->width != NARROW && sink->width != WIDE)
        return FAILED;
    sink->sum = mixed(sink->sum, value);
    return DONE;
}
