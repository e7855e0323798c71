// crossing: what a user sets to find errors with glibc's malloc.
#pragma once

// mallopt(3), "Environment variables", and glibc's tunables. `environment` ends with a null.
bool thalweg_crossing_looks_for_errors(const char *const *environment);
