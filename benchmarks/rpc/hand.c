// benchmarks: the limit: the messages of this one procedure, written by hand. Whatever is not as usual goes the general way,
// so that overflow, truncated messages and error replies are what they always were.
#include "copy_words.h"
#include "ints.h"
#include "message.h"

// message.c, compiled under these names.
bool_t general_encode_call(struct channel *channel, u_long procedure, xdrproc_t proc, void *arguments);
enum clnt_stat general_decode_reply(char *bytes, u_int size, AUTH *auth, xdrproc_t proc, void *results);

enum {
    WORD = 4,
    CREDENTIALS = 16,  // of AUTH_NONE: two flavours and two lengths, all zero
    CALL_BYTES = WORD + CREDENTIALS + WORD,  // procedure, credentials, array's length
    REPLY_BYTES = 7 * WORD,  // identifier, direction, status, verifier's flavour and length, status, array's length
};

static uint32_t word_at(const char *bytes) {
    uint32_t word;
    memcpy(&word, bytes, WORD);
    return ntohl(word);
}

static void put_word(char *bytes, uint32_t word) {
    word = htonl(word);
    memcpy(bytes, &word, WORD);
}

bool_t encode_call(struct channel *channel, u_long procedure, xdrproc_t proc, void *arguments) {
    const ints *array = arguments;
    const u_int count = array->ints_len;
    char *at = channel->buffer + channel->arguments_at;
    if (proc != (xdrproc_t)xdr_ints || count > MAX_INTS ||
        channel->size < channel->arguments_at + CALL_BYTES + WORD * count)
        return general_encode_call(channel, procedure, proc, arguments);
    (*(uint32_t *)channel->buffer)++;
    put_word(at, (uint32_t)procedure);
    memset(at + WORD, 0, CREDENTIALS);
    put_word(at + WORD + CREDENTIALS, count);
    copy_words(at + CALL_BYTES, array->ints_val, count);
    channel->out.x_op = XDR_ENCODE;
    channel->out.x_private = at + CALL_BYTES + WORD * count;
    channel->out.x_handy = channel->size - channel->arguments_at - CALL_BYTES - WORD * count;
    return TRUE;
}

enum clnt_stat decode_reply(char *bytes, u_int size, AUTH *auth, xdrproc_t proc, void *results) {
    ints *array = results;
    if (proc != (xdrproc_t)xdr_ints || size < REPLY_BYTES || array->ints_val == NULL || word_at(bytes + 4) != REPLY ||
        word_at(bytes + 8) != MSG_ACCEPTED || word_at(bytes + 16) != 0 || word_at(bytes + 20) != SUCCESS)
        return general_decode_reply(bytes, size, auth, proc, results);
    const u_int count = word_at(bytes + 24);
    if (count > MAX_INTS || size < REPLY_BYTES + WORD * count)
        return general_decode_reply(bytes, size, auth, proc, results);
    array->ints_len = count;
    copy_words(array->ints_val, bytes + REPLY_BYTES, count);
    return RPC_SUCCESS;
}
