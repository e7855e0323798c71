// examples: the files of a folder, as pages in memory
#pragma once

#include <cstddef>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include <thalweg/tame.h>

#include "knot/page.h"

namespace knot {

// What a path leads to, or the status that says why to nothing: 403, 404, 500, 503.
struct Found {
    std::shared_ptr<Page> page;
    int status = 200;
};

// One of each loop. Files are read by other threads. A page that is in memory is looked at again once a second while it is asked for;
// what has changed, the requests after it have.
class Site {
  public:
    // most_bytes: of all pages together; when there is more, it is read again. A file that is larger by itself is refused (503).
    Site(std::string root, size_t most_bytes) : root_(std::move(root)), most_bytes_(most_bytes) {}
    Site(const Site &) = delete;
    Site &operator=(const Site &) = delete;

    // As a request has the path, where it is in memory; null: ask find().
    std::shared_ptr<Page> *in_memory(std::string_view path, std::time_t now);
    thalweg::tame::tamed<Found> find(std::string path, std::time_t now);

  private:
    struct Hash {
        using is_transparent = void;
        size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    struct Kept {
        std::shared_ptr<Page> page;
        std::time_t looked_at = 0;
        std::time_t modified = 0;
        size_t size = 0;  // of the file
    };
    thalweg::tame::tamed<int> load(std::string name, std::time_t now);
    thalweg::tame::tamed<> look_again(std::string name, std::time_t now);
    void keep(const std::string &name, Kept kept);
    void forget(const std::string &name);

    std::string root_;
    size_t most_bytes_;
    size_t bytes_ = 0;
    std::unordered_map<std::string, Kept, Hash, std::equal_to<>> pages_;  // by normal path
};

// Of a request's path: decoded, without a query, with index.html for a folder. Empty: it leads out of the root, or is none.
std::string normal_path(std::string_view path);

}  // namespace knot
