/* What event.h, loop.h and thalweg.h call in libthalweg. Not for users: its functions may change with every version.
 *
 * Owned by one thread, like the core: nothing here locks, except where it says so.
 */
#ifndef THALWEG_RUNTIME_H
#define THALWEG_RUNTIME_H

#include <thalweg/abi.h>
#include <thalweg/thalweg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One bind(). Lives as long as the event, a list of slots that is still in use, or a user's handle refers to it. */
typedef struct thalweg_binding {
    struct thalweg_core *core; /* null: no longer bound */
    struct thalweg_binding *previous,
        *next; /* the event's bindings, blocked ones too, in the order in which they run */
    thalweg_function function;
    void *context;
    void (*destroy)(struct thalweg_binding *); /* frees the memory and what is stored behind it */
    void (*release)(void *kept);               /* before that; may be null */
    void *kept;
    int32_t order;
    uint32_t references;
    uint32_t blocked;
    uint32_t id; /* within the event */
} thalweg_binding;

/* What libthalweg must know of a typed event: how to raise it, and bind to it, with marshalled arguments. Both check. */
typedef struct thalweg_event_type {
    const thalweg_type *types; /* THALWEG_NOTHING: has no marshalled form */
    size_t count;
    thalweg_status (*raise)(thalweg_core *core, const thalweg_value *arguments, size_t count);
    /* *binding: alive while it is bound; the caller has no reference. */
    thalweg_status (*bind)(thalweg_core *core, thalweg_handler handler, void *context, int32_t order,
                           thalweg_binding **binding) THALWEG_NOEXCEPT;
} thalweg_event_type;

/* Of frames and cores; private to the runtime. */
enum { THALWEG_FRAME_HALTED = 1, THALWEG_FRAME_DELETED = 2 };
enum { THALWEG_CORE_TYPED = 1, THALWEG_CORE_LOCKED = 2, THALWEG_CORE_DECLARED = 4 };

/* `name` is copied; null: "file:line". */
void thalweg_core_create(thalweg_core *core, const char *name, const char *file, uint32_t line,
                         const thalweg_event_type *type) THALWEG_NOEXCEPT;
/* Null where the event was not created by this type. */
const thalweg_event_type *thalweg_core_type(const thalweg_core *core) THALWEG_NOEXCEPT;
/* Every raise in progress ends after the handler that runs now. */
void thalweg_core_delete(thalweg_core *core) THALWEG_NOEXCEPT;

/* The caller fills in function, context, destroy and order; the event takes one reference. */
void thalweg_core_bind(thalweg_core *core, thalweg_binding *binding) THALWEG_NOEXCEPT;
void thalweg_binding_unbind(thalweg_binding *binding) THALWEG_NOEXCEPT;
void thalweg_binding_block(thalweg_binding *binding, int blocked) THALWEG_NOEXCEPT;
void thalweg_binding_release(thalweg_binding *binding) THALWEG_NOEXCEPT;

/* Ends the innermost raise in progress after the handler that runs now. Returns 0 if there was none. */
int thalweg_core_halt(thalweg_core *core) THALWEG_NOEXCEPT;

#ifdef THALWEG_CHECK_THREADS
/* Of the build that checks them (variant.h). An address that no other thread that lives has. */
const void *thalweg_this_thread(void) THALWEG_NOEXCEPT;
/* Aborts the program where the event is another thread's. use: what is done with it, "was raised". */
void thalweg_core_check_thread(const thalweg_core *core, const char *use) THALWEG_NOEXCEPT;
void thalweg_loop_check_thread(const thalweg_loop *loop, const char *use) THALWEG_NOEXCEPT;
/* Says who was used how, and aborts. */
void thalweg_wrong_thread(const char *name, const char *use) THALWEG_NOEXCEPT;
#endif

/* Takes a frame whose state is not UNCHANGED off its event, if that is still there. */
void thalweg_frame_leave(thalweg_core *core, thalweg_frame *frame) THALWEG_NOEXCEPT;

/* ---- what a complex event has seen of its parts ---- */

typedef struct thalweg_pattern thalweg_pattern;
/* parts: what stands for each; an event that is several parts stands there several times. */
thalweg_pattern *thalweg_pattern_create(thalweg_pattern_kind kind, uint64_t within_ns, const void *const *parts,
                                        size_t count) THALWEG_NOEXCEPT;
void thalweg_pattern_destroy(thalweg_pattern *pattern) THALWEG_NOEXCEPT;
/* `part` was raised. 1: the pattern is complete, and begins anew with the next raise. */
int thalweg_pattern_seen(thalweg_pattern *pattern, const void *part) THALWEG_NOEXCEPT;
/* 1: `parts` has the same earlier, so that it is bound already. */
int thalweg_pattern_has_before(const void *const *parts, size_t index) THALWEG_NOEXCEPT;

/* ---- what a loop has still to do: a raise with its arguments, or a function ---- */

typedef struct thalweg_task {
    struct thalweg_task *next, *previous; /* in the loop's queue */
    struct thalweg_task *event_next, *event_previous; /* of the same event */
    thalweg_loop *loop;
    thalweg_core *core; /* null: a function */
    uint64_t event_id; /* sent by another thread: the event is looked up by the loop's */
    void (*run)(struct thalweg_task *); /* frees the task, also when a handler throws */
    void (*drop)(struct thalweg_task *); /* frees the task unrun */
    uint64_t due_ns;
    uint64_t sequence;
    uint64_t id; /* 0: none */
    uint32_t place; /* in the heap of those that wait for their time */
    thalweg_raise_mode mode;
} thalweg_task;

