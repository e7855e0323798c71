/* runtime: a raise of the C interface that has still to happen, with its arguments; texts are copied behind them. */
#ifndef THALWEG_RUNTIME_POSTED_VALUES_H
#define THALWEG_RUNTIME_POSTED_VALUES_H

#include "event_layout.h"

typedef struct posted_values {
    thalweg_task task;
    size_t count;
    thalweg_value values[];
} posted_values;

#endif
