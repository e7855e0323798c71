// tests: a variable that each thread has its own of has no address that a table could name: it is no context.
// RUN: %run %s | %check %s
// PLAN: 1 merge raise_one/0 = *by_pointer*on_one*@own
// CHECK: decision 1 refused
// CHECK: ; the same
#include <thalweg/event.h>

#include "show.h"

thalweg::Event<int> one{"one"};
thread_local int own;
void on_one(int *context, int argument) { show(context ? "an object" : "no object", argument); }
extern "C" [[gnu::noinline]] void raise_one(int argument) { one.raise(argument); }
int main() {
    own = 7;
    one.bind<&on_one>(static_cast<int *>(nullptr));
    raise_one(1);
}
