// tests: stubs as rpcgen writes them.
#include "interface.h"

#include <string.h>

static struct timeval TIMEOUT = {1, 500000};

bool_t xdr_text(XDR *stream, char **text) { return xdr_string(stream, text, MOST_TEXT); }

#define STUB(name, number)                                                                                             \
    enum clnt_stat name(int *argument, char **text, CLIENT *client) {                                                  \
        return clnt_call(client, number, (xdrproc_t)xdr_int, (caddr_t)argument, (xdrproc_t)xdr_text, (caddr_t)text,    \
                         TIMEOUT);                                                                                     \
    }
STUB(first_3, FIRST)
STUB(second_3, SECOND)
STUB(third_3, THIRD)
STUB(undeclared_3, UNDECLARED)

int *count_3(int *argument, CLIENT *client) {
    static int result;
    memset(&result, 0, sizeof result);
    if (clnt_call(client, FIRST + 10, (xdrproc_t)xdr_int, (caddr_t)argument, (xdrproc_t)xdr_int, (caddr_t)&result,
                  TIMEOUT) != RPC_SUCCESS)
        return NULL;
    return &result;
}
