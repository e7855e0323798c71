/* runtime: calls that end in users' handlers, from the loop: what must be undone is undone when a handler throws. */
#include <stdlib.h>

#include "posted_values.h"

static void enter_mode(thalweg_raise_mode mode) {
    if (thalweg_recorder_hooks)
        thalweg_recorder_hooks->raise_mode(mode);
}
static void leave_mode(const thalweg_raise_mode *mode) {
    (void)mode;
    enter_mode(THALWEG_RAISE_SYNC);
}
static void drop_values(thalweg_task *const *task) { (*task)->drop(*task); }

void thalweg_run_raise(thalweg_task *task) {
    thalweg_raise_mode mode __attribute__((cleanup(leave_mode))) = task->mode;
    enter_mode(mode);
    task->run(task);
}

void thalweg_raise_external(thalweg_core *core, const thalweg_value *arguments, size_t count,
                            thalweg_raise_mode raised) {
    thalweg_raise_mode mode __attribute__((cleanup(leave_mode))) = raised;
    enter_mode(mode);
    thalweg_raise((thalweg_event *)core, arguments, count);
}

void thalweg_run_posted_values(thalweg_task *task) {
    thalweg_task *taken __attribute__((cleanup(drop_values))) = task;
    const posted_values *posted = (const posted_values *)task;
    thalweg_raise((thalweg_event *)taken->core, posted->values, posted->count);
}
