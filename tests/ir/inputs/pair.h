// tests: two streams behind one handle, set up just before the loop that works on them.
struct stream {
    int direction, order;
    unsigned *at;
    unsigned left, sum;
};
struct pair {
    struct stream *from, *to;
    unsigned *buffer;
};

int transfer(struct stream *stream, unsigned *word) {
    if (stream->left == 0)
        return 0;
    --stream->left;
    if (stream->direction == 0)
        *stream->at = stream->order == 1 ? __builtin_bswap32(*word) : *word;
    else
        *word = stream->order == 1 ? __builtin_bswap32(*stream->at) : *stream->at;
    stream->sum = stream->sum * 31 + *stream->at;
    ++stream->at;
    return 1;
}

unsigned operate(struct pair *pair, unsigned *values, unsigned count) {
    unsigned word = 0;
    pair->from->at = values;
    pair->to->at = pair->buffer;
    pair->from->left = pair->to->left = count;
    pair->from->sum = pair->to->sum = 0;
    while (transfer(pair->from, &word) && transfer(pair->to, &word)) {
    }
    return pair->from->sum ^ pair->to->sum;
}
