// tests: what every generated event program shares: the trace, the script, the table of operations on events.
//
// A script is a line of numbers: "top-level tokens / tokens for handlers". Main executes the first ones in turn; each
// handler that runs takes the next of the second ones and does what it says. A program that runs another handler than the
// original therefore soon does something else altogether.
#pragma once

#include <cstdint>

struct Context {
    int64_t value = 0;
    int64_t count = 0;
};

// What can be done to an event, whatever it is made of.
struct EventOps {
    void (*create)();
    void (*destroy)();  // of one that does not exist: nothing
    bool (*exists)();
    void (*bind)(int handler, int order);
    void (*unbind)(int handler);
    void (*block)(int handler, bool blocked);
    void (*halt)();
    int64_t (*raise)(int64_t argument);  // of one that does not exist: nothing
};

// Defined by the generated program.
extern const EventOps event_ops[];
extern const int event_count;
extern const int handler_count;
extern Context *const handler_contexts[];
void bind_at_start();

// A handler ran.
void trace(int handler, int64_t argument, int64_t value);
// Does what the script says to the next handler. May throw, delete events, anything.
void act(int handler);

// A raise from inside a handler: refused when raises are nested too deep or a script went on for too long.
bool may_raise();
struct Depth {
    Depth();
    ~Depth();
};
