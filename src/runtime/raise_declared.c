/* runtime: the raise of an event with declared types for callers in C. */
#define RAISE_DECLARED_NAME thalweg_raise_declared
#include "raise_declared_body.h"
