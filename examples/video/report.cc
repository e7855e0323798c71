// examples: what --stats prints
#include "video/report.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>

namespace video {
namespace {

using Count = unsigned long long;

constexpr char kLine[] = "%s event %-16s raises %8llu posts %8llu timed %8llu us %12.1f\n";

double seconds(const timeval &time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

void print_statistics(const char *program, composite::Composite &composite, const ctp::Statistics &s) {
    const double clock_ns = composite::Meter::clock_ns();
    Count raises = 0, posts = 0, timed = 0;
    double total_us = 0;
    for (const composite::EventMeter *event : composite.meter().events()) {
        // The clock's own cost does not belong to the handlers.
        const double spent = static_cast<double>(event->ns) - clock_ns * static_cast<double>(event->timed_raises);
        const double us = std::max(0.0, spent) / 1000;
        std::fprintf(stderr, kLine, program, event->name.c_str(), static_cast<Count>(event->raises),
                     static_cast<Count>(event->posts), static_cast<Count>(event->timed_raises), us);
        raises += event->raises;
        posts += event->posts;
        timed += event->timed_raises;
        total_us += us;
    }
    std::fprintf(stderr, kLine, program, "all", raises, posts, timed, total_us);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::fprintf(stderr, "%s: user %.6f s, system %.6f s\n", program, seconds(usage.ru_utime), seconds(usage.ru_stime));
    std::fprintf(
        stderr,
        "%s: messages %llu out %llu in, packets %llu out %llu bytes, segments %llu acknowledged %llu delivered, "
        "%llu timeouts, %llu sent again, %llu recovered, %llu duplicates, %llu bad, %llu thrown away, "
        "%llu resized\n",
        program, static_cast<Count>(s.messages_sent), static_cast<Count>(s.messages_received),
        static_cast<Count>(s.segments_sent), static_cast<Count>(s.bytes_sent), static_cast<Count>(s.acked),
        static_cast<Count>(s.segments_delivered), static_cast<Count>(s.timeouts), static_cast<Count>(s.lost),
        static_cast<Count>(s.recovered), static_cast<Count>(s.duplicates), static_cast<Count>(s.bad_packets),
        static_cast<Count>(s.injected_losses), static_cast<Count>(s.resized));
}

}  // namespace video
