// base: words of a line that `perf script` prints (perf-script(1), section FIELDS), for whoever reads samples of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace thalweg::perf {

// Without blanks and tabs at both ends.
std::string_view trimmed(std::string_view text);
// Takes the last word off the text: a name that stands in front of it may have blanks in it.
std::string_view take_last_word(std::string_view &text);
// The whole text is a number of this base.
std::optional<uint64_t> number(std::string_view text, int base = 10);

// A century, of a machine's time since it was started: what is more is no time.
inline constexpr uint64_t most_seconds = 100ull * 366 * 24 * 60 * 60;
// "63708.105622", seconds with a fraction of any length; in nanoseconds.
std::optional<uint64_t> seconds(std::string_view text);

// "12/13", process and thread; or "12", which may be either.
struct Thread {
    uint64_t process = 0;
    uint64_t thread = 0;
};
std::optional<Thread> thread(std::string_view text);

// "   90c0 do_lookup_x+0x1f (/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2)"; empty is what perf does not know.
struct Frame {
    uint64_t address = 0;
    std::string_view symbol;
    std::string_view object;
};
std::optional<Frame> frame(std::string_view line);

}  // namespace thalweg::perf
