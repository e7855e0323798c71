// benchmarks: the service: rpcgen's dispatcher on a socket of the loopback, whose port it tells.   server
#include <stdio.h>
#include <stdlib.h>

#include "prices.h"

extern void prices_1(struct svc_req *request, SVCXPRT *transport);

bool_t look_up_1_svc(int *number, int *price, struct svc_req *request) {
    (void)request;
    *price = *number * 7 + 1;
    return TRUE;
}

int prices_1_freeresult(SVCXPRT *transport, xdrproc_t result, caddr_t at) {
    (void)transport;
    xdr_free(result, at);
    return 1;
}

int main(void) {
    SVCXPRT *transport = svcudp_create(RPC_ANYSOCK);
    // 0: no port mapper is told.
    if (transport == NULL || !svc_register(transport, PRICES, PRICES_VERSION, prices_1, 0)) {
        fputs("no service\n", stderr);
        return 1;
    }
    printf("%d\n", transport->xp_port);
    fflush(stdout);
    svc_run();
    return 1;
}
