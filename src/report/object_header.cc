// report: a header in C, which C++ programs can include too.
#include "report/object_header.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "report/facts.h"
#include "report/names.h"

namespace thalweg::report {

namespace {

constexpr size_t line_columns = 100;

// Names are the program's; none of them may end the comment.
class Comment {
  public:
    void line(const std::string &text) {
        std::string safe = harmless(text);
        for (size_t at = safe.find("*/"); at != std::string::npos; at = safe.find("*/"))
            safe.replace(at, 2, "* /");
        text_ += (text_.empty() ? "/* " : " * ") + safe + "\n";
    }
    void list(const std::string &what, const std::vector<std::string> &names) {
        std::string row = "  ";
        line(what);
        for (const std::string &name : names) {
            if (row.size() + name.size() > line_columns) {
                line(row);
                row = "  ";
            }
            row += " " + name;
        }
        line(row);
    }
    std::string text() const { return text_ + " */\n"; }

  private:
    std::string text_;
};

void tell_facts(const model::Decision &decision, Comment &comment) {
    const bool trusted = std::any_of(decision.facts().begin(), decision.facts().end(), is_trusted);
    if (decision.facts().empty())
        return comment.line("It assumes nothing: what the program's own constants decide is decided.");
    comment.line("Its arguments may be any; it is made for calls in which these facts hold:");
    for (const model::Fact &fact : decision.facts())
        comment.line(fmt::format("    {:<40} {}", fact_words(fact),
                                 is_trusted(fact) ? "TRUSTED: not tested" : "tested where it is read"));
    comment.line("Where a tested fact does not hold, the call goes on as the function was written.");
    if (trusted)
        comment.line("Where a TRUSTED fact does not hold, anything may happen.");
}

std::string comment_of(const model::Decision &decision, const model::DecisionOutcome &outcome,
                       const model::ObjectFunction &object, const std::string &program) {
    Comment comment;
    comment.line(fmt::format("{}: {} of {}, made into code for facts by thalweg specialize.", object.symbol,
                             readable(decision.site.function), program));
    tell_facts(decision, comment);
    comment.line(fmt::format("({}.)", with_short_names(outcome.reason)));
    if (!object.externals.empty())
        comment.list("The object is to be linked with what defines:", object.externals);
    if (!object.copies.empty())
        comment.list("Internal to the program, and copied into the object:", object.copies);
    if (!object.by_value.empty())
        comment.list("Before this header, these types must have been declared in full:", object.by_value);
    comment.line(object.from_debug_info
                     ? "The prototype is from the program's debug information."
                     : "The prototype is from the types of the compiled code; -g gives the source's.");
    return comment.text();
}

}  // namespace

std::string object_header(const model::Decision &decision, const model::DecisionOutcome &outcome,
                          const model::ObjectFunction &object, const std::string &program) {
    std::string guard = "THALWEG_" + object.symbol + "_H";
    std::transform(guard.begin(), guard.end(), guard.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    std::string text = comment_of(decision, outcome, object, program);
    text += fmt::format("#ifndef {0}\n#define {0}\n\n#include <stdbool.h>\n#include <stdint.h>\n\n", guard);
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    for (const std::string &tag : object.tags)
        text += tag + ";\n";
    text += fmt::format("{};\n\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n", object.prototype);
    return text;
}

}  // namespace thalweg::report
