// examples: video_sender: reads a clip and sends its frames, each at its time, over CTP
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "composite/meter.h"
#include "ctp/session.h"
#include "video/clip.h"
#include "video/frame_message.h"
#include "video/options.h"
#include "video/report.h"

namespace video {
namespace {

// As fast as possible means: so many messages may wait for the transport's window, then the next one waits here.
constexpr std::uint32_t kMostWaiting = 8;

class Sender {
  public:
    Sender(composite::Composite &composite, const Options &options)
        : options_(options), composite_(composite), frame_due_(composite, "FrameDue"),
          session_(composite, options.transport) {
        frame_due_.bind<&Sender::frame_due>(this, 10);
        session_.events().window_opened.bind<&Sender::window_opened>(this, 100);
        session_.events().segment_acked.bind<&Sender::segment_acked>(this, 100);
        session_.events().close.bind<&Sender::close>(this, 100);
    }

    int run() {
        if (!open_clip()) {
            return 1;
        }
        if (!session_.connect(options_.port)) {
            std::perror("video_sender: cannot open a UDP socket");
            return 1;
        }
        start_us_ = composite::now_us();
        frame_due_.post();
        composite_.run();
        if (options_.stats) {
            print_statistics("video_sender", composite_, session_.context.statistics);
        }
        if (!all_acked_) {
            std::fprintf(stderr, "video_sender: the receiver on port %u does not answer; %llu frames were sent\n",
                         options_.port, static_cast<unsigned long long>(frames_));
            return 1;
        }
        std::printf("sent %llu frames, %llu bytes\n", static_cast<unsigned long long>(frames_),
                    static_cast<unsigned long long>(bytes_));
        return 0;
    }

    void frame_due() {
        if (session_.context.backlog >= kMostWaiting) {
            held_ = true;  // window_opened goes on
            return;
        }
        const auto frame = next_frame();
        if (!frame) {
            ended_ = true;
            write_message(message_, MessageKind::end, {});
            session_.send(message_);
            return;
        }
        write_message(message_, MessageKind::frame, *frame);
        session_.send(message_);
        ++frames_;
        bytes_ += frame->size();
        wait_for_next();
    }

    void window_opened() {
        if (held_) {
            held_ = false;
            frame_due_.post();
        }
    }

    void segment_acked(ctp::Segment &, std::uint32_t) {
        if (ended_ && session_.idle()) {
            all_acked_ = true;
            session_.events().close.post();
        }
    }

    void close() { composite_.stop(); }

  private:
    bool open_clip() {
        std::string why;
        clip_ = Clip::open(options_.clip, why);
        if (!clip_) {
            std::fprintf(stderr, "video_sender: cannot read %s: %s\n", options_.clip.c_str(), why.c_str());
        }
        return clip_.has_value();
    }

    std::optional<std::span<const std::uint8_t>> next_frame() {
        if (options_.frames == 0 || of_clip_ < options_.frames) {
            if (auto frame = clip_->next()) {
                ++of_clip_;
                return frame;
            }
        }
        if (++played_ >= options_.times || !open_clip()) {
            return std::nullopt;
        }
        of_clip_ = 1;
        return clip_->next();
    }

    void wait_for_next() {
        if (options_.frames_a_second == 0) {
            frame_due_.post();
            return;
        }
        const std::uint64_t due_us = start_us_ + frames_ * 1'000'000 / options_.frames_a_second;
        const std::uint64_t now_us = composite::now_us();
        frame_due_.post_after(std::chrono::microseconds(due_us > now_us ? due_us - now_us : 0));
    }

    const Options &options_;
    composite::Composite &composite_;
    composite::Event<> frame_due_;
    ctp::Session session_;
    std::optional<Clip> clip_;
    std::vector<std::uint8_t> message_;
    std::uint64_t start_us_ = 0, frames_ = 0, bytes_ = 0;
    unsigned played_ = 0, of_clip_ = 0;
    bool held_ = false, ended_ = false, all_acked_ = false;
};

}  // namespace
}  // namespace video

int main(int argc, char **argv) {
    const auto options = video::parse_options(video::Side::sender, argc, argv);
    if (!options) {
        return 2;
    }
    composite::Composite composite(options->stats, options->timed_event);
    return video::Sender(composite, *options).run();
}
