// tame: the table of constructs, and the walk that finds them.
#include <algorithm>
#include <array>

#include "tame/constructs.h"

namespace thalweg::tame {

namespace {

struct Row {
    std::string_view word;
    size_t (*rewrite)(Work &, size_t, const Place &);
};

constexpr std::array rows = {
    Row{"tamed", rewrite_tamed},
    Row{"TAMED", rewrite_tamed},
    Row{"TAME", rewrite_tamed},
    Row{"CLOSURE", rewrite_closure},
    Row{"return", rewrite_return},
    Row{"DEFAULT_RETURN", rewrite_default_return},
    Row{"throw", rewrite_throw},
    Row{"NONBLOCK", rewrite_ancient},
    Row{"JOIN", rewrite_ancient},
    Row{"UNBLOCK", rewrite_ancient},
    Row{"RESUME", rewrite_ancient},
    Row{"twait", rewrite_wait},
    Row{"BLOCK", rewrite_wait},
    Row{"WAIT", rewrite_wait},
    Row{"break", rewrite_leaving},
    Row{"continue", rewrite_leaving},
    Row{"goto", rewrite_leaving},
    Row{"for", note_inner},
    Row{"while", note_inner},
    Row{"do", note_inner},
    Row{"switch", note_inner},
    Row{"tvars", rewrite_variables},
    Row{"VARS", rewrite_variables},
    Row{"mkevent", rewrite_mkevent},
    Row{"make_event", rewrite_mkevent},
    Row{"@", rewrite_at_sign},
    Row{"TRIGGER", rewrite_trigger},
    Row{"SIGNAL", rewrite_trigger},
    Row{"trigger", note_trigger},
    Row{"event", rewrite_event_type},
    Row{"rendezvous", rewrite_rendezvous},
    Row{"rendezvous_t", rewrite_rendezvous},
    Row{"coordgroup_t", rewrite_rendezvous},
    Row{"tamer", rewrite_namespace},
    Row{"tame", rewrite_namespace},
    Row{"TAMER_MAKE_ANNOTATED_EVENT", rewrite_mkevent},
    Row{"TAMER_MOVE", rewrite_move},
};

// [ that begins a lambda: it does not stand behind a value.
bool begins_lambda(const Source &source, size_t at) {
    const size_t before = source.previous(at);
    if (before == nowhere || source.is(source.next(at), "[") || source.is(before, "["))
        return false;
    if (source.is(before, "return") || source.is(before, "co_return"))
        return true;
    const TokenKind kind = source[before].kind;
    return kind == TokenKind::sign && !source.is(before, ")") && !source.is(before, "]") && !source.is(before, ">");
}

// The { of its body; nowhere: it is no lambda after all.
size_t lambda_body(const Source &source, size_t at, size_t last) {
    for (size_t i = source.next(source.partner(at)); i < last; i = source.next(i)) {
        if (source.is(i, "{"))
            return i;
        if (source.is(i, ";") || source.is(i, ")") || source.is(i, "]") || source.is(i, ",") || source.is(i, "="))
            return nowhere;
        if (source.is(i, "("))
            i = source.partner(i);
    }
    return nowhere;
}

// The { of a class that is defined here.
size_t class_body(const Source &source, size_t at, size_t last) {
    for (size_t i = source.next(at); i < last; i = source.next(i)) {
        if (source.is(i, "{"))
            return i;
        if (!source.is_word(i) && !source.is(i, ":") && !source.is(i, "::") && !source.is(i, ",") &&
            !source.is(i, "<") && !source.is(i, ">"))
            return nowhere;
    }
    return nowhere;
}

// What stands within a function and is another one; nowhere: it is not.
size_t other_body(const Source &source, size_t at, size_t last) {
    if (source.is(at, "["))
        return begins_lambda(source, at) ? lambda_body(source, at, last) : nowhere;
    return source.is(at, "struct") || source.is(at, "class") || source.is(at, "union") ? class_body(source, at, last)
                                                                                       : nowhere;
}

size_t rewrite_other(Work &work, size_t at, size_t open, const Place &place) {
    work.rewrite({at + 1, open}, place);
    Place inner = place;
    inner.is_own = false;
    const size_t close = work.source.partner(open);
    work.rewrite({open + 1, close}, inner);
    return close + 1;
}

size_t rewrite_one(Work &work, size_t at, size_t last, const Place &place) {
    const Source &source = work.source;
    if (source.is_off(at))
        return at + 1;
    const std::string_view text = source.text(at);
    const size_t open = place.function ? other_body(source, at, last) : nowhere;
    if (open != nowhere)
        return rewrite_other(work, at, open, place);
    const bool is_at_sign = text == "@";
    if (!source.is_word(at) && !is_at_sign && text != "(")
        return at + 1;
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row &one) { return one.word == text; });
    if (row != rows.end())
        return row->rewrite(work, at, place);
    const size_t behind = rewrite_event_name(work, at, place);
    return behind == at ? rewrite_call(work, at, place) : behind;
}

}  // namespace

void Work::rewrite(Range range, const Place &place) {
    size_t i = source.skip(range.first);
    while (i < range.last)
        i = source.skip(std::max(rewrite_one(*this, i, range.last, place), i + 1));
}

}  // namespace thalweg::tame
