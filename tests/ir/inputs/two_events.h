// tests: an event whose handler raises another, both at addresses that the compiler knows.
#pragma once
#include <thalweg/event.h>

inline thalweg::Event<int> outer{"outer"};
inline thalweg::Event<int> inner{"inner"};
inline int count_outer, count_first, count_second;

inline void on_outer(int argument) {
    count_outer += argument;
    inner.raise(argument + 1);
}
inline void on_first(int argument) { count_first += argument; }
inline void on_second(int argument) { count_second += argument; }

inline void bind_all() {
    outer.bind<&on_outer>();
    inner.bind<&on_first>();
    inner.bind<&on_second>();
}

extern "C" [[gnu::noinline]] inline void raise_outer(int argument) { outer.raise(argument); }
