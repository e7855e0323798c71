// examples: the command lines of video_sender and video_receiver
#include "video/options.h"

#include <getopt.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace video {
namespace {

constexpr char kSenderUsage[] = "usage: video_sender --port N [options] CLIP.h263\n"
                                "  --fps N           frames a second (25); 0: as fast as the session takes them\n"
                                "  --frames N        only the first N frames of the clip (0: all)\n"
                                "  --times N         send the clip so many times (1)\n";
constexpr char kReceiverUsage[] = "usage: video_receiver [--port N] [options]\n"
                                  "  --ready-fd N      write the port to this file descriptor once listening\n"
                                  "  --patience N      give up after so many seconds of silence (10)\n";
constexpr char kCommonUsage[] =
    "  --loss SHARE      throw away this share of the packets this side sends (0), 0 to 0.9\n"
    "  --seed N          which ones (1)\n"
    "  --fragment N      bytes of a message in one packet, 64 to 1200 (256)\n"
    "  --stats           on standard error: raises of each event, time in handlers, what the transport did\n"
    "  --time EVENT      with --stats: the time in this event alone, wherever it is raised\n";

const option kOptions[] = {{"port", required_argument, nullptr, 'p'},     {"fps", required_argument, nullptr, 'f'},
                           {"times", required_argument, nullptr, 'n'},    {"ready-fd", required_argument, nullptr, 'r'},
                           {"frames", required_argument, nullptr, 'F'},   {"patience", required_argument, nullptr, 'P'},
                           {"loss", required_argument, nullptr, 'l'},     {"seed", required_argument, nullptr, 's'},
                           {"fragment", required_argument, nullptr, 'g'}, {"stats", no_argument, nullptr, 'S'},
                           {"time", required_argument, nullptr, 't'},     {nullptr, 0, nullptr, 0}};

template <class T>
bool number(const char *name, const char *text, unsigned long long least, unsigned long long most, T &out) {
    char *end = nullptr;
    errno = 0;
    const unsigned long long value = std::strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || *text == '-' || value < least || value > most) {
        std::fprintf(stderr, "--%s %s: expected a whole number from %llu to %llu\n", name, text, least, most);
        return false;
    }
    out = static_cast<T>(value);
    return true;
}

bool share(const char *text, double &out) {
    char *end = nullptr;
    const double value = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= 0 && value <= 0.9)) {
        std::fprintf(stderr, "--loss %s: expected a number from 0 to 0.9\n", text);
        return false;
    }
    out = value;
    return true;
}

bool take(int letter, const char *text, Options &options) {
    switch (letter) {
    case 'p':
        return number("port", text, 0, 65535, options.port);
    case 'f':
        return number("fps", text, 0, 1000, options.frames_a_second);
    case 'F':
        return number("frames", text, 0, 1000000, options.frames);
    case 'n':
        return number("times", text, 1, 1000000, options.times);
    case 'r':
        return number("ready-fd", text, 0, 1023, options.ready_fd);
    case 'P':
        return number("patience", text, 1, 3600, options.patience_s);
    case 'l':
        return share(text, options.transport.loss);
    case 's':
        return number("seed", text, 0, UINT64_MAX, options.transport.seed);
    case 'g':
        return number("fragment", text, 64, ctp::kMaxPayload, options.transport.fragment_bytes);
    case 'S':
        options.stats = true;
        return true;
    case 't':
        options.timed_event = text;
        return true;
    default:
        return false;
    }
}

}  // namespace

std::optional<Options> parse_options(Side side, int argc, char **argv) {
    Options options;
    bool good = true;
    for (int letter; good && (letter = getopt_long(argc, argv, "", kOptions, nullptr)) != -1;) {
        good = take(letter, optarg, options);
    }
    const int operands = argc - optind;
    if (side == Side::sender) {
        good = good && operands == 1 && options.port != 0;
    } else {
        good = good && operands == 0;
    }
    if (!good) {
        std::fprintf(stderr, "%s%s", side == Side::sender ? kSenderUsage : kReceiverUsage, kCommonUsage);
        return std::nullopt;
    }
    if (side == Side::sender) {
        options.clip = argv[optind];
    }
    return options;
}

}  // namespace video
