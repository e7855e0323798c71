// tests: a static table of static functions may be copied with them, as long as what is read from it is only called.
// RUN: %object %s | %check %s
// PLAN: 1 specialize send : argument send/1:4 = 3
// CHECK: decision 1 applied
// CHECK: copies: ['other', 'plain', 'table']
typedef int (*operation)(int);
static int plain(int value) { return value + 1; }
static int other(int value) { return value + 2; }
static const operation table[] = {plain, other};

int send(unsigned which, int fact) { return fact == 3 ? 5 : table[which & 1](fact); }
