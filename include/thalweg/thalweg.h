/* thalweg: the C interface. Events by name or id, composites with a lock around each handler, marshalled arguments.
 *
 *     thalweg_composite *ctp = thalweg_composite_create();
 *     thalweg_event *seg;
 *     thalweg_event_create(ctp, "SegFromUser", &seg);
 *     thalweg_bind(seg, on_segment, &session, 10, NULL);
 *     THALWEG_RAISE(seg, thalweg_integer(1), thalweg_real(2.0));
 *
 * Functions that can fail return a thalweg_status; thalweg_message says it in words. docs/EVENTS.md has the semantics.
 * An event belongs to the thread that created it; what other threads may call says so.
 */
#ifndef THALWEG_THALWEG_H
#define THALWEG_THALWEG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <initializer_list>
#define THALWEG_NO_THROW noexcept
extern "C" {
#else
#define THALWEG_NO_THROW
#endif

typedef struct thalweg_event thalweg_event; /* created here or, in C++, as a thalweg::Event */
typedef struct thalweg_composite thalweg_composite;
typedef struct thalweg_loop thalweg_loop;

typedef enum thalweg_status {
    THALWEG_OK = 0,
    THALWEG_NULL_POINTER,
    THALWEG_UNKNOWN_EVENT,
    THALWEG_WRONG_COUNT,
    THALWEG_WRONG_TYPE,
    THALWEG_OUT_OF_RANGE,
    THALWEG_NOT_MARSHALLED,
    THALWEG_NOT_BOUND,
    THALWEG_NOT_RAISED,
    THALWEG_NOT_PENDING,
    THALWEG_TYPED_EVENT,
    THALWEG_SYSTEM_ERROR
} thalweg_status;

/* What happened, and what to do. Never null. */
const char *thalweg_message(thalweg_status status) THALWEG_NO_THROW;

/* ---- arguments: each with its type; no C varargs, so that a compiler sees through them ---- */

typedef enum thalweg_type {
    THALWEG_NOTHING = 0,
    THALWEG_INTEGER = 1,
    THALWEG_REAL = 2,
    THALWEG_POINTER = 3,
    THALWEG_TEXT = 4
} thalweg_type;

typedef struct thalweg_value {
    thalweg_type type;
    union {
        int64_t integer;
        double real;
        void *pointer;
        const char *text;
    } as;
} thalweg_value;

static inline thalweg_value thalweg_integer(int64_t integer) {
    thalweg_value value;
    value.type = THALWEG_INTEGER;
    value.as.integer = integer;
    return value;
}
static inline thalweg_value thalweg_real(double real) {
    thalweg_value value;
    value.type = THALWEG_REAL;
    value.as.real = real;
    return value;
}
static inline thalweg_value thalweg_pointer(const void *pointer) {
    thalweg_value value;
    value.type = THALWEG_POINTER;
    value.as.pointer = (void *)pointer;
    return value;
}
static inline thalweg_value thalweg_text(const char *text) {
    thalweg_value value;
    value.type = THALWEG_TEXT;
    value.as.text = text;
    return value;
}

/* In a handler: 1 and the argument in *out, or 0 when there is none of that type at that place. */
static inline int thalweg_get_integer(const thalweg_value *arguments, size_t count, size_t index, int64_t *out) {
    if (index >= count || arguments[index].type != THALWEG_INTEGER)
        return 0;
    *out = arguments[index].as.integer;
    return 1;
}
static inline int thalweg_get_real(const thalweg_value *arguments, size_t count, size_t index, double *out) {
    if (index >= count || arguments[index].type != THALWEG_REAL)
        return 0;
    *out = arguments[index].as.real;
    return 1;
}
static inline int thalweg_get_pointer(const thalweg_value *arguments, size_t count, size_t index, void **out) {
    if (index >= count || arguments[index].type != THALWEG_POINTER)
        return 0;
    *out = arguments[index].as.pointer;
    return 1;
}
static inline int thalweg_get_text(const thalweg_value *arguments, size_t count, size_t index, const char **out) {
    if (index >= count || arguments[index].type != THALWEG_TEXT)
        return 0;
    *out = arguments[index].as.text;
    return 1;
}

typedef void (*thalweg_handler)(void *context, thalweg_event *event, const thalweg_value *arguments, size_t count);

/* ---- composites: events that share one recursive lock, held around each of their handlers ---- */

thalweg_composite *thalweg_composite_create(void) THALWEG_NO_THROW;
/* Destroys its events too. */
thalweg_status thalweg_composite_destroy(thalweg_composite *composite) THALWEG_NO_THROW;
/* On at creation. A raise in progress goes on as it began. */
thalweg_status thalweg_composite_set_locking(thalweg_composite *composite, int locking) THALWEG_NO_THROW;

/* ---- events ---- */

/* composite: null for an event of its own, without a lock. The name is copied; several events may have the same. */
thalweg_status thalweg_event_create(thalweg_composite *composite, const char *name,
                                    thalweg_event **event) THALWEG_NO_THROW;
/* From now on each raise is checked against these types. */
thalweg_status thalweg_event_declare(thalweg_event *event, const thalweg_type *types, size_t count) THALWEG_NO_THROW;
thalweg_status thalweg_event_destroy(thalweg_event *event) THALWEG_NO_THROW;

/* Null when there is none. Of several with the same name, the oldest. Any thread. */
thalweg_event *thalweg_event_find(const char *name) THALWEG_NO_THROW;
thalweg_event *thalweg_event_by_id(uint64_t id) THALWEG_NO_THROW;
uint64_t thalweg_event_id(const thalweg_event *event) THALWEG_NO_THROW; /* 0 for null; ids are never used again */
const char *thalweg_event_name(const thalweg_event *event) THALWEG_NO_THROW; /* "" for null */
size_t thalweg_event_handlers(const thalweg_event *event) THALWEG_NO_THROW; /* how many would run now */

/* ---- bindings: handlers run in ascending order, those of equal order in the order in which they were bound ---- */

typedef uint64_t thalweg_binding_id;

/* binding: may be null. */
thalweg_status thalweg_bind(thalweg_event *event, thalweg_handler handler, void *context, int32_t order,
                            thalweg_binding_id *binding) THALWEG_NO_THROW;
/* release is called with the context when the handler will never run again. */
thalweg_status thalweg_bind_kept(thalweg_event *event, thalweg_handler handler, void *context, void (*release)(void *),
                                 int32_t order, thalweg_binding_id *binding) THALWEG_NO_THROW;
thalweg_status thalweg_unbind(thalweg_event *event, thalweg_binding_id binding) THALWEG_NO_THROW;
thalweg_status thalweg_block(thalweg_event *event, thalweg_binding_id binding) THALWEG_NO_THROW;
thalweg_status thalweg_unblock(thalweg_event *event, thalweg_binding_id binding) THALWEG_NO_THROW;

/* ---- raises ---- */

/* Runs every handler before it returns. The arguments are the raiser's, and stay as they are until then: no handler and no other
 * thread writes into the array (into what a pointer in it points to, they may). Exceptions of C++ handlers pass through; the
 * C++ twin is the same function with C++'s own tables, so that it can be inlined into C++. */
#ifdef __cplusplus
thalweg_status thalweg_raise(thalweg_event *event, const thalweg_value *arguments,
                             size_t count) __asm__("thalweg_raise_cxx");
#else
thalweg_status thalweg_raise(thalweg_event *event, const thalweg_value *arguments, size_t count);
#endif
thalweg_status thalweg_raise_named(const char *name, const thalweg_value *arguments, size_t count);
/* Ends the innermost raise in progress of this event after the handler that runs now. */
thalweg_status thalweg_halt(thalweg_event *event) THALWEG_NO_THROW;

/* ---- complex events: raised, without arguments, by a pattern of other events' raises ---- */

typedef enum thalweg_pattern_kind {
    THALWEG_ANY_OF = 0, /* any part is raised */
    THALWEG_ALL_OF = 1, /* every part has been raised since the complex event was, in whatever order */
    THALWEG_SEQUENCE = 2 /* the parts have been raised in this order; what else is raised in between does not matter */
} thalweg_pattern_kind;

/* within_ns: the time from the first to the last; 0: any. The complex event is raised by the raise of the part that completes
 * the pattern, before that one goes on. It is destroyed like any other; its parts may be destroyed before. */
thalweg_status thalweg_compose(thalweg_composite *composite, const char *name, thalweg_pattern_kind kind,
                               uint64_t within_ns, thalweg_event *const *parts, size_t count,
                               thalweg_event **event) THALWEG_NO_THROW;

/* ---- raises that happen later, from the loop of the thread that calls this ---- */

typedef uint64_t thalweg_raise_id; /* 0 is none */

/* Arguments are copied, texts too; what a pointer points to is not. id: may be null. */
thalweg_status thalweg_post(thalweg_event *event, const thalweg_value *arguments, size_t count,
                            thalweg_raise_id *id) THALWEG_NO_THROW;
thalweg_status thalweg_post_after(thalweg_event *event, uint64_t delay_ns, const thalweg_value *arguments, size_t count,
                                  thalweg_raise_id *id) THALWEG_NO_THROW;
thalweg_status thalweg_cancel(thalweg_raise_id id) THALWEG_NO_THROW;
/* Any thread: `loop` is the one of the event's thread. An event that is gone when it is to be raised is passed over. */
thalweg_status thalweg_post_to(thalweg_loop *loop, uint64_t event_id, const thalweg_value *arguments,
                               size_t count) THALWEG_NO_THROW;

/* ---- loops ---- */

/* The calling thread's loop from now on. Null, with errno, when the system has no more descriptors. */
thalweg_loop *thalweg_loop_create(void) THALWEG_NO_THROW;
/* What it had still to do is dropped. In the loop's thread, and not from a handler that it runs. */
thalweg_status thalweg_loop_destroy(thalweg_loop *loop) THALWEG_NO_THROW;
/* The calling thread's loop; made when there is none yet, and destroyed with its thread. Null as above. */
thalweg_loop *thalweg_loop_here(void) THALWEG_NO_THROW;
/* Until it is stopped. */
thalweg_status thalweg_loop_run(thalweg_loop *loop);
/* What is ready now, and not what that posts. wait: until there is something, another thread's post or stop included.
 * done: may be null; how much was run. */
thalweg_status thalweg_loop_run_once(thalweg_loop *loop, int wait, size_t *done);
/* For a handler that lets others run before it goes on: run_once without waiting. */
thalweg_status thalweg_loop_yield(thalweg_loop *loop);
/* Any thread. The run in progress, or else the next one, returns after the handler that runs now. */
thalweg_status thalweg_loop_stop(thalweg_loop *loop) THALWEG_NO_THROW;

/* ---- external events ---- */

typedef uint64_t thalweg_watch_id; /* 0 is none */
enum { THALWEG_READABLE = 1, THALWEG_WRITABLE = 2, THALWEG_CLOSED = 4 };

/* Raised with (fd, what it is ready for) again and again while it is. An event that is destroyed ends its watches. */
thalweg_status thalweg_watch_fd(thalweg_loop *loop, int fd, unsigned interest, thalweg_event *event,
                                thalweg_watch_id *watch) THALWEG_NO_THROW;
/* Raised with (signal). The signal is blocked in the calling thread; block it in the others before they start. */
thalweg_status thalweg_watch_signal(thalweg_loop *loop, int signal, thalweg_event *event,
                                    thalweg_watch_id *watch) THALWEG_NO_THROW;
/* Raised with (how many periods have passed since the last time). */
thalweg_status thalweg_watch_timer(thalweg_loop *loop, uint64_t period_ns, thalweg_event *event,
                                   thalweg_watch_id *watch) THALWEG_NO_THROW;
thalweg_status thalweg_unwatch(thalweg_loop *loop, thalweg_watch_id watch) THALWEG_NO_THROW;

#ifdef __cplusplus
} /* extern "C" */
static inline thalweg_status thalweg_raise_list(thalweg_event *event, std::initializer_list<thalweg_value> arguments) {
    return thalweg_raise(event, arguments.begin(), arguments.size());
}
#define THALWEG_RAISE(event, ...) thalweg_raise_list((event), {__VA_ARGS__})
extern "C" {
#else
#define THALWEG_RAISE(event, ...)                                                                                      \
    thalweg_raise((event), (const thalweg_value[]){__VA_ARGS__},                                                       \
                  sizeof((const thalweg_value[]){__VA_ARGS__}) / sizeof(thalweg_value))
#endif

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif
