// tests: nor where somebody else gets a static function's address, and may compare it with the program's own.
// RUN: %object %s | %check %s
// PLAN: 1 specialize send : argument send/0:4 = 3
// CHECK: decision 1 refused: it needs plain, which is static, and its address: a copy in the object would have another one
typedef int (*operation)(int);
static int plain(int value) { return value + 1; }
void keep(operation);

int send(int fact) {
    if (fact == 3)
        keep(plain);
    return 0;
}
