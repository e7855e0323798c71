// examples: a file in memory, and the answers that are made of it
#pragma once

#include <array>
#include <cstddef>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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
};

// The day and time as HTTP has it; of the same second, the same text.
const std::string &http_date(std::time_t time);

class Page {
  public:
    Page(std::string body, std::string_view type, std::time_t modified);

    const std::string &body() const { return body_; }
    const std::string &modified() const { return modified_text_; }

    // The whole of it. Made anew each second, for its date.
    const Text &whole(std::time_t now, After after) {
        const Made &made = made_[static_cast<size_t>(after)];
        return made.second == now ? made.text : make_whole(now, after);
    }
    // A body of up to this many bytes stands in the same text as its header: copying costs less than a second piece to send.
    static constexpr size_t kCopied = 16384;
    bool is_copied() const { return body_.size() <= kCopied; }

    std::string header(std::time_t now, int status, std::string_view more, size_t size, After after) const;

  private:
    const Text &make_whole(std::time_t now, After after);

    struct Made {
        std::time_t second = 0;
        Text text;
    };
    std::string body_;
    std::string type_;
    std::string modified_text_;
    std::array<Made, 3> made_;
};

// "bytes=FIRST-LAST", of so many bytes: what is asked for, cut to what there is. Nothing where it is no range, or several: then the whole
// is the answer. An empty range: there is nothing there (416).
struct Range {
    size_t first = 0, size = 0;
};
std::optional<Range> parse_range(std::string_view text, size_t size);

// For what went wrong, and for 304.
std::string error_answer(int status, std::time_t now, After after);
std::string_view words_of(int status);

}  // namespace knot
