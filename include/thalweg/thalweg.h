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
thalweg_status thalweg_unbind(thalweg_event *event, thalweg_binding_id binding) THALWEG_NO_THROW;
thalweg_status thalweg_block(thalweg_event *event, thalweg_binding_id binding) THALWEG_NO_THROW;
thalweg_status thalweg_unblock(thalweg_event *event, thalweg_binding_id binding) THALWEG_NO_THROW;

/* ---- raises ---- */

/* Runs every handler before it returns. Exceptions of C++ handlers pass through; the C++ twin is the same function with
 * C++'s own tables, so that it can be inlined into C++. */
#ifdef __cplusplus
thalweg_status thalweg_raise(thalweg_event *event, const thalweg_value *arguments,
                             size_t count) __asm__("thalweg_raise_cxx");
#else
thalweg_status thalweg_raise(thalweg_event *event, const thalweg_value *arguments, size_t count);
#endif
thalweg_status thalweg_raise_named(const char *name, const thalweg_value *arguments, size_t count);
/* Ends the innermost raise in progress of this event after the handler that runs now. */
thalweg_status thalweg_halt(thalweg_event *event) THALWEG_NO_THROW;

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
