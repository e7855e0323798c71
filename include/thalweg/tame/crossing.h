// thalweg: marks for the optimiser, which reads them in the linked program. They cost nothing, and mean nothing to other compilers.
#pragma once

#include <thalweg/abi.h>

#ifdef __clang__
// An event is triggered here; the first argument is its node.
#define THALWEG_TRIGGER [[clang::annotate(THALWEG_TRIGGER_MARK)]]
// On the way from there to the function that waits.
#define THALWEG_CROSSING [[clang::annotate(THALWEG_CROSSING_MARK)]]
#else
#define THALWEG_TRIGGER
#define THALWEG_CROSSING
#endif
