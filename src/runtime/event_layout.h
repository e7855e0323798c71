/* runtime: what the raise of the C interface reads of an event, in C, because it is compiled as C and as C++. */
#ifndef THALWEG_RUNTIME_EVENT_LAYOUT_H
#define THALWEG_RUNTIME_EVENT_LAYOUT_H

#include <thalweg/abi.h>
#include <thalweg/runtime.h>
#include <thalweg/thalweg.h>

/* An event created through the C interface. A typed one is a core alone: its flags say so. */
struct thalweg_event {
    thalweg_core core;
    struct thalweg_composite *composite;
    thalweg_event *previous, *next; /* the composite's events */
    thalweg_type *types;            /* declared; else null */
    size_t count;
    struct thalweg_composed *composed; /* of a complex event; else null */
};

#ifdef __cplusplus
extern "C" {
#endif
/* The raises that are not the plain one: of no event, or of a typed one ... */
thalweg_status thalweg_raise_checked(thalweg_event *event, const thalweg_value *arguments, size_t count);
/* ... and of one with declared types; the event and the arguments are there. */
thalweg_status thalweg_raise_declared(thalweg_event *event, const thalweg_value *arguments, size_t count);
thalweg_status thalweg_raise_declared_cxx(thalweg_event *event, const thalweg_value *arguments, size_t count);

static inline thalweg_status thalweg_compare_types(const thalweg_type *types, size_t expected,
                                                   const thalweg_value *arguments, size_t count) {
    if (count != expected)
        return THALWEG_WRONG_COUNT;
    for (size_t i = 0; i < count; ++i) {
        if (types[i] == THALWEG_NOTHING)
            return THALWEG_NOT_MARSHALLED;
        if (arguments[i].type != types[i])
            return THALWEG_WRONG_TYPE;
    }
    return THALWEG_OK;
}
#ifdef __cplusplus
}
#endif
#endif
