// driver: what goes on now and for how long, in one line of a terminal that is gone when it is done.
#include "driver/progress.h"

#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/utf8.h"

namespace thalweg::driver {

namespace {

// What is done sooner needs no word.
constexpr auto patience = std::chrono::milliseconds(500);

// A line that is broken in two can't be taken back.
std::string cut_to_terminal(std::string line) {
    winsize size{};
    constexpr size_t usual_columns = 80;
    const size_t columns =
        ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : usual_columns;
    if (line.size() >= columns)
        line.resize(columns - 1);
    return line;
}

}  // namespace

Progress::Progress(std::string what) : what_(std::move(what)) {
    if (::isatty(STDERR_FILENO) != 0)
        shows_ = std::jthread([this](const std::stop_token &stop) { show(stop); });
}

Progress::~Progress() = default;

void Progress::at(std::string where) {
    const std::scoped_lock locked(lock_);
    where_ = std::move(where);
}

void Progress::show(const std::stop_token &stop) {
    std::chrono::milliseconds passed(0);
    std::unique_lock locked(lock_);
    while (!changed_.wait_for(locked, stop, patience, [] { return false; }) && !stop.stop_requested()) {
        passed += patience;
        const std::string line = fmt::format("{}{}{}, {} s", what_, where_.empty() ? "" : ": ", where_,
                                             std::chrono::duration_cast<std::chrono::seconds>(passed).count());
        std::fputs(("\r\033[K" + cut_to_terminal(without_controls(line))).c_str(), stderr);
        std::fflush(stderr);
    }
    if (passed.count() != 0)
        std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
}

}  // namespace thalweg::driver
