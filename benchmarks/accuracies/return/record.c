// benchmarks: the layer that adds up sizes.
#include "layers.h"

enum { HEADER_AND_BODY = 8 };

enum status put_record(struct sink *sink, uint32_t value) {
    const int header = put_header(sink, value);
    if (header == 0)
        return FAILED;
    const int body = put_body(sink, value);
    if (body == 0)
        return FAILED;
    if (sink->checked && header + body > HEADER_AND_BODY)
        return FAILED;
    return put_word(sink, (uint32_t)(header + body));
}
