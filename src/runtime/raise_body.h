/* runtime: the raise of the C interface, included once as C and once as C++ (raise_loop.h says why).
 *
 * RAISE_NAME, RAISE_DECLARED_NAME: the functions' names in that language. */
#include "raise_loop.h"

/* The first two ways are what a compiled path replaces: tests of the event alone lead to their loops. */
thalweg_status RAISE_NAME(thalweg_event *event, const thalweg_value *arguments, size_t count) {
    if (event && (arguments || count == 0)) {
#ifdef THALWEG_CHECK_THREADS
        thalweg_core_check_thread(&event->core, "was raised");
#endif
        const uint32_t kind = event->core.flags & (THALWEG_CORE_TYPED | THALWEG_CORE_DECLARED | THALWEG_CORE_LOCKED);
        if (kind == 0) {
            thalweg_raise_handlers(event, 0, NULL, arguments, count);
            return THALWEG_OK;
        }
        if (kind == THALWEG_CORE_LOCKED) {
            thalweg_raise_handlers(event, 1, event->composite, arguments, count);
            return THALWEG_OK;
        }
        if (!(kind & THALWEG_CORE_TYPED))
            return RAISE_DECLARED_NAME(event, arguments, count);
    }
    return thalweg_raise_checked(event, arguments, count);
}
