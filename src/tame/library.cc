// tame: the old libraries' own events, loops, headers and names, and what stands for them.
#include <algorithm>
#include <array>

#include "tame/constructs.h"

namespace thalweg::tame {

namespace {

constexpr unsigned in_paper = 1, in_sfslite = 2, in_tamer = 4;

unsigned bit_of(Syntax syntax) { return 1u << static_cast<unsigned>(syntax); }

// A call of the old library's. `head` and `tail` go around its first argument, `name` in place of its own.
struct Call {
    std::string_view name;
    unsigned in;
    size_t arguments;
    std::string_view with;
    std::string_view head;
    std::string_view tail;
};
constexpr std::array calls = {
    Call{"timer", in_paper, 2, "timer", "in_seconds(", ")"},
    Call{"delaycb", in_sfslite, 2, "timer", "in_seconds(", ")"},
    Call{"at_delay", in_tamer, 2, "turn_timer", "in_seconds(", ")"},
    Call{"at_delay_sec", in_tamer, 2, "turn_timer", "in_seconds(", ")"},
    Call{"at_delay_msec", in_tamer, 2, "turn_timer", "std::chrono::milliseconds(", ")"},
    Call{"at_delay_usec", in_tamer, 2, "turn_timer", "std::chrono::microseconds(", ")"},
    Call{"at_asap", in_tamer, 1, "timer", "in_seconds(0), ", ""},
    Call{"waitread", in_sfslite, 2, "wait_on_fd", "", ", interest::readable"},
    Call{"waitwrite", in_sfslite, 2, "wait_on_fd", "", ", interest::writable"},
    Call{"at_fd_read", in_tamer, 2, "wait_on_fd", "", ", interest::readable"},
    Call{"at_fd_write", in_tamer, 2, "wait_on_fd", "", ", interest::writable"},
    Call{"wait_on_signal", in_paper, 2, "wait_on_signal", "", ""},
    Call{"at_signal", in_tamer, 2, "wait_on_signal", "", ""},
    Call{"sigcb1", in_sfslite, 2, "wait_on_signal", "", ""},
    Call{"with_timeout", in_tamer, 2, "with_timeout", "in_seconds(", ")"},
    Call{"with_timeout_sec", in_tamer, 2, "with_timeout", "in_seconds(", ")"},
    Call{"with_timeout_msec", in_tamer, 2, "with_timeout", "std::chrono::milliseconds(", ")"},
};

// A call whose meaning can't be kept.
struct Other {
    std::string_view name;
    unsigned in;
    std::string_view reason;
};
constexpr std::array others = {
    Other{"fdcb", in_sfslite,
          "fdcb() goes on calling until it is told not to, and an event occurs once: waitread() or waitwrite() before "
          "each use"},
    Other{
        "sigcb", in_sfslite,
        "sigcb() goes on calling until it is told not to, and an event occurs once: wait_on_signal() before each use"},
    Other{"timecb_remove", in_sfslite, "a timer ends here when the rendezvous of its event is cancelled"},
    Other{"add_timeout", in_tamer,
          "it gives -ETIMEDOUT in the event's own value; add_timeout() of this library tells by another value"},
    Other{"tfork", in_paper | in_sfslite, "threads: what it is called with differs here"},
};

// A statement: the loop of the whole program.
struct Loop {
    std::string_view name;
    unsigned in;
    std::string_view call;  // none: there is nothing to be done for it
};
constexpr std::array loops = {
    Loop{"amain", in_sfslite, "thalweg::Loop::here().run"},
    Loop{"loop", in_tamer, "run_while_pending"},
    Loop{"once", in_tamer, "thalweg::Loop::here().run_once"},
    Loop{"initialize", in_tamer, ""},
    Loop{"cleanup", in_tamer, ""},
};

// The paper leaves open how reading and writing are told apart; these are libasync's words, and plain ones.
struct Direction {
    std::string_view word;
    std::string_view interest;
};
constexpr std::array directions = {
    Direction{"selread", "interest::readable"}, Direction{"selwrite", "interest::writable"},
    Direction{"read", "interest::readable"},    Direction{"write", "interest::writable"},
    Direction{"READ", "interest::readable"},    Direction{"WRITE", "interest::writable"}};

// Of namespace tamer: what is named the same here, or is rewritten.
constexpr std::array<std::string_view, 21> known_names = {"with_timeout",
                                                          "with_timeout_sec",
                                                          "with_timeout_msec",
                                                          "at_fd_read",
                                                          "at_fd_write",
                                                          "at_signal",
                                                          "event",
                                                          "rendezvous",
                                                          "make_event",
                                                          "mkevent",
                                                          "at_delay",
                                                          "at_delay_sec",
                                                          "at_delay_msec",
                                                          "at_delay_usec",
                                                          "at_asap",
                                                          "rvolatile",
                                                          "loop",
                                                          "once",
                                                          "initialize",
                                                          "cleanup",
                                                          "rnormal"};

// Of tamer's too, and of the same name here.
constexpr std::array<std::string_view, 4> same_names = {"bind", "unbind", "map", "distribute"};

bool is_call(const Source &source, size_t at) {
    const size_t before = source.previous(at);
    const bool is_member = before != nowhere && (source.is(before, ".") || source.is(before, "->"));
    const bool is_declared = before != nowhere && source.is_word(before) && !source.is(before, "return") &&
                             !source.is(before, "else") && !source.is(before, "do");
    return source.is(source.next(at), "(") && !is_member && !is_declared;
}

// wait_on_fd(fd, rw, e)
size_t rewrite_descriptor(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const size_t open = source.next(at), close = source.partner(open);
    const std::vector<Range> parts = source.parts({open + 1, close});
    const size_t word = parts.size() == 3 ? source.skip(parts[1].first) : nowhere;
    const auto found = std::find_if(directions.begin(), directions.end(),
                                    [&](const Direction &one) { return source.is(word, one.word); });
    work.use("wait_on_fd");
    work.use("interest");
    if (found == directions.end())
        work.refuse(at, "wait_on_fd() without one of the words read, write, selread, selwrite");
    else
        work.put(word, std::string(found->interest));
    work.rewrite({open + 1, close}, place);
    return close + 1;
}

// Not a function of the program's that has the name of one of tamer's.
bool may_be_library_s(const Work &work, size_t at) {
    const size_t colons = work.source.previous(at);
    return work.syntax != Syntax::tamer || work.is_using_all() || (colons != nowhere && work.source.is(colons, "::"));
}

// Whether it is one whose meaning can't be kept.
bool refuse_call(Work &work, size_t at) {
    const auto found = std::find_if(others.begin(), others.end(), [&](const Other &one) {
        return (one.in & bit_of(work.syntax)) != 0 && work.source.is(at, one.name);
    });
    if (found == others.end() || !may_be_library_s(work, at) || !is_call(work.source, at))
        return false;
    work.refuse(at, fmt::format("{}(): {}", found->name, found->reason));
    return true;
}

bool rewrite_loop(Work &work, size_t at) {
    const Source &source = work.source;
    const auto found = std::find_if(loops.begin(), loops.end(), [&](const Loop &one) {
        return (one.in & bit_of(work.syntax)) != 0 && source.is(at, one.name);
    });
    const size_t colons = source.previous(at);
    const bool is_named = work.syntax != Syntax::tamer || work.is_using_all() ||
                          (colons != nowhere && source.is(colons, "::") && source.is(source.previous(colons), "tamer"));
    if (found == loops.end() || !is_call(source, at) || !is_named)
        return false;
    if (found->call.starts_with("thalweg::Loop"))
        work.use_loop();
    else if (!found->call.empty())
        work.use(found->call);
    if (!found->call.empty()) {
        work.put(at, std::string(found->call));
        return true;
    }
    const size_t close = source.partner(source.next(at));
    const size_t end = source.next(close);
    work.put(at, "(void)0");
    work.remove({at + 1, close + 1});
    if (!source.is(end, ";"))
        return true;
    const size_t start = source.line_start(at);
    const size_t first = source.skip(start);
    const bool is_alone = (first == at || (source.is(first, "tamer") && source.next(source.next(first)) == at)) &&
                          end + 1 < source.size() && source[end + 1].kind == TokenKind::newline;
    if (is_alone)
        work.remove({start, end + 2});
    return true;
}

// delaycb(seconds, nanoseconds, e)
void rewrite_long_delay(Work &work, const std::vector<Range> &parts) {
    const Source &source = work.source;
    if (source.text(source.trimmed(parts[0])) == "0") {
        work.remove({parts[0].first, source.skip(parts[1].first)});
    } else {
        work.use("in_seconds");
        work.put_before(source.skip(parts[0].first), "in_seconds(");
        work.put(parts[0].last, ") +");
    }
    work.put_before(work.source.skip(parts[1].first), "std::chrono::nanoseconds(");
    work.put_before(parts[1].last, ")");
}

}  // namespace

size_t rewrite_call(Work &work, size_t at, const Place &place) {
    const Source &source = work.source;
    const auto found = std::find_if(calls.begin(), calls.end(), [&](const Call &one) {
        return (one.in & bit_of(work.syntax)) != 0 && source.is(at, one.name);
    });
    if (refuse_call(work, at) || rewrite_loop(work, at))
        return at + 1;
    if (work.syntax == Syntax::paper && source.is(at, "wait_on_fd") && is_call(source, at))
        return rewrite_descriptor(work, at, place);
    if (found == calls.end() || !is_call(source, at))
        return at + 1;
    const size_t open = source.next(at), close = source.partner(open);
    const std::vector<Range> parts = source.parts({open + 1, close});
    const size_t before = source.previous(at);
    const bool is_long = source.is(at, "delaycb") && parts.size() == 3;
    if (before != nowhere && source.is(before, "=") && source.is(at, "delaycb"))
        work.refuse(at, "what delaycb gives is kept, to take the timer back: here its rendezvous is cancelled instead");
    if (parts.size() != found->arguments && !is_long) {
        if (work.syntax == Syntax::tamer && may_be_library_s(work, at))
            work.refuse(at, fmt::format("{}() with {} arguments: here there is one with {} only", found->name,
                                        parts.size(), found->arguments));
        return at + 1;
    }
    work.use(found->with);
    for (const std::string_view name : {"in_seconds", "interest"})
        if (!is_long &&
            (found->head.find(name) != std::string_view::npos || found->tail.find(name) != std::string_view::npos))
            work.use(name);
    work.put(at, std::string(found->with));
    if (is_long) {
        rewrite_long_delay(work, parts);
    } else {
        work.put_before(source.skip(parts[0].first), std::string(found->head));
        work.put_before(source.trimmed(parts[0]).last, std::string(found->tail));
    }
    work.rewrite({open + 1, close}, place);
    return close + 1;
}

namespace {

// sfslite's tame::waitread() and the like.
size_t rewrite_own_namespace(Work &work, size_t at, size_t colons) {
    const Source &source = work.source;
    const size_t name = source.next(colons);
    const bool is_known = std::any_of(calls.begin(), calls.end(), [&](const Call &one) {
        return (one.in & in_sfslite) != 0 && source.is(name, one.name);
    });
    if (!source.is(colons, "::") || !is_known)
        return at + 1;
    work.remove({at, name});
    return name;
}

size_t rewrite_tamer(Work &work, size_t at, size_t colons) {
    const Source &source = work.source;
    const size_t name = source.next(colons), before = source.previous(at);
    const auto is_it = [&](std::string_view one) { return source.is(name, one); };
    if (std::any_of(same_names.begin(), same_names.end(), is_it)) {
        work.put(at, "thalweg::tame");
        return name;
    }
    if (std::none_of(known_names.begin(), known_names.end(), is_it))
        work.refuse(at, fmt::format("tamer::{}, of tamer's library: no counterpart", source.text(name)));
    if (before == nowhere || !source.is(before, "using")) {
        work.remove({at, name});
        return name;
    }
    const size_t end = source.next(name);
    work.remove({before, std::min(end + 1, source.size())});  // the names that are used are declared anyway
    return end + 1;
}

}  // namespace

size_t rewrite_namespace(Work &work, size_t at, const Place &) {
    const Source &source = work.source;
    const size_t colons = source.next(at), before = source.previous(at);
    const bool is_sfslite = work.syntax == Syntax::sfslite && source.is(at, "tame");
    if (is_sfslite)
        return rewrite_own_namespace(work, at, colons);
    if (work.syntax != Syntax::tamer || !source.is(at, "tamer"))
        return at + 1;
    if (before != nowhere && source.is(before, "namespace") && source.is(source.previous(before), "using")) {
        work.put(at, "thalweg::tame");
        work.has_using_directive();
        return at + 1;
    }
    if (before != nowhere && source.is(before, "namespace"))
        work.refuse(at, "namespace tamer is tamer's own");
    return source.is(colons, "::") ? rewrite_tamer(work, at, colons) : at + 1;
}

size_t rewrite_move(Work &work, size_t at, const Place &) {
    if (work.syntax == Syntax::tamer)
        work.put(at, "std::move");
    return at + 1;
}

}  // namespace thalweg::tame
