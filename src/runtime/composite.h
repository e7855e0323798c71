// runtime: a composite is a lock and the events whose handlers run under it.
#pragma once

#include <atomic>

#include <pthread.h>

#include "event_layout.h"
#include "internal.h"

struct thalweg_composite {
    pthread_mutex_t mutex;
    // An address of the thread that holds the mutex, or null. A thread that reads its own is the holder; to take the lock
    // once more is then to count, a fifth of what a recursive mutex asks.
    std::atomic<const void *> holder;
    thalweg_event *first;
    uint32_t depth;  // how often the holder holds it; the holder's alone
    bool locking;
    bool doomed;  // destroyed while held
};

namespace thalweg::runtime {

void enter_composite(thalweg_composite *composite, thalweg_event *event);
void leave_composite(thalweg_event *event);

}  // namespace thalweg::runtime
