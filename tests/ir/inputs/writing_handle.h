// tests: a handle whose operation writes one place after the other: WRITTEN is what it writes, VALUE what it is given.
#pragma once

struct handle;
struct operations {
    void (*put)(struct handle *, VALUE);
};
struct handle {
    const struct operations *operations;
    WRITTEN *place;
};

static inline void put_next(struct handle *handle, WRITTEN value) {
    *handle->place = value;
    handle->place += 1;
}
