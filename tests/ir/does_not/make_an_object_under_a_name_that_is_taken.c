// tests: the program's own symbol is not overwritten.
// RUN: %object %s | %check %s
// PLAN: 1 specialize count : argument count/0:4 = 3
// CHECK: decision 1 refused: the program has a symbol alone already; choose another with --name
int alone;

void look(void);

int count(int by) {
    if (by != 3)
        look();
    return alone;
}
