// benchmarks: a remote call's messages in memory, as a client makes and reads them.
#pragma once

#include <rpc/rpc.h>

// As much of a client as it needs to make its messages.
struct channel {
    AUTH *auth;
    XDR out;
    u_int arguments_at;  // where what changes from call to call begins
    u_int size;
    char *buffer;
};

struct channel *open_channel(u_long program, u_long version, u_int size);
void close_channel(struct channel *channel);

// The call's message in the channel's buffer. FALSE: it does not fit.
bool_t encode_call(struct channel *channel, u_long procedure, xdrproc_t proc, void *arguments);
u_int encoded_bytes(struct channel *channel);

// What a reply says of the call, and its results if it succeeded.
enum clnt_stat decode_reply(char *bytes, u_int size, AUTH *auth, xdrproc_t proc, void *results);
