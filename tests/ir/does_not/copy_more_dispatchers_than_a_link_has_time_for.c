// tests: of two dispatchers of some two hundred instructions with sixty callers each, only the one whose copies are fewer instructions is copied
// into its callers: both would be more than the room that a small program has (room_for_copies).
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %probe %s | %check %s
// CHECK-LABEL: define {{.*}} @of_the_smaller_11(
// CHECK-NOT: call {{.*}} @smaller(
// CHECK-LABEL: define {{.*}} @of_the_larger_11(
// CHECK: call {{.*}} @larger(
struct list {
    int count;
    void (*functions[8])(int);
};
static volatile int sink;
#define TEN(x) x x x x x x x x x x
#define DISPATCHER(name, more)                                                                                         \
    void name(const struct list *list, int value) {                                                                    \
        TEN(TEN(sink; sink;)) more for (int i = 0; i < list->count; ++i) list->functions[i](value);                    \
    }
DISPATCHER(larger, TEN(sink = value;))
DISPATCHER(smaller, )
#define CALLER(of, number)                                                                                             \
    void of_the_##of##_##number(const struct list *list) { of(list, number); }
#define FIVE(of, a, b, c, d, e) CALLER(of, a) CALLER(of, b) CALLER(of, c) CALLER(of, d) CALLER(of, e)
#define TEN_OF(of, tens)                                                                                               \
    FIVE(of, tens##0, tens##1, tens##2, tens##3, tens##4) FIVE(of, tens##5, tens##6, tens##7, tens##8, tens##9)
#define THIRTY(of, a, b, c) TEN_OF(of, a) TEN_OF(of, b) TEN_OF(of, c)
THIRTY(smaller, 1, 2, 3)
THIRTY(smaller, 4, 5, 6)
THIRTY(larger, 1, 2, 3)
THIRTY(larger, 4, 5, 6)
int main(void) { return 0; }
