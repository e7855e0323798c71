// base: what is counted of a text before a parser sees it.
#include "base/text_shape.h"

#include <fmt/format.h>

namespace thalweg {

namespace {

// Counts what a document is made of, outside of strings and comments.
class ShapeScanner {
  public:
    ShapeScanner(std::string_view text, const TextShape &shape) : text_(text), shape_(shape) {}

    std::string scan() {
        for (; at_ < text_.size(); ++at_) {
            step(text_[at_]);
            if (depth_ > max_text_nesting)
                return fmt::format("line {}: nested deeper than {} levels", line_, max_text_nesting);
            if (items_ > max_text_items)
                return fmt::format("line {}: more than {} items", line_, max_text_items);
            if (several_lines_)
                return fmt::format("line {}: strings of several lines are not used here", line_);
            if (!shape_.dotted_keys && dots_ > max_dots_in_a_row)
                return fmt::format("line {}: dotted keys are not used here", line_);
        }
        return {};
    }

  private:
    // A number has one dot, a float in a range of dates at most two.
    static constexpr size_t max_dots_in_a_row = 2;

    void step(char c) {
        if (c == '\n')
            ++line_;
        if (c == '\n' || c == ',' || c == '[' || c == '{')
            ++items_;
        if (c == '.')
            ++dots_;
        if (c == '\n' || c == ',' || c == '=')
            dots_ = 0;
        if (c == '[' || c == '{')
            ++depth_;
        if ((c == ']' || c == '}') && depth_ > 0)
            --depth_;
        if (c == '"')
            skip_string('"', true);
        if (c == '\'' && shape_.literal_strings)
            skip_string('\'', false);
        if (c == '#' && shape_.hash_comments)
            skip_to(text_.find('\n', at_));
    }

    void skip_string(char quote, bool escapes) {
        std::string_view begin = text_.substr(at_, 3);
        several_lines_ = begin.size() == 3 && begin[1] == quote && begin[2] == quote;
        size_t end = at_ + 1;
        while (end < text_.size() && text_[end] != quote && text_[end] != '\n')
            end += escapes && text_[end] == '\\' ? 2 : 1;
        at_ = end < text_.size() && text_[end] == '\n' ? end - 1 : end;
    }

    void skip_to(size_t end) { at_ = end == std::string_view::npos ? text_.size() : end - 1; }

    std::string_view text_;
    const TextShape &shape_;
    size_t at_ = 0;
    size_t line_ = 1;
    size_t depth_ = 0;
    size_t items_ = 0;
    size_t dots_ = 0;
    bool several_lines_ = false;
};

}  // namespace

std::string wrong_shape(std::string_view text, const TextShape &shape) {
    if (text.size() > max_text_bytes)
        return fmt::format("{} bytes are more than {}", text.size(), max_text_bytes);
    return ShapeScanner(text, shape).scan();
}

}  // namespace thalweg
