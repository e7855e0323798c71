// tests: a list of callbacks as a C program has it.
#pragma once

struct entry {
    void (*function)(void *, int);
    void *context;
};
