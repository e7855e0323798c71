// examples: Stats: one line for each event
#include "ctp/counting.h"

namespace ctp {

Counting::Counting(Context &context) : statistics_(context.statistics) {
    Events &events = context.events;
    events.msg_from_user.bind<&Counting::msg_from_user>(this, 30);
    events.msg_to_user.bind<&Counting::msg_to_user>(this, 10);
    events.segment_sent.bind<&Counting::segment_sent>(this, 20);
    events.net_readable.bind<&Counting::net_readable>(this, 20);
    events.seg_to_user.bind<&Counting::seg_to_user>(this, 10);
    events.segment_acked.bind<&Counting::segment_acked>(this, 40);
    events.segment_timeout.bind<&Counting::segment_timeout>(this, 10);
    events.segment_lost.bind<&Counting::segment_lost>(this, 10);
    events.segment_recovered.bind<&Counting::segment_recovered>(this, 10);
    events.resize_fragment.bind<&Counting::resize_fragment>(this, 20);
    events.control_clock.bind<&Counting::control_clock>(this, 30);
    events.add_sys_input.bind<&Counting::add_sys_input>(this, 20);
}

void Counting::msg_from_user(Message &) { ++statistics_.messages_sent; }
void Counting::msg_to_user(Message &) { ++statistics_.messages_received; }
void Counting::segment_sent(std::uint32_t bytes) {
    ++statistics_.segments_sent;
    statistics_.bytes_sent += bytes;
}
void Counting::net_readable(int, unsigned) { ++statistics_.wake_ups; }
void Counting::seg_to_user(Segment &) { ++statistics_.segments_delivered; }
void Counting::segment_acked(Segment &, std::uint32_t) { ++statistics_.acked; }
void Counting::segment_timeout(std::uint32_t) { ++statistics_.timeouts; }
void Counting::segment_lost(Segment &) { ++statistics_.lost; }
void Counting::segment_recovered(Segment &) { ++statistics_.recovered; }
void Counting::resize_fragment(std::uint32_t) { ++statistics_.resized; }
void Counting::control_clock() { ++statistics_.ticks; }
void Counting::add_sys_input(std::uint32_t) { ++statistics_.system_inputs; }

}  // namespace ctp
