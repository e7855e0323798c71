// examples: video_receiver: receives frames over CTP, decodes and shows them, and prints the digest of the pictures
#include <unistd.h>

#include <cstdio>
#include <deque>
#include <vector>

#include "composite/meter.h"
#include "ctp/session.h"
#include "video/decoder.h"
#include "video/frame_message.h"
#include "video/options.h"
#include "video/report.h"
#include "video/screen.h"

namespace video {
namespace {

// ControlClock ticks ten times a second (ctp/adaptation.cc).
constexpr unsigned kTicksASecond = 10;
// After the end, a sender that missed our last acknowledgement asks again: for as long as PAU tries (ctp/acknowledgement.cc:
// 11 s), and its calls may be lost as well. Its Close, once it has everything, ends the wait.
constexpr unsigned kLingerTicks = 12 * kTicksASecond;

class Receiver {
  public:
    Receiver(composite::Composite &composite, const Options &options)
        : options_(options), composite_(composite), frame_arrived_(composite, "FrameArrived"),
          session_(composite, options.transport), decoder_([this](const AVFrame &picture) { screen_.show(picture); }) {
        frame_arrived_.bind<&Receiver::frame_arrived>(this, 10);
        session_.events().msg_to_user.bind<&Receiver::msg_to_user>(this, 20);
        session_.events().net_readable.bind<&Receiver::net_readable>(this, 30);
        session_.events().control_clock.bind<&Receiver::control_clock>(this, 40);
        session_.events().close.bind<&Receiver::close>(this, 100);
    }

    int run() {
        if (!decoder_.ready()) {
            std::fprintf(stderr, "video_receiver: this libavcodec has no H.263 decoder\n");
            return 1;
        }
        if (!session_.listen(options_.port)) {
            std::perror("video_receiver: cannot listen on the UDP port");
            return 1;
        }
        say_ready();
        composite_.run();
        frame_arrived();
        decoder_.finish();
        if (options_.stats) {
            print_statistics("video_receiver", composite_, session_.context.statistics);
        }
        if (!ended_) {
            std::fprintf(stderr, "video_receiver: the sender stopped after %llu frames, before the clip's end\n",
                         static_cast<unsigned long long>(frames_));
            return 1;
        }
        std::printf("frames %llu, pictures %llu, damaged %llu\n", static_cast<unsigned long long>(frames_),
                    static_cast<unsigned long long>(decoder_.pictures()), static_cast<unsigned long long>(damaged_));
        std::printf("digest sha256:%s\n", decoder_.digest().c_str());
        return 0;
    }

    void msg_to_user(ctp::Message &bytes) {
        const auto message = read_message(bytes.bytes);
        if (!message) {
            ++damaged_;
        } else if (message->kind == MessageKind::end) {
            ended_ = true;
        } else {
            // The transport goes on first: decoding takes longer than anything it does.
            arrived_.emplace_back(message->frame.begin(), message->frame.end());
            frame_arrived_.post();
        }
    }

    void frame_arrived() {
        for (; !arrived_.empty(); arrived_.pop_front()) {
            ++frames_;
            damaged_ += decoder_.decode(arrived_.front()) ? 0 : 1;
        }
    }

    void net_readable(int, unsigned) { silent_ticks_ = 0; }

    void control_clock() {
        ++silent_ticks_;
        if (silent_ticks_ >= (ended_ ? kLingerTicks : options_.patience_s * kTicksASecond)) {
            session_.close();
        }
    }

    void close() { composite_.stop(); }

  private:
    void say_ready() const {
        if (options_.ready_fd < 0) {
            std::fprintf(stderr, "video_receiver: listening on port %u\n", session_.port());
            return;
        }
        dprintf(options_.ready_fd, "%u\n", session_.port());
        ::close(options_.ready_fd);
    }

    const Options &options_;
    composite::Composite &composite_;
    composite::Event<> frame_arrived_;
    ctp::Session session_;
    Screen screen_;
    Decoder decoder_;
    std::deque<std::vector<std::uint8_t>> arrived_;  // frames that wait for the decoder
    std::uint64_t frames_ = 0, damaged_ = 0;
    unsigned silent_ticks_ = 0;
    bool ended_ = false;
};

}  // namespace
}  // namespace video

int main(int argc, char **argv) {
    const auto options = video::parse_options(video::Side::receiver, argc, argv);
    if (!options) {
        return 2;
    }
    composite::Composite composite(options->stats, options->timed_event);
    return video::Receiver(composite, *options).run();
}
