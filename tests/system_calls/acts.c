// tests: linked into a program that nobody here wrote, it acts on the program's descriptors where a signal comes (ACTS, random_calls/acts.h).
#include "../random_calls/acts.h"

__attribute__((constructor)) static void begin_before_main(void) { begin_to_act((handler)handler_of_posix); }
