// runtime: thalweg_raise for callers in C++. thalweg.h gives it the symbol thalweg_raise_cxx.
#define RAISE_NAME thalweg_raise
#define RAISE_DECLARED_NAME thalweg_raise_declared_cxx
#include "raise_body.h"
