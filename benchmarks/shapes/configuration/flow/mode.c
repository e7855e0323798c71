#include "session.h"
void set_mode(struct session *s, enum mode m) { s->mode = m; }
