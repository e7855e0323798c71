// cli: `thalweg specialize`, a function and its layers made into code for facts that the user knows.
#include <algorithm>
#include <cctype>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "base/file.h"
#include "base/utf8.h"
#include "cli/optimized.h"
#include "cli/verb.h"
#include "cli/verbs.h"
#include "driver/optimizing.h"
#include "plan/declared.h"
#include "report/object_header.h"

namespace thalweg::cli {

using namespace driver;

namespace {

struct SpecializeOptions {
    OptimizeRequest request;
    std::string function;
    std::vector<std::string> facts;
    std::string object;  // instead of a program
    std::string name;  // of the function in it
    bool trusted = false;
    bool json = false;
};

void declare_specialize(CLI::App &app, SpecializeOptions &options) {
    app.add_option("program", options.request.program,
                   "the program that thalweg-cc linked, or its bundle; it stays as it is")
        ->required();
    app.add_option("--function", options.function, "the function that becomes code for the facts; its linker name")
        ->required();
    app.add_option("--fact", options.facts,
                   "\"arg0 = 5\", \"arg0->8 = &operations\", \"arg0->0->56:4 = 1 | 2\", \"load F#3 = 7\", \"result "
                   "main#2:4 = 1\"; may be repeated");
    app.add_flag("--trusted", options.trusted, "facts with one value are not tested: your word instead of a guard");
    declare_objects(app, options.request.objects);
    auto *program =
        app.add_option("-o,--output", options.request.output, "the specialised program (else PROGRAM.spec)");
    auto *object =
        app.add_option("--object", options.object,
                       "instead of a program: an object file of the specialised function alone, FILE.o, and a\n"
                       "header FILE.h that declares it, for those who call it by hand");
    object->excludes(program);
    app.add_option("--name", options.name, "the function's name in the object (else FUNCTION__specialized)")
        ->needs(object);
    app.add_option("--save-plan", options.request.plan_path, "where the plan is kept (else OUTPUT.plan)");
    app.add_option("--outcome", options.request.outcome_path,
                   "where it is kept what became of each line, for `thalweg explain` and `thalweg report` (else\n"
                   "OUTPUT.outcome)");
    app.add_flag("--json", options.json, "what became of the decision, as JSON");
    app.footer(
        "Each fact is tested where the program reads it; where it does not hold, the function goes on as it was\n"
        "written. No fact at all is well: then the program's own constants decide. Exit: 4 when it could not be done.");
}

Result<model::Plan> plan_of_facts(const SpecializeOptions &options) {
    model::Decision decision;
    decision.id = 1;
    auto &facts = decision.work.emplace<model::Specialize>().facts;
    decision.site.function = options.function;
    decision.provenance = model::Provenance::declared;
    decision.reason = "declared by the user";
    decision.guard =
        options.trusted ? "none for facts with one value: the user's word" : "each fact is tested where it is read";
    for (const std::string &text : options.facts) {
        auto fact = plan::declared_fact(text, options.function);
        if (!fact)
            return fact.error();
        fact->trusted = options.trusted;
        facts.push_back(std::move(*fact));
    }
    model::Plan plan;
    plan.program = options.request.program;
    plan.decisions.push_back(std::move(decision));
    return plan;
}

// A plan and its outcome beside what is made, and that.
Result<Optimized> specialize(SpecializeOptions &options) {
    OptimizeRequest &request = options.request;
    if (!options.object.empty())
        request.output = options.object;
    else if (request.output.empty())
        request.output = request.program + ".spec";
    if (request.plan_path.empty())
        request.plan_path = request.output + ".plan";
    if (request.outcome_path.empty())
        request.outcome_path = request.output + ".outcome";
    request.consent.trusted = options.trusted;
    const auto plan = plan_of_facts(options);
    if (!plan)
        return plan.error();
    if (const Status valid = model::validate(*plan); !valid)
        return valid.error();
    if (const Status written = write_file(request.plan_path, model::write_plan(*plan)); !written)
        return written.error();
    return options.object.empty() ? optimize_program(request) : make_object(request, options.name);
}

bool is_c_name(const std::string &name) {
    const bool plain =
        std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    return plain && !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
}

Status choose_names(SpecializeOptions &options) {
    if (options.object.empty())
        return Done{};
    if (!options.object.ends_with(".o"))
        return fail(ErrorCode::usage, "--object takes the name of an object file: {}.o?", options.object);
    if (options.name.empty()) {
        options.name = options.function + "__specialized";
        std::replace_if(
            options.name.begin(), options.name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    }
    if (!is_c_name(options.name))
        return fail(ErrorCode::usage, "'{}' is no name for a function in C", options.name);
    return Done{};
}

std::string header_path(const SpecializeOptions &options) {
    return options.object.substr(0, options.object.size() - 1) + "h";
}

// The header; an object without it is not left behind.
Status write_header(const SpecializeOptions &options, const Optimized &made) {
    const std::string text = report::object_header(made.plan.decisions.front(), made.outcome.decisions.front(),
                                                   *made.outcome.object, options.request.program);
    Status written = write_file(header_path(options), text, Readers::others);
    if (!written)
        std::remove(options.object.c_str());
    return written;
}

int tell_nothing_applied(const SpecializeOptions &options) {
    if (options.object.empty())
        std::remove(options.request.output.c_str());
    note(options.object.empty()
             ? fmt::format("NOTHING WAS APPLIED: {} would be no faster than the original, and was not made",
                           options.request.output)
             : fmt::format("NOTHING WAS MADE: there is no {}", options.object));
    next_command(fmt::format("thalweg explain {} 1 --outcome {}", shell_word(options.request.plan_path),
                             shell_word(options.request.outcome_path)));
    return static_cast<int>(ErrorCode::does_not_fit);
}

}  // namespace

int run_specialize(const Words &words) {
    CLI::App app("make a function and its layers into code for facts", "thalweg specialize");
    SpecializeOptions options;
    declare_specialize(app, options);
    if (const Parsed parsed(app, words); parsed.finished())
        return parsed.code();
    if (const Status named = choose_names(options); !named)
        return report_error("specialize", named.error());
    for (const std::string &path : {options.object, options.request.output, options.request.plan_path})
        if (const Status status = check_folder(path); !status)
            return report_error("specialize", status.error());
    const auto optimized = specialize(options);
    if (!optimized)
        return report_error("specialize", optimized.error());
    if (optimized->outcome.object)
        if (const Status written = write_header(options, *optimized); !written)
            return report_error("specialize", written.error());
    if (options.json)
        print_optimized_json(*optimized, options.request);
    else
        print_optimized(*optimized, true);
    std::fputs(without_controls(optimized->diagnostics).c_str(), stderr);
    if (optimized->applied() == 0)
        return tell_nothing_applied(options);
    if (optimized->outcome.object) {
        note(fmt::format("{} and {} are written: {}", options.object, header_path(options),
                         optimized->outcome.object->prototype));
        next_command(fmt::format("cc ... {} ...", shell_word(options.object)));
        return 0;
    }
    next_command(fmt::format("thalweg compare {} {} -- ...", shell_word(options.request.program),
                             shell_word(options.request.output)));
    return 0;
}

}  // namespace thalweg::cli
