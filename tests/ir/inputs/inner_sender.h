// tests: a layer that another one calls.
#include "sender.h"

void outer(struct handle *handle, int value) {
    send(handle, value);
    send(handle, value + 7);
}
