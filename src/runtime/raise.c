/* runtime: thalweg_raise for callers in C. */
#define RAISE_NAME thalweg_raise
#include "raise_body.h"
