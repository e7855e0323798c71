#include "port.h"
int port_get(struct port *p) {
    int v = p->codec->load(p->data + p->at);
    p->at += p->codec->size;
    if (p->at >= p->size)
        p->at = 0;
    return scaled(p, v);
}
void port_put(struct port *p, int v) {
    p->codec->store(p->data + p->at, scaled(p, v));
    p->at += p->codec->size;
    if (p->at >= p->size)
        p->at = 0;
}
