// benchmarks: a client and a server as rpcgen makes them, on the loopback.
#include "network.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/digest.h"

// Of a TCP stream, in each direction: holds the largest message, which is then written at once. With the smaller buffers that
// are the default, the second write of a message waits for the first to be acknowledged (Nagle), 40 ms.
enum { TCP_BUFFER = 16384 };

void ints_program_1(struct svc_req *request, SVCXPRT *transport);

// The server's part of ints.x.
ints *exchange_1_svc(ints *arguments, struct svc_req *request) {
    (void)request;
    if (arguments->ints_len > 0)
        ++arguments->ints_val[0];
    return arguments;
}

void *quit_1_svc(void *arguments, struct svc_req *request) {
    static char nothing;
    (void)arguments;
    (void)request;
    svc_exit();
    return &nothing;
}

static void stop(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void serve(SVCXPRT *transport) {
    // Protocol 0: no port mapper is told.
    if (!svc_register(transport, INTS_PROGRAM, INTS_VERSION, ints_program_1, 0))
        stop("the server could not be registered");
    svc_run();
    exit(0);
}

static CLIENT *client_of(int protocol, u_short port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int sock = RPC_ANYSOCK;
    const struct timeval again = {.tv_sec = 5};
    CLIENT *client = protocol == IPPROTO_UDP
                         ? clntudp_create(&address, INTS_PROGRAM, INTS_VERSION, again, &sock)
                         : clnttcp_create(&address, INTS_PROGRAM, INTS_VERSION, &sock, TCP_BUFFER, TCP_BUFFER);
    if (client == NULL)
        stop(clnt_spcreateerror("no client"));
    return client;
}

static double cpu_ns(const struct rusage *usage) {
    return 1e9 * (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           1e3 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

struct exchange exchange_often(int protocol, ints *arguments, uint64_t count) {
    struct exchange result = {.digest = DIGEST_START};
    struct rusage before;
    struct rusage after;
    struct rusage server;
    SVCXPRT *transport =
        protocol == IPPROTO_UDP ? svcudp_create(RPC_ANYSOCK) : svctcp_create(RPC_ANYSOCK, TCP_BUFFER, TCP_BUFFER);
    if (transport == NULL)
        stop("no server");
    fflush(stdout);
    const pid_t child = fork();
    if (child < 0)
        stop("no process for the server");
    if (child == 0)
        serve(transport);
    CLIENT *client = client_of(protocol, transport->xp_port);
    SVC_DESTROY(transport);
    getrusage(RUSAGE_SELF, &before);
    for (uint64_t i = 0; i < count; ++i) {
        ints *results = exchange_1(arguments, client);
        if (results == NULL)
            stop(clnt_sperror(client, "the call"));
        if (i + 1 == count)
            result.digest = digest_of(result.digest, results->ints_val, results->ints_len * sizeof(int));
        arguments->ints_val[0] = results->ints_val[0];
        clnt_freeres(client, (xdrproc_t)xdr_ints, (caddr_t)results);
    }
    getrusage(RUSAGE_SELF, &after);
    if (quit_1(NULL, client) == NULL)
        stop(clnt_sperror(client, "the last call"));
    clnt_destroy(client);
    if (wait4(child, NULL, 0, &server) != child)
        stop("the server is lost");
    result.cpu_ns = (cpu_ns(&after) - cpu_ns(&before) + cpu_ns(&server)) / (double)count;
    return result;
}
