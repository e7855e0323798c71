// tests: a function that needs static data that changes is not put into an object of its own: its copy would not be the program's.
// RUN: %object %s | %check %s
// FLAGS: -g
// PLAN: 1 specialize count : argument count/0:4 = 3
// CHECK: decision 1 refused: it needs total ({{.*}}.c:7), which is static and may change{{.*}}take its `static` away
// CHECK-NOT: symbol:
static int total;
void look(void);

int count(int by) {
    if (by != 3)
        look();
    return total += by;
}
