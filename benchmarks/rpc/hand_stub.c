// benchmarks: by hand, what rpcgen makes of ints.x: the array goes into the stream's buffer directly, piece by piece.
#include <stdlib.h>

#include "copy_words.h"
#include "ints.h"

// Small enough that a stream which empties its buffer now and then has room for it mostly.
enum { PIECE = 256 };

static bool_t put_array(XDR *xdrs, const int *values, u_int count) {
    for (u_int done = 0; done < count;) {
        const u_int piece = count - done < PIECE ? count - done : PIECE;
        int32_t *buffer = XDR_INLINE(xdrs, 4 * piece);
        if (buffer != NULL) {
            copy_words(buffer, values + done, piece);
            done += piece;
            continue;
        }
        const long value = values[done++];
        if (!XDR_PUTLONG(xdrs, &value))
            return FALSE;
    }
    return TRUE;
}

static bool_t get_array(XDR *xdrs, int *values, u_int count) {
    for (u_int done = 0; done < count;) {
        const u_int piece = count - done < PIECE ? count - done : PIECE;
        const int32_t *buffer = XDR_INLINE(xdrs, 4 * piece);
        if (buffer != NULL) {
            copy_words(values + done, buffer, piece);
            done += piece;
            continue;
        }
        long value = 0;
        if (!XDR_GETLONG(xdrs, &value))
            return FALSE;
        values[done++] = (int)value;
    }
    return TRUE;
}

bool_t xdr_ints(XDR *xdrs, ints *objp) {
    if (xdrs->x_op == XDR_FREE) {
        free(objp->ints_val);
        objp->ints_val = NULL;
        return TRUE;
    }
    if (!xdr_u_int(xdrs, &objp->ints_len) || objp->ints_len > MAX_INTS)
        return FALSE;
    if (xdrs->x_op == XDR_ENCODE)
        return put_array(xdrs, objp->ints_val, objp->ints_len);
    if (objp->ints_val == NULL) {
        if (objp->ints_len == 0)
            return TRUE;
        objp->ints_val = calloc(objp->ints_len, sizeof(int));
        if (objp->ints_val == NULL)
            return FALSE;
    }
    return get_array(xdrs, objp->ints_val, objp->ints_len);
}
