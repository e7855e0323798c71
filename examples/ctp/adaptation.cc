// examples: Adapt, adaptation
#include "ctp/adaptation.h"

#include <algorithm>

namespace ctp {
namespace {

// Ten times a second: faster than a person sees quality change, slower than the round trip it reacts to.
constexpr std::chrono::milliseconds kClock{100};
// Above this loss, smaller segments lose less each; below half of it, the configured size is back.
constexpr std::uint32_t kHighLossPerMille = 80;
constexpr std::uint32_t kLeastFragment = 64;

}  // namespace

Adaptation::Adaptation(Context &context) : context_(context), fragment_bytes_(context.config.fragment_bytes) {
    Events &events = context.events;
    events.open.bind<&Adaptation::open>(this, 50);
    events.close.bind<&Adaptation::close>(this, 30);
    events.msg_from_user.bind<&Adaptation::msg_from_user>(this, 10);
    events.segment_sent.bind<&Adaptation::segment_sent>(this, 30);
    events.segment_acked.bind<&Adaptation::segment_acked>(this, 30);
    events.segment_lost.bind<&Adaptation::segment_lost>(this, 20);
    events.adapt.bind<&Adaptation::adapt>(this, 10);
    events.control_clock.bind<&Adaptation::control_clock>(this, 10);
    events.add_sys_input.bind<&Adaptation::add_sys_input>(this, 10);
}

void Adaptation::open() { clock_ = context_.events.control_clock.post_after(kClock); }

void Adaptation::close() { clock_.cancel(); }

void Adaptation::msg_from_user(Message &) { context_.events.adapt.raise(); }

void Adaptation::segment_sent(std::uint32_t bytes) { bytes_ += bytes; }

void Adaptation::segment_acked(Segment &, std::uint32_t) { ++acked_; }

void Adaptation::segment_lost(Segment &) { ++lost_; }

void Adaptation::adapt() {
    const std::uint32_t seen = lost_ + acked_;
    if (seen > 0) {
        const std::uint32_t now_per_mille = 1000 * lost_ / seen;
        context_.loss_per_mille = (7 * context_.loss_per_mille + now_per_mille) / 8;
        lost_ = acked_ = 0;
    }
    const std::uint32_t configured = context_.config.fragment_bytes;
    std::uint32_t wanted = fragment_bytes_;
    if (context_.loss_per_mille > kHighLossPerMille) {
        wanted = std::max(configured / 2, kLeastFragment);
    } else if (context_.loss_per_mille < kHighLossPerMille / 2) {
        wanted = configured;
    }
    if (wanted != fragment_bytes_) {
        fragment_bytes_ = wanted;
        context_.events.resize_fragment.raise(wanted);
    }
}

void Adaptation::control_clock() {
    context_.refresh_clock();
    bytes_per_tick_ = (3 * bytes_per_tick_ + bytes_) / 4;
    bytes_ = 0;
    context_.events.adapt.raise();
    context_.events.add_sys_input.post(context_.backlog);
    clock_ = context_.events.control_clock.post_after(kClock);
}

void Adaptation::add_sys_input(std::uint32_t backlog) { backlog_ = (15 * backlog_ + 16 * backlog) / 16; }

}  // namespace ctp
