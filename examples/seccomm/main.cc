// examples: seccomm: sends messages of every size through SecComm over UDP, and prints a digest of what arrived
#define OPENSSL_SUPPRESS_DEPRECATED
#include <getopt.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "seccomm/seccomm.h"

namespace {

using seccomm::SecComm;

constexpr std::size_t kSizes[] = {64, 128, 256, 512, 1024, 2048};
// The first messages of a size warm caches and the socket; they are sent, digested, and not measured.
constexpr unsigned kWarmUp = 20;
// A datagram on the loopback takes microseconds; one that has not come by then is lost.
constexpr std::chrono::seconds kPatience{10};

struct Options {
    unsigned messages = 1000;
    bool measure = false;
};

class Exchange {
  public:
    Exchange(composite::Composite &composite, const Options &options)
        : options_(options), composite_(composite), send_next_(composite, "SendNext"), too_late_(composite, "TooLate"),
          sender_(composite, kKeys, options.measure), receiver_(composite, kKeys, options.measure) {
        send_next_.bind<&Exchange::send_next>(this, 10);
        too_late_.bind<&Exchange::too_late>(this, 10);
        receiver_.events().msg_to_user.bind<&Exchange::msg_to_user>(this, 30);
    }

    int run() {
        if (!sender_.driver.open() || !receiver_.driver.open()) {
            std::perror("seccomm: cannot open a UDP socket");
            return 1;
        }
        sender_.driver.connect(receiver_.driver.port());
        for (std::size_t size : kSizes) {
            SHA256_Init(&sha_);
            text_.resize(size);
            sent_ = arrived_ = 0;
            patience_ = too_late_.post_after(kPatience);
            send_next_.post();
            composite_.run();
            patience_.cancel();
            if (arrived_ != wanted()) {
                std::fprintf(stderr, "seccomm: %u of %u messages of %zu bytes arrived\n", arrived_, wanted(), size);
                return 1;
            }
            print(size);
        }
        return 0;
    }

    void send_next() {
        if (sent_ == kWarmUp) {
            sender_.driver.forget_times();
            receiver_.driver.forget_times();
        }
        ++sent_;
        for (std::uint8_t &byte : text_) {
            byte = static_cast<std::uint8_t>((random_ = random_ * 1664525 + 1013904223) >> 24);
        }
        sender_.send(text_);
    }

    void msg_to_user(seccomm::Message &message) {
        SHA256_Update(&sha_, message.text().data(), message.text().size());
        if (++arrived_ == wanted()) {
            composite_.stop();
        } else {
            send_next_.post();
        }
    }

    void too_late() { composite_.stop(); }

  private:
    static constexpr seccomm::Keys kKeys{{0x13, 0x34, 0x57, 0x79, 0x9b, 0xbc, 0xdf, 0xf1},
                                         {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3}};

    unsigned wanted() const { return kWarmUp + options_.messages; }

    // What the clock itself costs is taken off.
    static double microseconds(std::vector<std::uint32_t> ns, double clock_ns) {
        std::nth_element(ns.begin(), ns.begin() + static_cast<std::ptrdiff_t>(ns.size() / 2), ns.end());
        return std::max(0.0, ns[ns.size() / 2] - clock_ns) / 1000;
    }

    void print(std::size_t size) {
        std::uint8_t digest[SHA256_DIGEST_LENGTH];
        SHA256_Final(digest, &sha_);
        std::printf("size %4zu messages %u digest sha256:", size, arrived_);
        for (std::uint8_t byte : digest) {
            std::printf("%02x", byte);
        }
        std::printf("\n");
        if (options_.measure) {
            const double clock_ns = composite::Meter::clock_ns();
            std::fprintf(stderr, "size %4zu push %.3f us pop %.3f us\n", size,
                         microseconds(sender_.driver.push_ns(), clock_ns),
                         microseconds(receiver_.driver.pop_ns(), clock_ns));
        }
    }

    const Options &options_;
    composite::Composite &composite_;
    composite::Event<> send_next_, too_late_;
    composite::Timer patience_;
    SecComm sender_, receiver_;
    SHA256_CTX sha_;
    std::vector<std::uint8_t> text_;
    std::uint32_t random_ = 1;
    unsigned sent_ = 0, arrived_ = 0;
};

int usage() {
    std::fprintf(stderr, "usage: seccomm [--messages N] [--measure]\n"
                         "  --messages N  of each size (1000)\n"
                         "  --measure     on standard error: the median time of push and pop for each size\n");
    return 2;
}

}  // namespace

int main(int argc, char **argv) {
    const option known[] = {{"messages", required_argument, nullptr, 'n'},
                            {"measure", no_argument, nullptr, 'm'},
                            {nullptr, 0, nullptr, 0}};
    Options options;
    for (int letter; (letter = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
        if (letter == 'n') {
            options.messages = static_cast<unsigned>(std::strtoul(optarg, nullptr, 10));
        } else if (letter == 'm') {
            options.measure = true;
        } else {
            return usage();
        }
    }
    if (optind != argc || options.messages == 0 || options.messages > 10'000'000) {
        return usage();
    }
    composite::Composite composite;
    return Exchange(composite, options).run();
}
