// tests: a handle with a table of operations, and an operation that does one of three things.
struct handle;
struct operations {
    int (*put)(struct handle *, int);
};
struct handle {
    const struct operations *operations;
    int *place;
    int mode;
};

static inline int put_by_mode(struct handle *handle, int value) {
    switch (handle->mode) {
    case 0:
        *handle->place = value;
        return 1;
    case 1:
        *handle->place = -value;
        return 2;
    case 2:
        return 3;
    default:
        return 0;
    }
}
