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
    int32_t order;
    uint32_t references;
    uint32_t blocked;
    uint32_t id; /* within the event */
} thalweg_binding;

/* What libthalweg must know of a typed event: how to raise it, and bind to it, with marshalled arguments. Both check. */
typedef struct thalweg_event_type {
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

/* Takes a frame whose state is not UNCHANGED off its event, if that is still there. */
void thalweg_frame_leave(thalweg_core *core, thalweg_frame *frame) THALWEG_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
