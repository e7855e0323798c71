// tame: tamed functions: their heads, their ends, and what they return.
#include <array>

#include "tame/constructs.h"

namespace thalweg::tame {

namespace {

struct Head {
    size_t name = nowhere;        // its first token, with A:: before it
    size_t parameters = nowhere;  // the (
    size_t end = nowhere;         // { or ;
    std::vector<size_t> type;     // words of the return type
};

// Back from the > at `at` to its <.
size_t before_angle(const Source &source, size_t at) {
    size_t depth = 0;
    for (size_t i = at; i != nowhere; i = source.previous(i)) {
        if (source.is(i, ">"))
            ++depth;
        if (source.is(i, "<") && --depth == 0)
            return i;
        if (source.is(i, ";") || source.is(i, "{") || source.is(i, "}"))
            return nowhere;
    }
    return nowhere;
}

// A::B<T>::f: from f back to A.
size_t first_of_name(const Source &source, size_t at) {
    for (;;) {
        const size_t colons = source.previous(at);
        if (colons == nowhere || !source.is(colons, "::"))
            return at;
        size_t before = source.previous(colons);
        if (before != nowhere && source.is(before, ">")) {
            const size_t open = before_angle(source, before);
            before = open == nowhere ? nowhere : source.previous(open);
        }
        if (before == nowhere || !source.is_word(before))
            return colons;
        at = before;
    }
}

bool is_specifier(std::string_view word) {
    static constexpr std::array<std::string_view, 5> specifiers = {"static", "inline", "virtual", "extern", "friend"};
    for (const std::string_view one : specifiers)
        if (word == one)
            return true;
    return false;
}

// The ( of the parameters: the first that stands in no template's head.
size_t parameters_from(const Source &source, size_t first) {
    for (size_t i = source.skip(first); i < source.size(); i = source.next(i)) {
        if (source.is(i, "("))
            return i;
        if (source.is(i, ";") || source.is(i, "{") || source.is(i, "}"))
            return nowhere;
        if (source.is(i, "<")) {
            const size_t behind = source.behind_angle(i, source.size());
            if (behind == nowhere)
                return nowhere;
            i = behind - 1;
        }
    }
    return nowhere;
}

void find_type(const Source &source, size_t first, Head &head) {
    for (size_t i = source.skip(first); i < head.name; i = source.next(i)) {
        if (source.is(i, "template") && source.is(source.next(i), "<")) {
            i = source.behind_angle(source.next(i), head.name) - 1;
            continue;
        }
        if (source.is(i, "[")) {
            i = source.partner(i);
            continue;
        }
        if (!is_specifier(source.text(i)))
            head.type.push_back(i);
    }
}

// From behind `tamed` on.
Head head_from(const Source &source, size_t first) {
    Head head;
    head.parameters = parameters_from(source, first);
    const size_t name = head.parameters == nowhere ? nowhere : source.previous(head.parameters);
    if (name == nowhere || name < first || !source.is_word(name))
        return head;
    head.name = std::max(first_of_name(source, name), first);
    for (size_t i = source.next(source.partner(head.parameters)); i < source.size(); i = source.next(i)) {
        if (source.is(i, "{") || source.is(i, ";")) {
            head.end = i;
            break;
        }
        if (source.is(i, "("))
            i = source.partner(i);
    }
    find_type(source, first, head);
    return head;
}

bool is_closure(const Source &source, Range part) {
    const Range range = source.trimmed(part);
    return source.is(range.first, "CLOSURE") ||
           (source.is(range.first, "ptr") && source.is(source.next(source.next(range.first)), "closure_t"));
}

// The last parameter, when it is the closure that the old translator adds.
void remove_closure(Work &work, size_t open) {
    const Source &source = work.source;
    const std::vector<Range> parts = source.parts({open + 1, source.partner(open)});
    if (parts.empty() || !is_closure(source, parts.back()))
        return;
    Range range = parts.back();
    if (parts.size() > 1)
        --range.first;  // the comma
    work.remove(range);
}

void note_parameters(Work &work, size_t open, Function &function) {
    const Source &source = work.source;
    for (const Range part : source.parts({open + 1, source.partner(open)})) {
        const Range range = source.trimmed(part);
        if (source.is(range.first, "."))
            work.refuse(range.first, "a tamed function with a variable number of arguments: a coroutine keeps only "
                                     "parameters that have names");
        if (!is_closure(source, part))
            function.variables.push_back(variable_of(work, part));
    }
}

// What is not a wait comes to its end at once; C++ calls a function a coroutine only if it says so.
void add_end(Work &work, size_t close) {
    const Source &source = work.source;
    const size_t start = source.line_start(close);
    if (source.skip(start) == close)
        work.put_before(start, std::string(source.indent(close)) + "    co_return;\n");
    else
        work.put_before(close, "co_return; ");
}

size_t rewrite_body(Work &work, const Head &head) {
    Function function;
    const size_t close = work.source.partner(head.end);
    function.body = {head.end + 1, close};
    note_parameters(work, head.parameters, function);
    Place place;
    place.function = &function;
    work.rewrite(function.body, place);
    if (!function.blocks)
        add_end(work, close);
    return close + 1;
}

// `tamed` goes where the return type stands; in the paper it is the return type.
bool rewrite_type(Work &work, size_t at, const Head &head) {
    const Source &source = work.source;
    work.use("tamed");
    if (head.type.empty()) {
        work.put(at, "tamed<>");
        return true;
    }
    if (head.type.size() != 1 || !source.is(head.type.front(), "void")) {
        const Range type{head.type.front(), head.type.back() + 1};
        work.refuse(at, fmt::format("a tamed function that returns '{}': it returns before it has finished, and a "
                                    "coroutine's result is there when it has; give the value to an event",
                                    source.text(type)));
        return false;
    }
    work.remove_with_space(at);
    work.put(head.type.front(), "tamed<>");
    return true;
}

// TAME (head) { body }
void remove_parentheses(Work &work, size_t open) {
    work.put(open, "");
    work.put(work.source.partner(open), "");
}

}  // namespace

size_t rewrite_tamed(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t next = source.next(at);
    if (place.function && place.is_own && source.is(next, "{"))
        return rewrite_variables(work, at, place);
    const bool is_old = source.is(at, "TAME");
    if ((is_old && !source.is(next, "(")) || source.is(next, "<") || source.is(next, ";") || source.is(next, "="))
        return at + 1;
    if (place.function) {
        work.refuse(at, "a tamed function within a function");
        return at + 1;
    }
    const Head head = head_from(source, is_old ? next + 1 : next);
    if (head.name == nowhere || head.end == nowhere) {
        work.refuse(at, "no function is declared behind 'tamed': a name, its parameters, and a body or ;");
        return at + 1;
    }
    if (!rewrite_type(work, at, head))
        return source.is(head.end, "{") ? source.partner(head.end) + 1 : head.end;
    if (is_old)
        remove_parentheses(work, next);
    remove_closure(work, head.parameters);
    work.rewrite({source.next(at), head.name}, {});
    work.rewrite({head.parameters + 1, source.partner(head.parameters)}, {});
    return source.is(head.end, "{") ? rewrite_body(work, head) : head.end;
}

size_t rewrite_closure(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t open = source.enclosing(at);
    if (place.function || open == nowhere || !source.is(open, "("))
        return at + 1;
    const size_t name = source.previous(open);
    const size_t first = name == nowhere ? nowhere : first_of_name(source, name);
    const size_t type = first == nowhere ? nowhere : source.previous(first);
    if (type == nowhere || (!source.is(type, "void") && !source.is(type, "tamed"))) {
        // A tamed function's own head is done with.
        if (type == nowhere || !source.is(type, "TAMED"))
            work.refuse(at, "CLOSURE where no function is declared that returns void");
        return at + 1;
    }
    if (source.is(source.next(source.partner(open)), "{")) {
        work.refuse(at, "a function that takes CLOSURE and is not tamed: it would have to return tamed<>");
        return at + 1;
    }
    remove_closure(work, open);
    if (source.is(type, "void")) {
        work.use("tamed");
        work.put(type, "tamed<>");
    }
    return at + 1;
}

size_t rewrite_return(Work &work, size_t at, const Place &place) {
    if (!place.function || !place.is_own)
        return at + 1;
    if (place.wait) {
        work.refuse(at, "return inside twait{}: the function would end while the events of the block are to come");
        return at + 1;
    }
    work.put(at, "co_return");
    place.function->blocks = true;
    return at + 1;
}

size_t rewrite_default_return(Work &work, size_t at, const Place &place) {
    if (place.function)
        work.refuse(at, "DEFAULT_RETURN: a value that is returned when the function blocks; a coroutine's result is "
                        "there when it has finished. Give the value to an event");
    return at + 1;
}

// In Tame it reaches whoever called the function, or the loop; here nobody waits for the function, and the program would end.
size_t rewrite_throw(Work &work, size_t at, const Place &place) {
    if (!place.function || !place.is_own)
        return at + 1;
    const Source &source = work.source;
    for (size_t open = source.enclosing(at); open + 1 > place.function->body.first; open = source.enclosing(open)) {
        const size_t before = source.previous(open);
        if (before != nowhere && source.is(before, "try"))
            return at + 1;
    }
    work.refuse(at,
                "an exception that leaves a tamed function: nobody waits for the function who could catch it. Catch "
                "it in the function, and give an event the outcome");
    return at + 1;
}

size_t rewrite_ancient(Work &work, size_t at, const Place &place) {
    const size_t next = work.source.next(at);
    if (place.function && work.syntax == Syntax::sfslite && (work.source.is(next, "(") || work.source.is(next, "{")))
        work.refuse(at, fmt::format("{}, of the first versions of Tame: no counterpart", work.source.text(at)));
    return at + 1;
}

}  // namespace thalweg::tame
