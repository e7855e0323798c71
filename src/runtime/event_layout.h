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
/* The raises that are not the plain one: of no event, of a typed one, of one with declared types. THALWEG_OK with
 * *go_on set: the arguments fit, and the handlers are still to be run. */
thalweg_status thalweg_raise_checked(thalweg_event *event, const thalweg_value *arguments, size_t count, int *go_on);
#ifdef __cplusplus
}
#endif
#endif
