// tests: a layer that switches on what it loads.
struct stream {
    int direction;
};

int one(struct stream *stream, int value) {
    switch (stream->direction) {
    case 0:
        return value;
    case 1:
        return value * value;
    case 7:
        return 3;
    }
    return 0;
}
