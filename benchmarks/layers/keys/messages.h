// benchmarks: messages of a session, each with its session's key, as their callers see them.
#pragma once

#include <stdint.h>

enum { MESSAGE_BYTES = 64, KEY_BYTES = 16 };

// AES-128, from cipher to plain text; Twofish-128, from plain text to cipher.
void open_message(uint8_t *text, const uint8_t *key, const uint8_t *cipher);
void seal_message(uint8_t *cipher, const uint8_t *key, const uint8_t *text);
