// tame: C++ text as tokens.
#include "tame/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace thalweg::tame {

namespace {

bool starts_word(char letter) {
    return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_' || (letter & 0x80) != 0;
}
bool goes_on_word(char letter) { return starts_word(letter) || std::isdigit(static_cast<unsigned char>(letter)) != 0; }
bool is_space(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\v' || letter == '\f';
}

class Lexer {
  public:
    explicit Lexer(std::string_view source) : source_(source) {}

    std::vector<Token> all() {
        while (at_ < source_.size())
            add(next());
        return std::move(tokens_);
    }

  private:
    struct Row {
        TokenKind kind;
        bool (Lexer::*starts)() const;
        size_t (Lexer::*end)() const;
    };

    // The first that starts here.
    TokenKind next() {
        static constexpr std::array rows = {
            Row{TokenKind::newline, &Lexer::is_newline, &Lexer::one},
            Row{TokenKind::space, &Lexer::is_blank, &Lexer::blank_end},
            Row{TokenKind::comment, &Lexer::is_line_comment, &Lexer::logical_line_end},
            Row{TokenKind::comment, &Lexer::is_comment, &Lexer::comment_end},
            Row{TokenKind::directive, &Lexer::is_directive, &Lexer::directive_end},
            Row{TokenKind::text, &Lexer::is_raw_text, &Lexer::raw_text_end},
            Row{TokenKind::text, &Lexer::is_text, &Lexer::text_end},
            Row{TokenKind::number, &Lexer::is_number, &Lexer::number_end},
            Row{TokenKind::word, &Lexer::is_word, &Lexer::word_end},
        };
        for (const Row &row : rows) {
            if (!(this->*row.starts)())
                continue;
            end_ = (this->*row.end)();
            return row.kind;
        }
        end_ = at_ + (here("::") || here("->") ? 2 : 1);
        return TokenKind::sign;
    }

    void add(TokenKind kind) {
        const std::string_view text = source_.substr(at_, end_ - at_);
        tokens_.push_back({kind, text, line_});
        line_ += static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
        at_line_start_ = kind == TokenKind::newline || (at_line_start_ && kind == TokenKind::space);
        at_ = end_;
    }

    char letter(size_t at) const { return at < source_.size() ? source_[at] : '\0'; }
    bool here(std::string_view text) const { return source_.substr(at_).starts_with(text); }

    bool is_newline() const { return letter(at_) == '\n'; }
    bool is_blank() const { return is_space(letter(at_)); }
    bool is_line_comment() const { return here("//"); }
    bool is_comment() const { return here("/*"); }
    bool is_directive() const { return at_line_start_ && letter(at_) == '#'; }
    bool is_text() const { return letter(at_) == '"' || letter(at_) == '\''; }
    bool is_number() const {
        const size_t digit = letter(at_) == '.' ? at_ + 1 : at_;
        return std::isdigit(static_cast<unsigned char>(letter(digit))) != 0;
    }
    bool is_word() const { return starts_word(letter(at_)); }
    // R", and with a prefix that says how the characters are encoded.
    bool is_raw_text() const { return raw_quote() != std::string_view::npos; }
    size_t raw_quote() const {
        static constexpr std::array<std::string_view, 5> prefixes = {"R\"", "LR\"", "uR\"", "UR\"", "u8R\""};
        for (const std::string_view prefix : prefixes)
            if (here(prefix))
                return at_ + prefix.size() - 1;
        return std::string_view::npos;
    }

    size_t one() const { return at_ + 1; }
    size_t blank_end() const {
        size_t end = at_;
        while (is_space(letter(end)))
            ++end;
        return end;
    }
    // A backslash before the newline takes the next line along.
    bool is_spliced(size_t newline) const {
        size_t before = newline;
        while (before > at_ && letter(before - 1) == '\r')
            --before;
        return before > at_ && letter(before - 1) == '\\';
    }
    size_t logical_line_end() const {
        size_t end = source_.find('\n', at_);
        while (end != std::string_view::npos && is_spliced(end))
            end = source_.find('\n', end + 1);
        return std::min(end, source_.size());
    }
    size_t comment_end() const { return behind("*/", at_ + 2); }
    size_t behind(std::string_view mark, size_t from) const {
        const size_t found = source_.find(mark, from);
        return found == std::string_view::npos ? source_.size() : found + mark.size();
    }
    // Comments in it belong to it, and may be longer than the line.
    size_t directive_end() const {
        size_t end = at_;
        while (end < source_.size() && (letter(end) != '\n' || is_spliced(end))) {
            const std::string_view rest = source_.substr(end);
            end = rest.starts_with("/*") ? behind("*/", end + 2) : end + 1;
            if (rest.starts_with("//"))
                return logical_line_end();
        }
        return end;
    }
    size_t raw_text_end() const {
        const size_t quote = raw_quote();
        const size_t bracket = source_.find('(', quote);
        if (bracket == std::string_view::npos)
            return source_.size();
        const std::string mark = ")" + std::string(source_.substr(quote + 1, bracket - quote - 1)) + "\"";
        return behind(mark, bracket);
    }
    // One that is not closed ends with its line.
    size_t text_end() const {
        size_t end = at_ + 1;
        while (end < source_.size() && letter(end) != letter(at_)) {
            if (letter(end) == '\n')
                return end;
            end += letter(end) == '\\' ? 2 : 1;
        }
        return std::min(end + 1, source_.size());
    }
    size_t number_end() const {
        size_t end = at_;
        while (goes_on_word(letter(end)) || letter(end) == '.' || goes_on_number(end))
            ++end;
        return end;
    }
    bool goes_on_number(size_t end) const {
        if (letter(end) == '\'')  // 1'000
            return end > at_ && goes_on_word(letter(end + 1));
        const bool sign = letter(end) == '+' || letter(end) == '-';
        return sign && end > at_ && std::string_view("eEpP").find(letter(end - 1)) != std::string_view::npos &&
               !(letter(at_) == '0' && (letter(at_ + 1) | 0x20) == 'x' && (letter(end - 1) | 0x20) == 'e');
    }
    size_t word_end() const {
        size_t end = at_;
        while (goes_on_word(letter(end)))
            ++end;
        return end;
    }

    std::string_view source_;
    size_t at_ = 0;
    size_t end_ = 0;
    size_t line_ = 1;
    bool at_line_start_ = true;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Lexer(source).all(); }

}  // namespace thalweg::tame
