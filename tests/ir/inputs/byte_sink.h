// tests: a layer that puts bytes into memory.
#include <stddef.h>
#include <string.h>
struct handle;
struct operations {
    void (*put)(struct handle *, const char *, size_t);
};
struct handle {
    const struct operations *operations;
    char *place;
};

void put_in_memory(struct handle *handle, const char *bytes, size_t size) { memcpy(handle->place, bytes, size); }
const struct operations memory_operations = {put_in_memory};
