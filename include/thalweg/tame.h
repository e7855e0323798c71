// thalweg: ordinary control flow for event-driven programs: events, rendezvous and tamed functions (paper tame-usenix07), as C++20
// coroutines. docs/WAITS.md has the model, and the paper's examples beside ours.
#pragma once

#include <thalweg/tame/adapters.h>
#include <thalweg/tame/callback.h>
#include <thalweg/tame/descriptor.h>
#include <thalweg/tame/event.h>
#include <thalweg/tame/lenient.h>
#include <thalweg/tame/lock.h>
#include <thalweg/tame/prompt.h>
#include <thalweg/tame/relays.h>
#include <thalweg/tame/rendezvous.h>
#include <thalweg/tame/report.h>
#include <thalweg/tame/run.h>
#include <thalweg/tame/signal.h>
#include <thalweg/tame/tamed.h>
#include <thalweg/tame/threads.h>
#include <thalweg/tame/timer.h>
#include <thalweg/tame/trace_signal.h>
#include <thalweg/tame/turn_timer.h>
#include <thalweg/tame/virtual_time.h>
#include <thalweg/tame/wait.h>
