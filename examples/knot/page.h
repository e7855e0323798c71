// examples: a file in memory, and the answers that are made of it
#pragma once

#include <array>
#include <cstddef>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace knot {

// Who has an answer keeps it alive while it is sent.
using Text = std::shared_ptr<const std::string>;

class Page;

// An answer: a text, and then bytes of a page that are not copied.
struct Answer {
    Text text;
    std::string_view body;
    std::shared_ptr<const Page> page;  // whose bytes they are
    bool closes = false;  // the connection ends with it
};

// The day and time as HTTP has it; of the same second, the same text.
const std::string &http_date(std::time_t time);

class Page {
  public:
    Page(std::string body, std::string_view type, std::time_t modified);

    const std::string &body() const { return body_; }
    const std::string &modified() const { return modified_text_; }

    // The whole of it. Made anew each second, for its date.
    const Text &whole(std::time_t now, bool closes);
    // A body of up to this many bytes stands in the same text as its header: copying costs less than a second piece to send.
    static constexpr size_t kCopied = 16384;
    bool is_copied() const { return body_.size() <= kCopied; }

    std::string header(std::time_t now, int status, std::string_view more, size_t size, bool closes) const;

  private:
    struct Made {
        std::time_t second = 0;
        Text text;
    };
    std::string body_;
    std::string type_;
    std::string modified_text_;
    std::array<Made, 2> made_;
};

// "bytes=FIRST-LAST", of so many bytes: what is asked for, cut to what there is. Nothing where it is no range, or several: then the whole
// is the answer. An empty range: there is nothing there (416).
struct Range {
    size_t first = 0, size = 0;
};
std::optional<Range> parse_range(std::string_view text, size_t size);

// For what went wrong, and for 304.
std::string error_answer(int status, std::time_t now, bool closes);
std::string_view words_of(int status);

}  // namespace knot
