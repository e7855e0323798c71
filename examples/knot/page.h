// examples: a file in memory, and the answers that are made of it
#pragma once

#include <array>
#include <cstddef>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "knot/conditions.h"
#include "knot/file.h"

namespace knot {

// A text that does not change any more; who sends it keeps it alive. Of one thread: std::shared_ptr would lock the bus to count.
class Text {
  public:
    Text() = default;
    explicit Text(std::string text) : shared_(new Shared{std::move(text)}) {}
    Text(const Text &other) : shared_(other.shared_) {
        if (shared_)
            ++shared_->owners;
    }
    Text(Text &&other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
    Text &operator=(Text other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }
    ~Text() {
        if (shared_ && --shared_->owners == 0)
            delete shared_;
    }

    explicit operator bool() const { return shared_ != nullptr; }
    bool operator==(const Text &other) const { return shared_ == other.shared_; }
    const std::string &operator*() const { return shared_->text; }
    const std::string *operator->() const { return &shared_->text; }

  private:
    struct Shared {
        std::string text;
        size_t owners = 1;
    };
    Shared *shared_ = nullptr;
};

// What becomes of the connection after an answer. That it stays is told to HTTP/1.0 only.
enum class After { stays, stays_told, ends };

class Page;

// An answer: a text, and then bytes of a page that are not copied.
struct Answer {
    Text text;
    std::string_view body;
    std::shared_ptr<const Page> page;  // whose bytes they are
    Range of_file;  // or which, where it is a file
};

// What a page is made of: bytes, or, where they are too many for the memory, a file.
struct Content {
    std::string bytes;
    File file;
    size_t size = 0;
};

class Page {
  public:
    Page(Content content, std::string_view type, Validators validators);

    const std::string &body() const { return content_.bytes; }  // empty where it is a file
    bool is_file() const { return content_.file.get() >= 0; }
    int descriptor() const { return content_.file.get(); }
    size_t size() const { return content_.size; }
    const Validators &validators() const { return validators_; }

    // The whole of it. Made anew each second, for its date.
    const Text &whole(std::time_t now, After after) {
        const Made &made = made_[static_cast<size_t>(after)];
        return made.second == now ? made.text : make_whole(now, after);
    }
    // A body of up to this many bytes stands in the same text as its header: copying costs less than a second piece to send.
    static constexpr size_t kCopied = 16384;
    bool is_copied() const { return content_.size <= kCopied && !is_file(); }

    std::string header(std::time_t now, int status, std::string_view more, size_t size, After after) const;
    std::string not_modified(std::time_t now, After after) const;

  private:
    const Text &make_whole(std::time_t now, After after);

    struct Made {
        std::time_t second = 0;
        Text text;
    };
    Content content_;
    std::string type_;
    Validators validators_;
    std::string validators_text_;
    std::array<Made, 3> made_;
};

// For what went wrong. has_body: not for HEAD, which is told how long it would be.
std::string error_answer(int status, std::time_t now, After after, bool has_body);
std::string_view words_of(int status);

}  // namespace knot
