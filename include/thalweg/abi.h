/* What the runtime, the compiler plug-in and the recorder agree on: the bytes of an event, of a raise in progress and
 * of the paths that the optimiser compiled. C and C++, no other include. Users need event.h or thalweg.h, not this.
 *
 * A dispatch loop is known to the plug-in by one thing: an exit of the loop calls thalweg_dispatch_next(core, ...).
 */
#ifndef THALWEG_ABI_H
#define THALWEG_ABI_H

#include <stddef.h>
#include <stdint.h>

/* More each time that old and new parts would understand these bytes, or those of src/abi/, differently. */
#define THALWEG_ABI_VERSION 1
/* Every object that was compiled against them says so here, so that whoever links them together sees parts that don't fit. */
#define THALWEG_ABI_SECTION "thalweg_abi"
#ifdef __ELF__
#if __has_attribute(retain)
__attribute__((retain))
#endif
__attribute__((used, section(THALWEG_ABI_SECTION))) static const uint32_t thalweg_abi_of_object = THALWEG_ABI_VERSION;
#endif

#ifdef __cplusplus
extern "C" {
#define THALWEG_NOEXCEPT noexcept
#else
#define THALWEG_NOEXCEPT
#endif

typedef void (*thalweg_function)(void);

struct thalweg_binding; /* private to the runtime: one bind() */

/* One handler in a raise's list. `function` is called as R function(void *context, arguments of the event...). */
typedef struct thalweg_slot {
    thalweg_function function;
    void *context;
    struct thalweg_binding *binding;
} thalweg_slot;

/* Types of their own, so that type-based alias analysis keeps the words below apart from what handlers write. */
#ifdef __cplusplus
enum thalweg_path_id : uint32_t { THALWEG_NO_PATH = 0 };
enum thalweg_frame_state : uint32_t { THALWEG_FRAME_UNCHANGED = 0, THALWEG_FRAME_CHANGED = 1 };
#else
enum thalweg_path_id { THALWEG_NO_PATH = 0, THALWEG_PATH_LAST = 0x7fffffff };
enum thalweg_frame_state { THALWEG_FRAME_UNCHANGED = 0, THALWEG_FRAME_CHANGED = 1 };
#endif

/* A raise in progress; on the raiser's stack. Whatever changes the event's bindings, halts the raise or deletes the
 * event sets `state` of every frame of that event. */
typedef struct thalweg_frame {
    struct thalweg_frame *next; /* the raise of the same event around this one */
    void *detail; /* private to the runtime: what dispatch_next needs after a change */
    enum thalweg_frame_state state;
    uint32_t flags; /* private to the runtime */
} thalweg_frame;

/* What a raise reads of an event. Owned by one thread. `slots`..`slots_end` are the handlers that run, in order, blocked
 * ones left out; the array is never written in place while a frame is active (a change makes a new one). */
typedef struct thalweg_core {
    thalweg_slot *slots;
    thalweg_slot *slots_end;
    thalweg_frame *frames;
    enum thalweg_path_id path; /* the compiled path whose targets are just these slots, or THALWEG_NO_PATH */
    uint32_t flags; /* private to the runtime */
    struct thalweg_event_info *info; /* private to the runtime, but for its first member */
} thalweg_core;

/* First member of the runtime's private info: the event's name, or "file:line" of its creation. Never null. */
typedef struct thalweg_event_info_head {
    const char *name;
} thalweg_event_info_head;

/* After a handler of a frame whose state is not UNCHANGED: the next slot that this raise still has to run, or null when
 * it is finished (halted, event deleted, none left). `core` may be dead already: only the frame is read before that is
 * known. */
thalweg_slot *thalweg_dispatch_next(thalweg_core *core, thalweg_frame *frame, thalweg_slot *done) THALWEG_NOEXCEPT;

/* ---- compiled paths: emitted by the plug-in into section "thalweg_paths", read by the runtime at each change ---- */

enum { THALWEG_TARGET_ANY_CONTEXT = 0, THALWEG_TARGET_SAME_CONTEXT = 1 };

typedef struct thalweg_path_target {
    thalweg_function function;
    void *context;
    uint64_t flags;
} thalweg_path_target;

/* The path `id` is valid for a core whose slots are these `count` targets, in this order, and whose flags are
 * `flags_value` in the bits of `flags_mask` (the raise asked for them before it came to the slots). Of two that match, the one with
 * more THALWEG_TARGET_SAME_CONTEXT targets wins, then the one with the lower id. */
typedef struct thalweg_path {
    const thalweg_path_target *targets;
    uint32_t count;
    uint32_t id; /* > 0, dense, unique in the program */
    uint32_t flags_mask;
    uint32_t flags_value;
} thalweg_path;

/* One version word for a path through several events (section "thalweg_groups"): `*word` is 1 while every member core has
 * the path id named here, else 0. A member is the address of a core, or (indirect) of a variable that points to one. */
typedef struct thalweg_group_member {
    void *where;
    uint32_t path;
    uint32_t indirect;
} thalweg_group_member;

typedef struct thalweg_group {
    enum thalweg_path_id *word; /* THALWEG_NO_PATH, or any other value: valid */
    const thalweg_group_member *members;
    uint64_t count;
} thalweg_group;

/* Called by the optimised program after it stores to a variable that is an indirect member. */
void thalweg_group_refresh(const thalweg_group *group) THALWEG_NOEXCEPT;

/* Lock and unlock of a composite around each handler of the C interface; the plug-in may drop an unlock that is directly
 * followed by a lock of the same composite. */
struct thalweg_composite;
void thalweg_composite_lock(struct thalweg_composite *composite) THALWEG_NOEXCEPT;
void thalweg_composite_unlock(struct thalweg_composite *composite) THALWEG_NOEXCEPT;

/* ---- waits (thalweg/tame.h): what the recorder reads of an event that is triggered ---- */

/* A place in a source file, as compilers lay out std::source_location's own. */
typedef struct thalweg_place {
    const char *file;
    const char *function;
    uint32_t line;
    uint32_t column;
} thalweg_place;

/* Who will trigger an event, and keeps the event's place while it has its own in the event. First members of a source. */
typedef struct thalweg_source_head {
    const void *functions;
    const thalweg_place *place;
} thalweg_source_head;

/* First members of an event's node. */
typedef struct thalweg_node_head {
    void *owner;
    uint32_t references;
    uint32_t flags;
    const void *origin; /* its place, or where `flags` has THALWEG_NODE_HAS_SOURCE its source */
} thalweg_node_head;

#define THALWEG_NODE_HAS_SOURCE 0x80000000u

/* Where the event was made. */
static inline const thalweg_place *thalweg_node_place(const thalweg_node_head *node) {
    if (node->flags & THALWEG_NODE_HAS_SOURCE)
        return ((const thalweg_source_head *)node->origin)->place;
    return (const thalweg_place *)node->origin;
}

/* Annotations of header functions (thalweg/tame/crossing.h): what triggers an event, its node the first argument; and what lies between that and the
 * function that waits. */
#define THALWEG_TRIGGER_MARK "thalweg.trigger"
#define THALWEG_CROSSING_MARK "thalweg.crossing"

/* ---- the recorder's hooks: null unless the recorder is linked in ---- */

typedef enum {
    THALWEG_RAISE_SYNC = 0,
    THALWEG_RAISE_ASYNC = 1,
    THALWEG_RAISE_TIMED = 2,
    THALWEG_RAISE_EXTERNAL = 3
} thalweg_raise_mode;

typedef struct thalweg_hooks {
    void (*bindings_changed)(thalweg_core *core); /* after bind, unbind, block, unblock */
    void (*event_deleted)(thalweg_core *core); /* before the core's bytes go away */
    void (*raise_mode)(thalweg_raise_mode mode); /* the loop is about to raise in this mode; SYNC again afterwards */
} thalweg_hooks;

/* Installed once, before main, by the recorder. */
extern const thalweg_hooks *thalweg_recorder_hooks;

#ifdef __cplusplus
}
static_assert(sizeof(thalweg_slot) == 24 && sizeof(thalweg_frame) == 24 && sizeof(thalweg_core) == 40);
static_assert(offsetof(thalweg_core, path) == 24 && offsetof(thalweg_frame, state) == 16);
static_assert(sizeof(thalweg_path_target) == 24 && sizeof(thalweg_path) == 24 && sizeof(thalweg_group) == 24);
#endif
#endif
