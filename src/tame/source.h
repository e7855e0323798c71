// tame: a source's tokens with what belongs together in them, and what is to stand in their place.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tame/lexer.h"

namespace thalweg::tame {

inline constexpr size_t nowhere = static_cast<size_t>(-1);

// As deep as clang lets brackets nest (-fbracket-depth), and statements.
inline constexpr size_t deepest_nesting = 256;

// From the first token to before the last.
struct Range {
    size_t first = 0;
    size_t last = 0;
    bool is_empty() const { return first >= last; }
};

class Source {
  public:
    explicit Source(std::string_view text);

    size_t size() const { return tokens_.size(); }
    const Token &operator[](size_t at) const { return tokens_[at]; }
    // Text of the token; of none: empty.
    std::string_view text(size_t at) const { return at < size() ? tokens_[at].text : std::string_view(); }
    bool is(size_t at, std::string_view text) const { return at < size() && tokens_[at].text == text; }
    bool is_word(size_t at) const { return at < size() && tokens_[at].kind == TokenKind::word; }
    size_t line(size_t at) const { return at < size() ? tokens_[at].line : last_line(); }

    // What is neither space nor comment: at `at` or after it; before it. `size()` or nowhere: there is none.
    size_t skip(size_t at) const;
    size_t next(size_t at) const { return skip(at + 1); }
    size_t previous(size_t at) const;
    // Of a bracket ( [ {, the one that closes or opens it; nowhere: there is none.
    size_t partner(size_t at) const { return at < size() ? partners_[at] : nowhere; }
    // A bracket without a partner; nowhere: all have one.
    size_t alone() const { return alone_; }
    // The bracket in which it stands; nowhere: in none.
    size_t enclosing(size_t at) const;
    // The first bracket that stands in more than deepest_nesting others; nowhere: there is none.
    size_t too_deep() const { return too_deep_; }
    // Within a stretch that TAME_OFF in a comment begins and TAME_ON ends.
    bool is_off(size_t at) const { return at < size() && off_[at]; }

    // Without space and comments at its ends.
    Range trimmed(Range range) const;
    std::string text(Range range) const;
    // Parted at commas that stand in no bracket; a < after a word is a bracket if it is closed before the end.
    std::vector<Range> parts(Range range, char at = ',') const;
    // Behind the > that closes the < at `at`; nowhere: it closes none before `last`.
    size_t behind_angle(size_t at, size_t last) const;
    // Behind a statement that begins at `at`, which is part of so many others.
    size_t behind_statement(size_t at, size_t last, size_t depth = 0) const;
    bool holds_word(std::string_view word) const;
    // What stands before it on its line, if that is space alone: else what the line begins with.
    std::string_view indent(size_t at) const;
    size_t line_start(size_t at) const;

  private:
    size_t last_line() const { return tokens_.empty() ? 1 : tokens_.back().line; }
    bool is_significant(size_t at) const;
    void match_brackets();
    void find_off();

    std::vector<Token> tokens_;
    std::vector<size_t> partners_;
    std::vector<bool> off_;
    size_t alone_ = nowhere;
    size_t too_deep_ = nowhere;
};

}  // namespace thalweg::tame
