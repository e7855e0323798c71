// examples: the events of a CTP session. A handler is named after its micro-protocol and event: FEC-SFU1 is seg_from_user_1
#pragma once

#include "composite/event.h"
#include "ctp/hand_merged.h"
#include "ctp/segment.h"

namespace ctp {

struct Events {
    explicit Events(composite::Composite &composite)
        : open(composite, "Open"), close(composite, "Close"), msg_from_user(composite, "MsgFromUser"),
          msg_to_user(composite, "MsgToUser"), seg_from_user(composite, "SegFromUser"),
          seg_to_net(composite, "Seg2Net"), segment_sent(composite, "SegmentSent"),
          net_readable(composite, "NetReadable"), seg_from_net(composite, "SegFromNet"),
          seg_to_user(composite, "Seg2User"), segment_acked(composite, "SegmentAcked"),
          segment_timeout(composite, "SegmentTimeout"), segment_lost(composite, "SegmentLost"),
          segment_recovered(composite, "SegmentRecovered"), window_opened(composite, "WindowOpened"),
          adapt(composite, "Adapt"), resize_fragment(composite, "ResizeFragment"),
          control_clock(composite, "ControlClock"), add_sys_input(composite, "AddSysInput") {}

    composite::Event<> open;  // a session begins
    composite::Event<> close;  // it ends
    composite::Event<Message &> msg_from_user;  // the user sends a message
    composite::Event<Message &> msg_to_user;  // a message is complete
    SegFromUserEvent seg_from_user;  // a fragment of a message is on its way down
    Seg2NetEvent seg_to_net;  // a packet of any kind is to be sent
    composite::Event<std::uint32_t> segment_sent;  // raised asynchronously, with the number of bytes
    composite::Event<int, unsigned> net_readable;  // external: the socket has something
    composite::Event<Segment &> seg_from_net;  // a well-formed packet has come
    composite::Event<Segment &> seg_to_user;  // a data segment, in order
    composite::Event<Segment &, std::uint32_t> segment_acked;  // our segment, the stamp that came back
    composite::Event<std::uint32_t> segment_timeout;  // timed, with the sequence number
    composite::Event<Segment &> segment_lost;  // ours, not acknowledged in time
    composite::Event<Segment &> segment_recovered;  // theirs, computed from parity
    composite::Event<> window_opened;  // sending is possible again
    AdaptEvent adapt;  // fit the session to what the network shows
    composite::Event<std::uint32_t> resize_fragment;  // with the new size
    composite::Event<> control_clock;  // timed
    composite::Event<std::uint32_t> add_sys_input;  // raised asynchronously, with the backlog's length
};

}  // namespace ctp
