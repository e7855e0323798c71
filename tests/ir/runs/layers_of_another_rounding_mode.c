// tests: layers and lists of handlers that compute, under four rounding modes, in turn, by the passes that the program's own build had.
// RUN: %run --passes=thalweg-link-O2 %s | %check %s
// PLAN: 1 specialize send : memory send/0:4 8 = 1
// PLAN: 2 specialize pick : argument pick/1 = 1
// PLAN: 3 merge fire/0 = third seventh
// CHECK: decision 1 refused: given up: it computes with floating point, and the program uses fesetround
// CHECK: decision 2 applied
// CHECK: decision 3 applied: 2 targets merged into a straight line in fire; seventh is still called: it computes with floating point
// CHECK: ; the same
#include <fenv.h>
#include <stdio.h>

struct layer {
    double (*scale)(const struct layer *, double);
    int mode;
    double three;
};
double three = 3.0;
static double seen[4];
int count = 2;
static void third(int at) { seen[at] = seen[at + 1] / three; }
static void seventh(int at) { seen[at] += 1.0 / 7.0 / three; }
void (*handlers[4])(int) = {third, seventh};

static double scaled(const struct layer *layer, double value) {
    return layer->mode == 1 ? value / layer->three : value;
}
__attribute__((noinline)) double send(const struct layer *layer, double value) {
    return layer->scale(layer, value) / layer->mode;
}
__attribute__((noinline)) static double divided(double value, long by) { return value / by; }
__attribute__((noinline)) static double multiplied(double value, long by) { return value * by; }
__attribute__((noinline)) double pick(double value, long way) {
    return way == 1 ? divided(value, 9) : multiplied(value, way);
}
__attribute__((noinline)) void fire(int at) {
    for (int i = 0; i < count; ++i)
        handlers[i](at);
}

int main(int argc, char **argv) {
    const int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    struct layer layer = {scaled, argc, 3.0};
    for (int round = 0; round < 12; ++round) {
        fesetround(modes[round % 4]);
        seen[1] = 1.0;
        fire(0);
        const double sent = send(&layer, 1.0), picked = pick(2.0, round < 8 ? 1 : 3);
        fesetround(FE_TONEAREST);
        printf("%a %a %a\n", seen[0], sent, picked);
    }
    return argv[0] == NULL;
}
