// tests: what <rpc/clnt.h> makes of a remote call; stubs as rpcgen writes them, with and without -M.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct timeval {
    long tv_sec;
    long tv_usec;
};
typedef int (*translate)(void *stream, void *value);
struct client;
struct client_operations {
    int (*call)(struct client *, uint32_t, translate, void *, translate, void *, struct timeval);
    void (*abort)(struct client *);
};
struct client {
    void *auth;
    const struct client_operations *operations;
};
int xdr_int(void *stream, void *value);

#define STUB(name, number)                                                                                             \
    __attribute__((noinline)) int name(int *argument, int *result, struct client *client) {                            \
        const struct timeval limit = {25, 0};                                                                          \
        return client->operations->call(client, number, xdr_int, argument, xdr_int, result, limit);                    \
    }
#define OWN_RESULT_STUB(name, number)                                                                                  \
    __attribute__((noinline)) int *name(int *argument, struct client *client) {                                        \
        static int result;                                                                                             \
        const struct timeval limit = {25, 0};                                                                          \
        memset(&result, 0, sizeof result);                                                                             \
        if (client->operations->call(client, number, xdr_int, argument, xdr_int, &result, limit) != 0)                 \
            return NULL;                                                                                               \
        return &result;                                                                                                \
    }
