// tests: what a running test program shows: each handler that runs, with what it was given.
#pragma once
#include <stdio.h>

static inline void show(const char *who, long what) { printf("%s %ld\n", who, what); }
