// thalweg: marks for the optimiser, which reads them in the linked program. They cost nothing, and mean nothing to other compilers.
#pragma once

#ifdef __clang__
// An event is triggered here; the first argument is its node.
#define THALWEG_TRIGGER [[clang::annotate("thalweg.trigger")]]
// On the way from there to the function that waits.
#define THALWEG_CROSSING [[clang::annotate("thalweg.crossing")]]
#else
#define THALWEG_TRIGGER
#define THALWEG_CROSSING
#endif
