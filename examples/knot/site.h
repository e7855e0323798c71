// examples: the files of a folder, as pages in memory
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <thalweg/tame.h>

#include "knot/page.h"

namespace knot {

// What a path leads to, or the status that says why to nothing: 403, 404, 500, 503.
struct Found {
    std::shared_ptr<Page> page;
    int status = 200;
};

// What tells a file from the one that was there before, or that it was then. Of two changes within one tick of the kernel's clock (some
// milliseconds) that leave the size as it was, the second can't be told.
struct FileState {
    dev_t device = 0;
    ino_t number = 0;
    size_t size = 0;
    std::time_t modified = -1;
    int64_t modified_ns = 0, changed_ns = 0;

    bool operator==(const FileState &) const = default;
};

// One of each loop. Files are read by other threads. A page that is in memory is looked at again once a second while it is asked for;
// what has changed, the requests after it have.
class Site {
  public:
    // most_bytes: of all pages together; when there is more, it is read again. A file that is larger by itself is no page in memory: whoever
    // asks for it has it open.
    Site(std::string root, size_t most_bytes) : root_(std::move(root)), most_bytes_(most_bytes) {}
    Site(const Site &) = delete;
    Site &operator=(const Site &) = delete;

    // For a path as the request has it, where that is in memory; null: ask find(). The request is remembered.
    const std::shared_ptr<Page> *in_memory(std::string_view request, std::string_view path, std::time_t now);
    // The page of a request that came lately: the same bytes ask for the same page, and need not be read again. Null: it did not.
    const std::shared_ptr<Page> *asked_again(std::string_view request, std::time_t now) {
        if (!may_be_recent(request))
            return nullptr;
        const Recent &recent = recent_[place_of(request)];
        return recent.known && recent.request == request ? &seen(*recent.known, now) : nullptr;
    }
    thalweg::tame::tamed<Found> find(std::string path, std::time_t now);

  private:
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    struct Kept {
        std::shared_ptr<Page> page;
        std::time_t looked_at = 0;
        FileState state;
    };
    using Pages = std::unordered_map<std::string, Kept, Hash, std::equal_to<>>;
    // Each in its place, where a later one may follow it.
    struct Recent {
        std::string request;
        Pages::value_type *known = nullptr;
    };
    static constexpr unsigned kRecentBits = 6;  // 64 of them
    // Longer ones, with cookies and the like, seldom come again; shorter ones have not all that place_of() reads.
    static constexpr size_t kShortest = 36, kLongest = 1024;  // bytes

    static bool may_be_recent(std::string_view request) { return request.size() - kShortest <= kLongest - kShortest; }
    // By the path, as far as it reaches, behind "GET ".
    static size_t place_of(std::string_view request) {
        const auto word = [request](size_t at) {
            uint64_t value = 0;
            std::memcpy(&value, request.data() + at, sizeof(value));
            return value;
        };
        const uint64_t sum = word(4) + 3 * word(12) + 5 * word(20) + 9 * word(28) + request.size();
        return sum * 0x9e3779b97f4a7c15 >> (64 - kRecentBits);  // the golden ratio's bits: Knuth's multiplicative hash
    }

    Pages::value_type *look_up(std::string_view path);
    const std::shared_ptr<Page> &seen(Pages::value_type &known, std::time_t now) {
        if (known.second.looked_at != now)
            look_at_its_file(known, now);
        return known.second.page;
    }
    void look_at_its_file(Pages::value_type &known, std::time_t now);
    thalweg::tame::tamed<Found> load_for_all(const std::string &name, std::time_t now);
    thalweg::tame::tamed<Found> load(std::string name, std::time_t now);
    thalweg::tame::tamed<> look_again(std::string name, std::time_t now);
    void keep(const std::string &name, Kept kept);
    void forget(const std::string &name);

    std::string root_;
    size_t most_bytes_;
    size_t bytes_ = 0;
    Pages pages_;  // by normal path
    // Those that are being read for the first time, and who else asks for them meanwhile.
    std::unordered_map<std::string, std::vector<thalweg::tame::event<Found>>> loading_;
    std::array<Recent, 1 << kRecentBits> recent_;
};

// Of a request's path: decoded, without a query, with index.html for a folder. Empty: it leads out of the root, or is none.
std::string normal_path(std::string_view path);

}  // namespace knot
