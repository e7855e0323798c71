// tests: each function of this chain is a small dispatcher that calls the next one twice, as a parser by recursive descent has it. Two levels of copies
// are made; the first function does not get 2^8 of the last one.
// FLAGS: -mllvm -inline-threshold=-100000
// RUN: %probe %s | %check %s
// CHECK-LABEL: define {{.*}} @level_0(
// CHECK-COUNT-13: call {{.*}} @thalweg_probe_enter(
// CHECK-NOT: call {{.*}} @thalweg_probe_enter(
// CHECK-LABEL: define {{.*}} @level_8.thalweg.noted(
extern int token;
extern void (*scan)(void);
int last(void);
#define LEVEL(number, next)                                                                                            \
    int level_##number(void) {                                                                                         \
        int value = next();                                                                                            \
        while (token == number) {                                                                                      \
            scan();                                                                                                    \
            value += next();                                                                                           \
        }                                                                                                              \
        return value;                                                                                                  \
    }
LEVEL(8, last)
LEVEL(7, level_8)
LEVEL(6, level_7)
LEVEL(5, level_6)
LEVEL(4, level_5)
LEVEL(3, level_4)
LEVEL(2, level_3)
LEVEL(1, level_2)
LEVEL(0, level_1)
