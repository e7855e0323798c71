#pragma once
#include "shapes.h"
enum mode { CLOSED, RECEIVING, SENDING };
enum verdict { ACCEPT, TOO_BIG, DENIED };
struct session {
    enum mode mode;
    int masked, swapped;
    uint32_t mask, limit;
    int acl;
    uint32_t *wire;
    unsigned at;
    uint32_t sum;
};
struct session *session_new(void);
void set_mode(struct session *s, enum mode m);
uint32_t transform(const struct session *s, uint32_t w);
void transfer(struct session *s, uint32_t *w);
enum verdict judge(struct session *s, uint32_t w);
enum verdict serve(struct session *s);
