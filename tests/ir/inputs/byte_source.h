// tests: a layer that takes bytes from memory.
#include <stddef.h>
#include <string.h>
struct handle;
struct operations {
    void (*take)(struct handle *, char *, size_t);
};
struct handle {
    const struct operations *operations;
    const char *place;
};
void use(const char *bytes);

void take_from_memory(struct handle *handle, char *bytes, size_t size) { memcpy(bytes, handle->place, size); }
const struct operations memory_operations = {take_from_memory};
