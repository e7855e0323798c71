// examples: the three events that hand_merged.cc merges by hand; in every other build they are events like the rest
#pragma once

#include "composite/event.h"
#include "ctp/segment.h"

namespace ctp {

#ifdef EXAMPLE_HAND_MERGED

class Session;
void hand_seg_from_user(Session &session, Segment &segment);
void hand_seg_to_net(Session &session, Segment &segment);
void hand_adapt(Session &session);
using SegFromUserEvent = composite::Merged<Session, &hand_seg_from_user, Segment &>;
using Seg2NetEvent = composite::Merged<Session, &hand_seg_to_net, Segment &>;
using AdaptEvent = composite::Merged<Session, &hand_adapt>;

#else

using SegFromUserEvent = composite::Event<Segment &>;
using Seg2NetEvent = composite::Event<Segment &>;
using AdaptEvent = composite::Event<>;

#endif

}  // namespace ctp