/* The caller fills in run, drop and core. delay_ns 0: as soon as the loop comes to it. Into the calling thread's loop.
 * 0: it has none and the system has no descriptors for one; the task is dropped. */
thalweg_raise_id thalweg_task_post(thalweg_task *task, uint64_t delay_ns, thalweg_raise_mode mode) THALWEG_NOEXCEPT;
/* A function, without an id: its owner takes it back by its address. 0: as there; the task is dropped. */
int thalweg_task_put(thalweg_task *task, uint64_t delay_ns) THALWEG_NOEXCEPT;
/* The delay begins at an earlier time of the loop's clock. */
int thalweg_task_put_from(thalweg_task *task, uint64_t from_ns, uint64_t delay_ns) THALWEG_NOEXCEPT;
/* Neither run nor dropped: it is the owner's again. Of a task that was put, and that has not been run or dropped. */
void thalweg_task_take_back(thalweg_task *task) THALWEG_NOEXCEPT;
/* Any thread. event_id 0: a function. */
void thalweg_task_send(thalweg_loop *loop, thalweg_task *task, uint64_t event_id) THALWEG_NOEXCEPT;
/* One of the calling thread's. */
int thalweg_loop_is_here(const thalweg_loop *loop) THALWEG_NOEXCEPT;
/* It has something to do, or waits for something, but for what other threads may send. */
int thalweg_loop_has_pending(const thalweg_loop *loop) THALWEG_NOEXCEPT;
/* A raise in progress, or a turn of the calling thread's loop that tells descriptors, has its state on this part of the running stack. */
int thalweg_stack_is_used(const void *low, const void *high) THALWEG_NOEXCEPT;

/* ---- virtual time, for tests: a loop's clock stands still, and jumps to the next timer where the loop would wait for it ---- */

/* 0: it stands still already. */
int thalweg_virtual_time_begin(thalweg_loop *loop) THALWEG_NOEXCEPT;
/* Timers keep the time that they have left. */
void thalweg_virtual_time_end(thalweg_loop *loop) THALWEG_NOEXCEPT;
/* What the loop's clock shows. */
uint64_t thalweg_loop_now(const thalweg_loop *loop) THALWEG_NOEXCEPT;
/* Something is under way elsewhere: until it is let go as often, a clock that stands still does not jump. */
void thalweg_virtual_time_hold(thalweg_loop *loop) THALWEG_NOEXCEPT;
void thalweg_virtual_time_let_go(thalweg_loop *loop) THALWEG_NOEXCEPT;

/* ---- what a loop waits for beside its tasks ---- */

/* Told of a descriptor by epoll. In its owner's memory; one for each descriptor. */
typedef struct thalweg_descriptor {
    void (*happened)(struct thalweg_descriptor *,
                     uint32_t events); /* EPOLLIN and the like; lets no exception through */
} thalweg_descriptor;

/* events: EPOLLIN and the like. Whoever was told of it before is told no more. THALWEG_SYSTEM_ERROR: errno says why. */
thalweg_status thalweg_descriptor_add(thalweg_loop *loop, thalweg_descriptor *descriptor, int fd,
                                      uint32_t events) THALWEG_NOEXCEPT;
/* Also where the system has forgotten it, because its number was closed and is another descriptor's now. */
thalweg_status thalweg_descriptor_change(thalweg_loop *loop, thalweg_descriptor *descriptor, int fd,
                                         uint32_t events) THALWEG_NOEXCEPT;
/* It is told of nothing more, nor of what the turn that runs has still to tell. Before the descriptor is closed. */
void thalweg_descriptor_remove(thalweg_loop *loop, thalweg_descriptor *descriptor, int fd) THALWEG_NOEXCEPT;

typedef struct thalweg_io_turn {
    size_t done;
    int epoll_is_ready; /* so that the loop has to look there */
} thalweg_io_turn;

/* What a loop waits with in place of epoll. Hands in what was asked for, waits for something that is done, at most timeout_ns
 * (negative: without end), and tells whoever asked for it. Lets no exception through. */
typedef struct thalweg_poller {
    thalweg_io_turn (*wait)(struct thalweg_poller *, int64_t timeout_ns);
} thalweg_poller;

/* Null: epoll. */
void thalweg_loop_set_poller(thalweg_loop *loop, thalweg_poller *poller) THALWEG_NOEXCEPT;
int thalweg_loop_epoll(const thalweg_loop *loop) THALWEG_NOEXCEPT;

/* What others keep for a loop, found by its kind: an address that is nobody else's. */
typedef struct thalweg_loop_part {
    const void *kind;
    void (*end)(struct thalweg_loop_part *); /* the loop goes, and is still whole; frees the part */
    int (*waits)(const struct thalweg_loop_part *); /* something may still come from it */
    struct thalweg_loop_part *next;
} thalweg_loop_part;

/* Null: none yet. */
thalweg_loop_part *thalweg_loop_find_part(const thalweg_loop *loop, const void *kind) THALWEG_NOEXCEPT;
void thalweg_loop_add_part(thalweg_loop *loop, thalweg_loop_part *part) THALWEG_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
