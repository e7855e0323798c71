// tests: a static function is made for the calls in its own file (here: never with anything but 0), so that nobody else may call it.
// RUN: %object %s | %check %s
// FLAGS: -g
// PLAN: 1 specialize hidden : argument hidden/0:4 = 3
// CHECK: decision 1 refused: hidden ({{.*}}.c:9) is static: its compiler has fitted it to the calls in its own file
// CHECK-NOT: symbol:
void look(void);
int state;
__attribute__((noinline)) static int hidden(int fact, int *place) {
    if (fact == 3)
        return 4;
    look();
    return *place;
}
int shown(int fact) { return hidden(fact, &state); }
