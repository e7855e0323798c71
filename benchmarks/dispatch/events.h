// benchmarks: the events, of the framework that -DFRAMEWORK names.
#pragma once

#include FRAMEWORK

extern EventType<4> arrived;
extern EventType<4> seg_from_user;
extern EventType<4> seg_to_net;
extern EventType<2> received;
extern EventType<2> verified;
extern EventType<2> ordered;
extern EventType<2> decoded;
extern EventType<2> delivered;
