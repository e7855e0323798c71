// tests: a chain of three events.
#pragma once
#include <thalweg/event.h>

inline thalweg::Event<int> outer{"outer"};
inline thalweg::Event<int> middle{"middle"};
inline thalweg::Event<int> last{"last"};
inline int count_last;

inline void on_outer(int argument) { middle.raise(argument + 1); }
inline void on_middle(int argument) { last.raise(argument + 1); }
inline void on_last(int argument) { count_last += argument; }

inline void bind_all() {
    outer.bind<&on_outer>();
    middle.bind<&on_middle>();
    last.bind<&on_last>();
}

extern "C" [[gnu::noinline]] inline void raise_outer(int argument) { outer.raise(argument); }
