// examples: WFC, window flow control: grows by one for each window acknowledged, halves with each loss
#include "ctp/window.h"

#include <algorithm>

namespace ctp {
namespace {

constexpr std::uint32_t kFirstWindow = 16;
constexpr std::uint32_t kLeastWindow = 4;
constexpr std::uint32_t kMostWindow = 64;
static_assert(kMostWindow < kRing, "segments under way must fit in the rings of sender and receiver");

}  // namespace

Window::Window(Context &context) : context_(context), window_(kFirstWindow) {
    Events &events = context.events;
    events.seg_to_net.bind<&Window::seg_to_net>(this, 20);
    events.segment_acked.bind<&Window::segment_acked>(this, 20);
    events.segment_lost.bind<&Window::segment_lost>(this, 30);
    events.window_opened.bind<&Window::window_opened>(this, 10);
}

void Window::measure() {
    context_.window_open = context_.established && context_.in_flight < window_ && context_.span < kRing - 1;
}

void Window::seg_to_net(Segment &segment) {
    if (segment.header.kind == Kind::data) {
        measure();
    }
}

void Window::segment_acked(Segment &, std::uint32_t) {
    if (++credit_ >= window_) {
        credit_ = 0;
        window_ = std::min(window_ + 1, kMostWindow);
    }
    const bool was_open = context_.window_open;
    measure();
    if (!was_open && context_.window_open) {
        context_.events.window_opened.raise();
    }
}

void Window::segment_lost(Segment &) {
    window_ = std::max(window_ / 2, kLeastWindow);
    measure();
}

void Window::window_opened() { measure(); }

}  // namespace ctp
