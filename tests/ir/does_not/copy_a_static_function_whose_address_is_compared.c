// tests: a copy of a static function has another address than the program's; where that is compared, there is no object.
// RUN: %object %s | %check %s
// PLAN: 1 specialize send : argument send/1:4 = 3
// CHECK: decision 1 refused: it needs plain, which is static, and its address: a copy in the object would have another one
typedef int (*operation)(int);
__attribute__((noinline)) static int plain(int value) { return value + 1; }
__attribute__((noinline)) static int other(int value) { return value + 2; }

int send(operation given, int fact) { return fact == 3 ? given == plain : other(fact); }
operation choose(int which) { return which ? plain : other; }
