// examples: the files of a folder, as pages in memory
#include "knot/site.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <utility>

namespace knot {

using thalweg::tame::blocking;
using thalweg::tame::event;
using thalweg::tame::gather;
using thalweg::tame::mkevent;
using thalweg::tame::pause_for;
using thalweg::tame::tamed;

namespace {

std::string_view type_of(std::string_view path) {
    struct Row {
        std::string_view ending, type;
    };
    static constexpr Row rows[] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css"},
        {".js", "text/javascript"},
        {".json", "application/json"},
        {".txt", "text/plain; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".gif", "image/gif"},
        {".pdf", "application/pdf"},
        {".wasm", "application/wasm"},
    };
    for (const Row &row : rows) {
        if (path.ends_with(row.ending))
            return row.type;
    }
    return "application/octet-stream";
}

int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<std::string> decoded(std::string_view path) {
    std::string text;
    for (size_t i = 0; i < path.size(); ++i) {
        if (path[i] != '%') {
            text += path[i];
            continue;
        }
        const int high = i + 2 < path.size() ? digit(path[i + 1]) : -1, low = high < 0 ? -1 : digit(path[i + 2]);
        if (low < 0 || (high == 0 && low == 0))
            return std::nullopt;
        text += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return text;
}

struct Read {
    int status = 200;
    bool is_same = false;
    FileState state;
    Content content;
};

int status_of_error(int reason) {
    if (reason == ENOENT || reason == ENOTDIR || reason == ENAMETOOLONG)
        return 404;
    if (reason == EACCES || reason == EPERM || reason == ELOOP)
        return 403;
    return reason == EMFILE || reason == ENFILE || reason == ENOMEM ? 503 : 500;
}

FileState state_of(const struct stat &about) {
    constexpr int64_t ns_per_s = 1'000'000'000;
    const auto time = [](const timespec &at) { return at.tv_sec * ns_per_s + at.tv_nsec; };
    return {about.st_dev,   about.st_ino,        static_cast<size_t>(about.st_size),
            about.st_mtime, time(about.st_mtim), time(about.st_ctim)};
}

// Another file at the same place has another number, and whatever is done to a file sets the time of its change.
Validators validators_of(const FileState &state) {
    std::array<char, 64> text{};
    const int size =
        std::snprintf(text.data(), text.size(), "\"%llx-%zx-%llx\"", static_cast<unsigned long long>(state.number),
                      state.size, static_cast<unsigned long long>(state.changed_ns));
    return {std::string(text.data(), static_cast<size_t>(size)), state.modified};
}

// In another thread. Where its state is the known one, the body isn't read; nor where there is more of it than `most`.
Read read_file(const std::string &path, const FileState &known, size_t most) {
    File file(path);
    if (file.get() < 0)
        return {.status = status_of_error(errno)};
    struct stat about{};
    if (fstat(file.get(), &about) != 0)
        return {.status = status_of_error(errno)};
    if (!S_ISREG(about.st_mode))
        return {.status = 404};
    Read result{.state = state_of(about)};
    const size_t size = result.content.size = result.state.size;
    if (result.state == known) {
        result.is_same = true;
        return result;
    }
    if (size > most) {
        result.content.file = std::move(file);
        return result;
    }
    std::string &body = result.content.bytes;
    body.resize(size);
    size_t done = 0;
    while (done < size) {
        const ssize_t count = read(file.get(), body.data() + done, size - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;  // it has become shorter meanwhile
        done += static_cast<size_t>(count);
    }
    body.resize(done);
    result.content.size = done;
    return result;
}

}  // namespace

std::string normal_path(std::string_view path) {
    const std::optional<std::string> text = decoded(path.substr(0, path.find_first_of("?#")));
    if (!text || text->empty() || text->front() != '/')
        return "";
    std::string normal;
    for (size_t begin = 1; begin <= text->size();) {
        size_t end = text->find('/', begin);
        if (end == std::string::npos)
            end = text->size();
        const std::string_view part = std::string_view(*text).substr(begin, end - begin);
        if (part == "..")
            return "";
        if (!part.empty() && part != ".")
            normal += "/" + std::string(part);
        begin = end + 1;
    }
    return text->back() == '/' ? normal + "/index.html" : normal;
}

Site::Pages::value_type *Site::look_up(std::string_view path) {
    const auto found = pages_.find(path);
    return found == pages_.end() ? nullptr : &*found;
}

void Site::look_at_its_file(Pages::value_type &known, std::time_t now) {
    known.second.looked_at = now;
    look_again(known.first, now);
}

const std::shared_ptr<Page> *Site::in_memory(std::string_view request, std::string_view path, std::time_t now) {
    Pages::value_type *known = look_up(path);
    if (!known)
        return nullptr;
    if (may_be_recent(request)) {
        Recent &recent = recent_[place_of(request)];
        recent.request.assign(request);
        recent.known = known;
    }
    return &seen(*known, now);
}

tamed<Found> Site::find(std::string path, std::time_t now) {
    const std::string name = normal_path(path);
    if (name.empty())
        co_return Found{nullptr, 404};
    if (Pages::value_type *known = look_up(name))
        co_return Found{seen(*known, now), 200};
    co_return co_await load_for_all(name, now);
}

// Who asks for a page that is being read gets it with the others: it is read once.
tamed<Found> Site::load_for_all(const std::string &name, std::time_t now) {
    Found found{nullptr, 503};
    const auto [others, is_first] = loading_.try_emplace(name);
    if (!is_first) {
        gather all;
        others->second.push_back(mkevent(all, found));
        co_await all;
        co_return found;
    }
    try {
        found = co_await load(name, now);
    } catch (const std::exception &) {
        // No memory: 503.
    }
    const auto asked = loading_.extract(name);
    for (const event<Found> &one : asked.mapped())
        one.trigger(found);
    co_return found;
}

// In a turn of its own: whoever has asked has the page in hand.
tamed<> Site::look_again(std::string name, std::time_t now) {
    co_await pause_for(std::chrono::nanoseconds(0));
    co_await load(name, now);
}

// The file is read, where it is another than the one that is known.
tamed<Found> Site::load(std::string name, std::time_t now) {
    const auto known = pages_.find(name);
    Kept kept = known == pages_.end() ? Kept() : known->second;
    Read read{.status = 503};
    try {
        // Has a name: gcc 12 destroys twice what a function object keeps that is made in what is awaited.
        auto reading = [file = root_ + name, state = kept.state, most = most_bytes_] {
            return read_file(file, state, most);
        };
        read = co_await blocking(std::move(reading));
    } catch (const std::exception &) {
        // No thread, or no memory: 503.
    }
    // What can't be read now, for want of descriptors or memory, is still what it was.
    if (read.status == 403 || read.status == 404)
        forget(name);
    if (read.status != 200)
        co_return Found{nullptr, read.status};
    if (!read.is_same) {
        kept.state = read.state;
        kept.page = std::make_shared<Page>(std::move(read.content), type_of(name), validators_of(read.state));
    }
    kept.looked_at = now;
    Found found{kept.page, 200};
    if (kept.page->is_file())
        forget(name);  // it was smaller, if it was there
    else
        keep(name, std::move(kept));
    co_return found;
}

void Site::forget(const std::string &name) {
    const auto gone = pages_.find(name);
    if (gone == pages_.end())
        return;
    bytes_ -= gone->second.page->body().size();
    for (Recent &recent : recent_) {
        if (recent.known == &*gone)
            recent = {};
    }
    pages_.erase(gone);
}

void Site::keep(const std::string &name, Kept kept) {
    const size_t size = kept.page->body().size();
    if (const auto known = pages_.find(name); known != pages_.end()) {
        bytes_ += size - known->second.page->body().size();
        known->second = kept;
    } else {
        bytes_ += size;
        pages_.emplace(name, kept);
    }
    if (bytes_ <= most_bytes_)
        return;
    recent_ = {};
    pages_.clear();
    bytes_ = size;
    pages_.emplace(name, std::move(kept));
}

}  // namespace knot
