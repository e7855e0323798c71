#!/usr/bin/env bash
# The story. A raise of the event that a variable points to may be tested by one word, which the runtime keeps: "the event that
# `current` points to has the handlers that were recorded". It is renewed at each change of the variable, and was asked where the raise
# began. But the raise is of what the variable pointed to when it was *loaded*: between the load and the raise this program points the
# variable to the next connection, and then the word spoke for that one. Handlers ran that were not bound; others did not.
# A fact and the test of it must be of the same moment. No test had a load and a raise with something in between.
#
# Here: handlers that rebind, and a variable that is pointed elsewhere by main and by handlers; every raise runs what is bound.
source "$(dirname "$0")/../flow/common.sh"
cat > hub.cc <<'C'
#include <cstdio>
#include <thalweg/event.h>

using Event = thalweg::Event<long>;
static Event *current;
Event first{"first"}, second{"second"};
thalweg::Binding late;
long sum;

void count(long value) { sum += value; }
void mix(long value) { sum = sum * 31 % 1000003 + value; }
void reset(long value) { sum ^= value; }
void rebind(long value) {
    if (value % 100 == 99) {
        late.unbind();
        late = value % 200 == 199 ? first.bind<&mix>() : first.bind<&reset>();
    }
}
void turn(long value) {
    if (value % 1000 == 500)
        current = &first;
}

[[gnu::noinline]] void point(Event *to) { current = to; }
[[gnu::noinline]] void raise_and_point(long value, Event *next) {
    Event *now = current;
    point(next);
    now->raise(value);
}

int main(int words, char **) {
    first.bind<&count>();
    first.bind<&rebind>();
    late = first.bind<&mix>();
    second.bind<&turn>();
    second.bind<&reset>();
    current = &first;
    for (long i = 0; i < 20000; ++i) {
        raise_and_point(i, words > 1 && i % 3 == 0 ? &second : &first);
        if (i % 1000 == 0)
            std::printf("%ld %ld\n", i, sum);
    }
    std::printf("%ld\n", sum);
}
C
root=$(cd "$here/../.." && pwd)
thalweg-c++ -O2 -g -std=c++20 -I"$root/include" -c hub.cc -o hub.o
thalweg-c++ hub.o "$bin/../lib/thalweg/libthalweg.a" -o hub -pthread
thalweg record -o profile -- ./hub > /dev/null 2> said || die "record: $(cat said)"
thalweg optimize ./hub --profile profile -o hub.opt > out 2> said || die "optimize: $(cat out said)"
grep -q 'applied *merge *first' out || die "the raise of first was not merged: $(cat out)"
same "$(./hub)" "$(./hub.opt)" "a run like the recorded one"
same "$(./hub elsewhere)" "$(./hub.opt elsewhere)" "a run in which the variable is pointed elsewhere"
[ "$(./hub)" != "$(./hub elsewhere)" ] || die "it does not matter which event is raised: the test is worth nothing"
