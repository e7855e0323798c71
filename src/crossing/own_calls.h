// crossing: whether the program may make system calls that the original would not have made.
#pragma once

// False where a filter of system calls (seccomp) was inherited: it may end the process at any call that the original does not make. Also
// false where that could not be found out without such a call. The answer is found before the program's first constructor runs, and stays:
// a program that may install a filter of its own is refused when it is optimised (transform/system_call/filter.h).
bool thalweg_crossing_may_call();

// For tests: what the room answers from now on.
void thalweg_crossing_set_may_call(bool may);
