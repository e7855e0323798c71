// benchmarks: a file's digests, its codes with a key, and the file encrypted and decrypted, in all the ways that Nettle's tables name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cbc.h"
#include "nettle-meta.h"

enum { MOST = 1 << 18, PIECE = 4096, MOST_BLOCK = 32 };

static uint8_t text[MOST], secret[MOST], again[MOST], key[128], digest[128];
static size_t length;

static void show(const char *kind, const char *name, size_t size) {
    printf("%s %s ", kind, name);
    for (size_t i = 0; i < size; i++)
        printf("%02x", digest[i]);
    puts("");
}

static void in_pieces(void *state, nettle_hash_update_func *update) {
    for (size_t at = 0; at < length; at += PIECE)
        update(state, length - at < PIECE ? length - at : PIECE, text + at);
}

static void hash(const struct nettle_hash *way) {
    void *state = malloc(way->context_size);
    way->init(state);
    in_pieces(state, way->update);
    way->digest(state, way->digest_size, digest);
    show("hash", way->name, way->digest_size);
    free(state);
}

static void code(const struct nettle_mac *way) {
    void *state = malloc(way->context_size);
    way->set_key(state, key);
    in_pieces(state, way->update);
    way->digest(state, way->digest_size, digest);
    show("mac", way->name, way->digest_size);
    free(state);
}

static void encrypt(const struct nettle_cipher *way) {
    void *state = malloc(way->context_size);
    uint8_t first[MOST_BLOCK] = {0};
    const size_t whole = length - length % way->block_size;
    way->set_encrypt_key(state, key);
    cbc_encrypt(state, way->encrypt, way->block_size, first, whole, secret, text);
    memcpy(digest, first, way->block_size);
    memset(first, 0, sizeof first);
    way->set_decrypt_key(state, key);
    cbc_decrypt(state, way->decrypt, way->block_size, first, whole, again, secret);
    show(memcmp(again, text, whole) ? "wrong" : "cipher", way->name, way->block_size);
    free(state);
}

static void seal(const struct nettle_aead *way) {
    void *state = malloc(way->context_size);
    way->set_encrypt_key(state, key);
    way->set_nonce(state, key);
    way->update(state, sizeof key, key);
    way->encrypt(state, length, secret, text);
    way->digest(state, way->digest_size, digest);
    show("aead", way->name, way->digest_size);
    free(state);
}

int main(int count, char **words) {
    FILE *file = count == 2 ? fopen(words[1], "rb") : NULL;
    if (!file)
        return 2;
    length = fread(text, 1, sizeof text, file);
    memcpy(key, text, length < sizeof key ? length : sizeof key);
    for (const struct nettle_hash *const *way = nettle_get_hashes(); *way; way++)
        hash(*way);
    for (const struct nettle_mac *const *way = nettle_get_macs(); *way; way++)
        code(*way);
    for (const struct nettle_cipher *const *way = nettle_get_ciphers(); *way; way++)
        encrypt(*way);
    for (const struct nettle_aead *const *way = nettle_get_aeads(); *way; way++)
        seal(*way);
    return fclose(file);
}
