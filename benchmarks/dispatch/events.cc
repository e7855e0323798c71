// benchmarks: the events, of the framework that -DFRAMEWORK names.
#include "events.h"

EventType<4> arrived("Arrived");
EventType<4> seg_from_user("SegFromUser");
EventType<4> seg_to_net("Seg2Net");
EventType<2> received("Received");
EventType<2> verified("Verified");
EventType<2> ordered("Ordered");
EventType<2> decoded("Decoded");
EventType<2> delivered("Delivered");
