// benchmarks: what glibc's clnt_udp.c does to a call's messages, without the socket: the same calls in the same order.
#include "message.h"

#include <stdlib.h>

struct channel *open_channel(u_long program, u_long version, u_int size) {
    struct channel *channel = calloc(1, sizeof *channel);
    struct rpc_msg call = {0};
    channel->size = size;
    channel->buffer = malloc(size);
    channel->auth = authnone_create();
    call.rm_xid = 1;
    call.rm_direction = CALL;
    call.rm_call.cb_rpcvers = RPC_MSG_VERSION;
    call.rm_call.cb_prog = program;
    call.rm_call.cb_vers = version;
    xdrmem_create(&channel->out, channel->buffer, size, XDR_ENCODE);
    if (!xdr_callhdr(&channel->out, &call)) {
        close_channel(channel);
        return NULL;
    }
    channel->arguments_at = XDR_GETPOS(&channel->out);
    return channel;
}

void close_channel(struct channel *channel) {
    XDR_DESTROY(&channel->out);
    free(channel->buffer);
    free(channel);
}

bool_t encode_call(struct channel *channel, u_long procedure, xdrproc_t proc, void *arguments) {
    XDR *out = &channel->out;
    out->x_op = XDR_ENCODE;
    XDR_SETPOS(out, channel->arguments_at);
    (*(uint32_t *)channel->buffer)++;
    return XDR_PUTLONG(out, (long *)&procedure) && AUTH_MARSHALL(channel->auth, out) && (*proc)(out, arguments);
}

u_int encoded_bytes(struct channel *channel) { return XDR_GETPOS(&channel->out); }

enum clnt_stat decode_reply(char *bytes, u_int size, AUTH *auth, xdrproc_t proc, void *results) {
    struct rpc_msg reply;
    struct rpc_err error = {0};
    XDR in;
    reply.acpted_rply.ar_verf = _null_auth;
    reply.acpted_rply.ar_results.where = results;
    reply.acpted_rply.ar_results.proc = proc;
    xdrmem_create(&in, bytes, size, XDR_DECODE);
    if (!xdr_replymsg(&in, &reply))
        return RPC_CANTDECODERES;
    _seterr_reply(&reply, &error);
    if (error.re_status == RPC_SUCCESS && !AUTH_VALIDATE(auth, &reply.acpted_rply.ar_verf))
        error.re_status = RPC_AUTHERROR;
    if (reply.acpted_rply.ar_verf.oa_base != NULL) {
        in.x_op = XDR_FREE;
        (void)xdr_opaque_auth(&in, &reply.acpted_rply.ar_verf);
    }
    return error.re_status;
}
