// tests: a layer in which one fact decides more than one branch.
#include "handle.h"

void tell(int value);

void send(struct handle *handle, int value) {
    const int mode = handle->mode;
    if (mode > 0)
        tell(value);
    if (mode < 5)
        tell(value + 1);
}
