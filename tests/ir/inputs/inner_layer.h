// tests: a layer that another one calls.
struct stream {
    int direction;
};

int one(struct stream *stream, int value) {
    switch (stream->direction) {
    case 5:
        return value + 1000;
    case 6:
        return value * 3000;
    case 7:
        return 3;
    }
    return 0;
}

int outer(struct stream *stream, int value) { return one(stream, value) + one(stream, value + 1); }
