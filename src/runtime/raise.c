/* runtime: thalweg_raise for callers in C. */
#define RAISE_NAME thalweg_raise
#define RAISE_DECLARED_NAME thalweg_raise_declared
#include "raise_body.h"
