// tests: loops of which clang copies the bodies: one whose rounds are known at run time only, one whose author asks for copies, one of three rounds.
unsigned by_rounds(unsigned sum, const unsigned *left, int count) {
    for (int i = 0; i < count; ++i)
        sum = (sum ^ left[i]) * 77777u;
    return sum;
}

unsigned as_asked(unsigned sum, const unsigned *left, int count) {
#pragma clang loop unroll_count(3)
    for (int i = 0; i < count; ++i)
        sum = (sum ^ left[i]) * 88888u;
    return sum;
}

unsigned known(unsigned sum, const unsigned *left) {
    for (int i = 0; i < 3; ++i)
        sum = (sum ^ left[i]) * 99999u;
    return sum;
}
