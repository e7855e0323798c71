/* tests: one layer that two calls enter with two objects, set up when the program begins; an argument sets them up the other way. */
#include <stdio.h>
#include <stdlib.h>

struct stream {
    int direction, order;
    unsigned sum;
};

static unsigned ordered(const struct stream *stream, unsigned word) {
    return stream->order == 1 ? __builtin_bswap32(word) : word;
}

__attribute__((used)) static unsigned transfer(struct stream *stream, unsigned word) {
    switch (stream->direction) {
    case 3:
        stream->sum += ordered(stream, word);
        return stream->sum;
    case 5:
        stream->sum ^= ordered(stream, word);
        return word;
    case 9:
        return 0;
    }
    abort();
}

unsigned pass(struct stream *from, struct stream *to, unsigned word) {
    for (int i = 0; i < 8; ++i)
        word = transfer(to, transfer(from, word));
    return word;
}

int main(int argc, char **argv) {
    struct stream one = {3, 1, 0}, other = {5, 0, 0};
    struct stream *volatile from = argc > 1 ? &other : &one;
    struct stream *volatile to = argc > 1 ? &one : &other;
    unsigned word = 1;
    for (int i = 0; i < 25000; ++i)
        word = pass(from, to, word + (unsigned)i);
    printf("%s %u %u %u\n", argv[argc - 1] == argv[0] ? "as recorded" : "the other way", word, one.sum, other.sum);
    return 0;
}
