// examples: the limit: SegFromUser with Seg2Net in it, Seg2Net and Adapt as one would write them without events
//
// One translation unit with all micro-protocols, so that the compiler sees through every call below.
#include "ctp/acknowledgement.cc"  // NOLINT(bugprone-suspicious-include)
#include "ctp/adaptation.cc"       // NOLINT(bugprone-suspicious-include)
#include "ctp/counting.cc"         // NOLINT(bugprone-suspicious-include)
#include "ctp/fec.cc"              // NOLINT(bugprone-suspicious-include)
#include "ctp/fragmentation.cc"    // NOLINT(bugprone-suspicious-include)
#include "ctp/packet.cc"           // NOLINT(bugprone-suspicious-include)
#include "ctp/sequencing.cc"       // NOLINT(bugprone-suspicious-include)
#include "ctp/session.cc"          // NOLINT(bugprone-suspicious-include)
#include "ctp/transport_driver.cc" // NOLINT(bugprone-suspicious-include)
#include "ctp/window.cc"           // NOLINT(bugprone-suspicious-include)

namespace ctp {

void hand_seg_to_net(Session &session, Segment &segment) {
    session.acknowledgement.seg_to_net(segment);
    session.window.seg_to_net(segment);
    session.fec.seg_to_net(segment);
    session.driver.seg_to_net(segment);
}

void hand_seg_from_user(Session &session, Segment &segment) {
    session.fec.seg_from_user_1(segment);
    session.sequencing.seg_from_user(segment);
    session.driver.seg_from_user(segment);
    session.fec.seg_from_user_2(segment);
}

void hand_adapt(Session &session) {
    session.adaptation.adapt();
    session.fec.adapt();
}

}  // namespace ctp
