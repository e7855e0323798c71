// runtime: a composite is a lock and the events whose handlers run under it.
#pragma once

#include <pthread.h>

#include "event_layout.h"
#include "internal.h"

struct thalweg_composite {
    pthread_mutex_t mutex;  // recursive
    thalweg_event *first;
    uint32_t depth;  // how often the holder holds it
    bool locking;
    bool doomed;  // destroyed while held
};

namespace thalweg::runtime {

void enter_composite(thalweg_composite *composite, thalweg_event *event);
void leave_composite(thalweg_event *event);

}  // namespace thalweg::runtime
