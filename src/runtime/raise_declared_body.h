/* runtime: the raise of an event whose types were declared, included once as C and once as C++ (raise_loop.h says why).
 *
 * A function of its own: it is put into its callers by the optimiser, and only in programs that declare types. */
#include "raise_loop.h"

thalweg_status RAISE_DECLARED_NAME(thalweg_event *event, const thalweg_value *arguments, size_t count) {
    const thalweg_status status = thalweg_compare_types(event->types, event->count, arguments, count);
    if (status != THALWEG_OK)
        return status;
    /* Both are asked for by name, so that each way's compiled paths know the flags that lead to it. */
    const uint32_t kind = event->core.flags & (THALWEG_CORE_TYPED | THALWEG_CORE_DECLARED | THALWEG_CORE_LOCKED);
    if (kind == THALWEG_CORE_DECLARED)
        thalweg_raise_handlers(event, 0, NULL, arguments, count);
    else if (kind == (THALWEG_CORE_DECLARED | THALWEG_CORE_LOCKED))
        thalweg_raise_handlers(event, 1, event->composite, arguments, count);
    return THALWEG_OK;
}
