#include "session.h"
enum verdict judge(struct session *s, uint32_t w) {
    if (w > s->limit)
        return TOO_BIG;
    if (s->acl && (w & 15) != (uint32_t)s->acl)
        return DENIED;
    return ACCEPT;
}
