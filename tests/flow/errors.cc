// A layer whose errors never happened when it was recorded: they write to the facts, throw, and unwind by longjmp.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
struct table {
    int mode, scale, limit, state;
    long (*apply)(table *, long);
};
static jmp_buf back;
static long errors;
static long twice(table *t, long v) { return t->mode == 5 ? v * 2 + t->scale : v - t->scale; }
static long thrice(table *t, long v) { return t->mode == 6 ? v * 3 - t->scale : v + t->limit; }
[[gnu::noinline]] static void report(table *t, long v) {
    ++errors;
    switch (v % 5) {
    case 0:
        t->mode = 6;
        break;
    case 1:
        t->apply = thrice;
        t->scale = 7;
        break;
    case 2:
        throw std::runtime_error("two");
    case 3:
        longjmp(back, 1);
    default:
        t->limit = 50;
        t->state = t->state == 4 ? 3 : 4;
        break;
    }
}
[[gnu::noinline]] static long step(table *t, long v) {
    if (v > t->limit)
        report(t, v);
    long r = t->mode == 5 ? t->apply(t, v) : t->apply(t, v + 1);
    if (t->state == 3)
        r += t->scale;
    return r;
}
[[gnu::noinline]] long take(table *t, long v) {
    long r = 0;
    try {
        r = step(t, v);
        r += step(t, v ^ 1);
    } catch (const std::exception &e) {
        r = e.what()[0];
        t->state = 3;
    }
    return r + t->mode + t->scale;
}
int main(int argc, char **argv) {
    table t{5, 3, 100, 3, twice};
    unsigned seed = 1, h = 0;
    long n = atol(argv[1]);
    const long range = atol(argv[2]);
    volatile long i = 0;
    for (; i < n; ++i) {
        seed = seed * 1103515245 + 12345;
        long r = setjmp(back) ? -5 : take(&t, (seed >> 16) % range);
        h = h * 31 + (unsigned)r;
    }
    printf("%08x %ld %d %d %d %d\n", h, errors, t.mode, t.scale, t.limit, t.state);
}
