// tame: one file while it is translated: what is known at a place, what is to stand there, what is refused.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tame/source.h"
#include "tame/translate.h"

namespace thalweg::tame {

// A parameter or a closure variable of a tamed function.
struct Variable {
    std::string name;
    bool lives_here = true;  // in the function's frame: neither a reference nor what a pointer points to
    bool is_pointer = false;  // or an array that a parameter decays from
    bool is_event = false;
    std::optional<size_t> ids;  // a rendezvous: how many its events have
};

struct Function {
    Range body;  // between its braces
    std::vector<Variable> variables;
    bool has_variables = false;  // tvars{} was seen
    bool blocks = false;         // it holds co_await or co_return

    const Variable *find(std::string_view name) const;
};

struct Wait {
    Range body;
    std::string all;  // the gather's name
    struct Inner {
        Range range;
        bool takes_continue;
    };
    std::vector<Inner> inner;  // loops and switches: what break and continue in them leave
};

struct Place {
    Function *function = nullptr;
    Wait *wait = nullptr;
    bool is_own = true;  // false: in a lambda or a class within the function
};

class Work {
  public:
    // In sfslite who waits goes on inside of trigger().
    bool is_prompt() const { return syntax == Syntax::sfslite && !options.goes_on_later; }

    Work(std::string_view text, const Options &options, Syntax syntax, const Names &names);

    Source source;
    const Options &options;
    const Syntax syntax;
    const Names &names;

    // Rewrites all constructs within.
    void rewrite(Range range, const Place &place);

    void put(size_t at, std::string text) { instead_[at] = std::move(text); }
    void put_before(size_t at, const std::string &text) { before_[at] += text; }
    void put_after(size_t at, const std::string &text) { after_[at] += text; }
    void remove(Range range);
    // And the space that follows on its line.
    void remove_with_space(size_t at);
    void refuse(size_t at, std::string reason);
    void note(size_t at, std::string reason) { notes_.push_back({source.line(at), std::move(reason)}); }

    // Names of the library's that the translation speaks of.
    void use(std::string_view name) { used_.insert(std::string(name)); }
    const std::set<std::string, std::less<>> &used() const { return used_; }
    void use_loop() { uses_loop_ = true; }
    bool uses_loop() const { return uses_loop_; }
    void has_using_directive() { has_using_directive_ = true; }
    bool is_using_all() const { return has_using_directive_; }
    // A name that the file does not hold.
    const std::string &gather_name() const { return gather_name_; }

    bool has_changes() const;
    std::string result() const;
    const std::vector<Refusal> &refusals() const { return refusals_; }
    const std::vector<Refusal> &notes() const { return notes_; }

  private:
    std::vector<std::string> before_;
    std::vector<std::string> after_;
    std::map<size_t, std::string> instead_;
    std::vector<Refusal> refusals_;
    std::vector<Refusal> notes_;
    std::set<std::string, std::less<>> used_;
    std::string gather_name_;
    bool uses_loop_ = false;
    bool has_using_directive_ = false;
};

bool is_rendezvous(std::string_view word);
// sfslite's short names of events.
bool is_event_alias(std::string_view word);

// The type and the name of a parameter, or of the first of a declaration's variables.
Variable variable_of(const Work &work, Range declaration);

// A word, with what is written behind it (`->x`, `[i]`, `::y`, `(z)`) and * or & before it: binds more tightly than co_await.
bool is_chain(const Source &source, Range range);

}  // namespace thalweg::tame
