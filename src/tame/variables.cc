// tame: tvars{}: variables of the closure become the function's own.
#include "tame/constructs.h"

namespace thalweg::tame {

namespace {

// Where one variable's initialiser begins; the end: it has none.
size_t initialiser_of(const Source &source, Range part) {
    for (size_t i = source.skip(part.first); i < part.last; i = source.next(i)) {
        if (source.is(i, "(") || source.is(i, "=") || source.is(i, "{") || source.is(i, "["))
            return i;
        if (source.is(i, "<")) {
            const size_t behind = source.behind_angle(i, part.last);
            i = behind == nowhere ? i : behind - 1;
        }
    }
    return part.last;
}

// rendezvous<bool> r(__FILE__, __LINE__): where it stands is known without. tamer's takes rvolatile, which its type says here.
void remove_rendezvous_arguments(Work &work, size_t start) {
    const Source &source = work.source;
    if (!source.is(start, "("))
        return;
    const Range arguments = source.trimmed({start + 1, source.partner(start)});
    const bool is_volatile = source.is(arguments.last - 1, "rvolatile");
    if (!is_volatile && !source.is(arguments.first, "__FILE__") && !arguments.is_empty())
        work.refuse(start, "a rendezvous with these arguments");
    work.remove({source.previous(start) + 1, source.partner(start) + 1});
}

// thing(), a::b(c): a declaration may say it of types. Not with a . or a number in it.
bool may_be_types(const Source &source, Range inner) {
    if (!source.is(inner.last - 1, ")"))
        return false;
    for (size_t i = inner.first; i < inner.last; i = source.next(i))
        if (!source.is_word(i) && !source.is(i, "::") && !source.is(i, "(") && !source.is(i, ")") &&
            !source.is(i, "<") && !source.is(i, ">") && !source.is(i, ","))
            return false;
    return true;
}

// `int i()` and `thing t(other())` would declare functions.
void rewrite_initialiser(Work &work, size_t start, const Place &place) {
    const Source &source = work.source;
    if (!source.is(start, "("))
        return;
    const size_t close = source.partner(start);
    const Range inner = source.trimmed({start + 1, close});
    if (inner.is_empty()) {
        const size_t before = source.previous(start);
        work.remove({before + 1, close + 1});
        work.put_after(before, "{}");
    } else if (may_be_types(source, inner)) {
        work.put_after(start, "(");
        work.put_before(close, ")");
    }
    work.rewrite({start + 1, close}, place);
}

void rewrite_declaration(Work &work, Range statement, const Place &place) {
    const Source &source = work.source;
    statement = source.trimmed(statement);
    if (statement.is_empty())
        return;
    const std::vector<Range> parts = source.parts(statement);
    const Variable first = variable_of(work, parts[0]);
    for (const Range part : parts) {
        Variable variable = variable_of(work, part);
        variable.ids = first.ids;
        variable.is_event = first.is_event;
        variable.is_pointer = variable.is_pointer && source.text(source.trimmed(part)).find('[') == std::string::npos;
        place.function->variables.push_back(variable);
        const Range all = source.trimmed(part);
        const size_t start = initialiser_of(source, all);
        work.rewrite({all.first, start}, place);
        if (first.ids && variable.lives_here && !variable.is_pointer)
            remove_rendezvous_arguments(work, start);
        else
            rewrite_initialiser(work, start, place);
    }
    for (size_t i = statement.first; i < statement.last; i = source.next(i)) {
        if (source.is(i, "holdvar"))
            work.put(i, "[[maybe_unused]]");
        if (source.is(i, "destroy_guard"))
            work.refuse(i, "tamer's destroy_guard, which ends a function with an object: no counterpart");
    }
}

// tvars { and } go; where they have lines of their own, these go, and what is between is indented as they were.
void remove_frame(Work &work, size_t at, size_t open, size_t close) {
    const Source &source = work.source;
    size_t behind = open + 1;
    while (behind < close && source[behind].kind == TokenKind::space)
        ++behind;
    work.remove({at, behind});
    const size_t start = source.line_start(at), end = source.line_start(close);
    if (source.skip(end) != close || source[behind].kind != TokenKind::newline || source.skip(start) != at) {
        for (size_t i = close; i-- > open && source[i].kind == TokenKind::space;)
            work.put(i, "");
        work.put(close, "");
        return;
    }
    const std::string_view outer = source.indent(at), inner = source.indent(source.skip(behind));
    work.remove({start, behind + 1});
    for (size_t i = behind + 1; i < end; ++i) {
        const bool is_deeper = source[i].kind == TokenKind::space && source.line_start(i) == i &&
                               inner.starts_with(outer) && source[i].text.starts_with(inner);
        if (is_deeper)
            work.put(i, std::string(outer) + std::string(source[i].text.substr(inner.size())));
    }
    size_t last = close + 1;
    while (last < source.size() && (source[last].kind == TokenKind::space || source.is(last, ";")))
        ++last;
    const bool is_alone = last < source.size() && source[last].kind == TokenKind::newline;
    work.remove({end, is_alone ? last + 1 : close + 1});
}

// The old translators put the way to each wait behind tvars{}: what stands before it runs again whenever the function goes on.
void refuse_before(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    for (size_t i = source.skip(place.function->body.first); i < at; i = source.next(i))
        if (source.is(i, "(") || source.is(i, ".") || source.is(i, "->") || source.is(i, "{")) {
            work.refuse(i, "this stands before tvars{}, so in Tame it ran again each time the function went on: put it "
                           "behind tvars{}");
            return;
        }
}

}  // namespace

size_t rewrite_variables(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t open = source.next(at);
    if (!source.is(open, "{") || !place.function)
        return at + 1;
    const size_t close = source.partner(open);
    if (!place.is_own || source.enclosing(at) + 1 != place.function->body.first) {
        work.refuse(at, "tvars{} within a block: its variables are made once for the function, and not each time that "
                        "the block is entered");
        return close + 1;
    }
    if (place.function->has_variables || place.function->blocks) {
        work.refuse(at, place.function->has_variables ? "a second tvars{} in one function" : "tvars{} behind a wait");
        return close + 1;
    }
    place.function->has_variables = true;
    refuse_before(work, at, place);
    for (const Range statement : source.parts({open + 1, close}, ';'))
        rewrite_declaration(work, statement, place);
    remove_frame(work, at, open, close);
    if (source.is(source.next(close), ";") && source.next(close) == close + 1)
        work.put(close + 1, "");
    return close + 1;
}

}  // namespace thalweg::tame
