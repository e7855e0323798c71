// runtime: a composite is a lock and the events whose handlers run under it.
#pragma once

#include <atomic>

#include <pthread.h>

#include "event_layout.h"
#include "internal.h"

struct thalweg_composite {
    pthread_mutex_t mutex;
    // The thread that holds the mutex, or 0, which no thread of Linux's C libraries is. A thread that reads itself is the holder;
    // to take the lock once more is then to count, a fifth of what a recursive mutex asks.
    std::atomic<pthread_t> holder;
    thalweg_event *first;
    uint32_t depth;  // how often the holder holds it; the holder's alone
    bool locking;
    bool doomed;  // destroyed while held
};

namespace thalweg::runtime {

void enter_composite(thalweg_composite *composite, thalweg_event *event);
void leave_composite(thalweg_event *event);

}  // namespace thalweg::runtime
