// tests: a number's groups of seven bits go into a local of ROOM bytes, and from there into a layer.
#include "byte_sink.h"

void send(struct handle *handle, unsigned value) {
    void (*const put)(struct handle *, const char *, size_t) = handle->operations->put;
    char bytes[ROOM];
    size_t size = 0;
    while (value != 0) {
        bytes[size++] = (char)value;
        value >>= 7;
    }
    put(handle, bytes, size);
}
