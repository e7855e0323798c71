// transform: the notes of an evaluation, put together by line of the source, with reasons in words.
#include "transform/specializer/times.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// Lines of one decision that are told: more than a person reads, and a few hundred kilobytes. What is left out is counted.
constexpr size_t most_lines = 4000;
// Reasons of one line; one line of a macro or a template may have hundreds.
constexpr size_t most_reasons = 8;
constexpr uint64_t address_bytes = 8;

// A line of a function's source. Without debug information it is the function alone.
struct Line {
    const DISubprogram *source = nullptr;
    const Function *function = nullptr;  // where there is no source
    unsigned line = 0;
    bool operator==(const Line &) const = default;
};

Line entrance_of(const Function &function) {
    const DISubprogram *source = function.getSubprogram();
    return {source, source ? nullptr : &function, source ? source->getLine() : 0};
}

Line line_of(const Instruction &at) {
    if (const DILocation *place = at.getDebugLoc())
        return {place->getScope()->getSubprogram(), nullptr, place->getLine()};
    if (const DISubprogram *source = at.getFunction()->getSubprogram())
        return {source, nullptr, 0};
    return {nullptr, at.getFunction(), 0};
}

std::string words_of(const Instruction &at) {
    const DILocation *place = at.getDebugLoc();
    const std::string where =
        place ? fmt::format(" ({}:{})", sys::path::filename(place->getFilename()).str(), place->getLine()) : "";
    const auto *call = dyn_cast<CallBase>(&at);
    if (!call)
        return "the write" + where;
    const auto *callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCasts());
    return fmt::format("the call of {}{}", callee ? callee->getName().str() : "something not known", where);
}

// As the source calls it; empty: it has no name there.
std::string source_name(const Value &value) {
    SmallVector<DbgVariableIntrinsic *> users;
    SmallVector<DbgVariableRecord *> records;
    findDbgUsers(users, const_cast<Value *>(&value), &records);
    if (!records.empty())
        return records.front()->getVariable()->getName().str();
    if (!users.empty())
        return users.front()->getVariable()->getName().str();
    return value.getName().str();
}

std::string name_of(const Value &value) {
    if (std::string name = source_name(value); !name.empty())
        return name;
    const auto *instruction = dyn_cast<Instruction>(&value);
    const unsigned line = instruction ? line_of(*instruction).line : 0;
    return line == 0 ? "a value without a name" : fmt::format("a value of line {}", line);
}

// What a fact about a load would call it.
std::string load_words(const Instruction &load) {
    unsigned number = 0;
    for (const Instruction &other : instructions(*load.getFunction())) {
        if (&other == &load)
            break;
        number += isa<LoadInst>(other);
    }
    return fmt::format("load {}#{}", load.getFunction()->getName().str(), number);
}

class Words {
  public:
    Words(const std::map<unsigned, CellPlace> &behind, BindingTimes::ObjectById object, const Lost &lost)
        : behind_(behind), object_(object), lost_(lost) {}

    std::string of(const Reason &reason) const {
        switch (reason.why) {
        case Why::argument:
            return fmt::format("arg{} is not assumed: no fact speaks of it", cast<Argument>(reason.what)->getArgNo());
        case Why::unknown_content:
            return unknown_content(reason);
        case Why::unknown_place:
            return fmt::format("where in {} it reads is known at run time only",
                               object_words(object_(reason.cell.object)));
        case Why::unknown_address:
            return "it reads at an address that is known at run time only";
        case Why::not_to_be_kept:
            return "volatile or atomic: it has to be read each time";
        case Why::call_stays:
            return reason.what ? fmt::format("the call of {} stays: {}", reason.what->getName().str(), reason.obstacle)
                               : fmt::format("a call stays: {}", reason.obstacle);
        case Why::number_of_address:
            return "an address is taken for a number, which is known at run time only";
        case Why::compared_addresses:
            return "addresses are compared whose distance is known at run time only";
        case Why::size_of_stack:
            return "stack space of a size that is known at run time only";
        case Why::joined:
            return fmt::format("{} is not the same on all ways that meet here", name_of(*reason.what));
        case Why::all_meet:
            return "all ways meet here, for there were too many (bound reached)";
        }
        return {};
    }

  private:
    std::string unknown_content(const Reason &reason) const {
        const Object &object = object_(reason.cell.object);
        const std::string path = path_to(object);
        const std::string place =
            path.empty() ? load_words(*reason.at) : fmt::format("{}->{}", path, reason.cell.offset);
        const std::string width = reason.width == address_bytes ? "" : fmt::format(":{}", reason.width);
        const std::string what =
            fmt::format("{}{}{}", place, width, path.empty() ? fmt::format(" ({})", object_words(object)) : "");
        if (reason.what)
            return fmt::format("{} may have been overwritten by {}", what, words_of(*cast<Instruction>(reason.what)));
        if (lost_.cells.contains(reason.cell))
            return fmt::format("{} was known on ways that have met, and not the same", what);
        return fmt::format("no fact about {}", what);
    }

    // "arg0->8", from facts' point of view; empty: it is behind no argument.
    std::string path_to(const Object &object) const {
        std::string steps;
        SmallSet<unsigned, 8> seen;
        for (const Object *at = &object; seen.insert(at->id).second;) {
            if (at->kind == Object::Kind::argument)
                return fmt::format("arg{}{}", cast<Argument>(at->origin)->getArgNo(), steps);
            const auto from = behind_.find(at->id);
            if (at->kind != Object::Kind::loaded || from == behind_.end())
                return {};
            steps = fmt::format("->{}{}", from->second.offset, steps);
            at = &object_(from->second.object);
        }
        return {};
    }

    std::string object_words(const Object &object) const {
        switch (object.kind) {
        case Object::Kind::local:
        case Object::Kind::twin:
            return fmt::format("the local variable {}", source_name(*object.origin));
        case Object::Kind::fresh:
            return "memory that was allocated";
        case Object::Kind::argument:
            return fmt::format("what arg{} points to", cast<Argument>(object.origin)->getArgNo());
        case Object::Kind::global:
            return fmt::format("the variable {}", object.origin->getName().str());
        case Object::Kind::loaded:
            break;
        }
        const std::string path = path_to(object);
        return path.empty() ? "what a pointer leads to" : fmt::format("what {} points to", path);
    }

    const std::map<unsigned, CellPlace> &behind_;
    BindingTimes::ObjectById object_;
    const Lost &lost_;
};

model::FunctionTimes function_of(const Line &line) {
    if (!line.source)
        return {line.function->getName().str(), {}, {}, 0, {}};
    const StringRef linker_name = line.source->getLinkageName();
    return {(linker_name.empty() ? line.source->getName() : linker_name).str(),
            line.source->getFilename().str(),
            line.source->getDirectory().str(),
            line.source->getLine(),
            {}};
}

// Lines in the order in which they were met; sorted at the end, by names.
class Lines {
  public:
    void add(const Line &at, Done done) {
        model::LineTimes &line = find(at);
        switch (done) {
        case Done::evaluated:
            ++line.evaluated;
            break;
        case Done::residual:
            ++line.residual;
            break;
        case Done::tested:
            ++line.tested;
            break;
        case Done::trusted:
            ++line.trusted;
            break;
        }
    }

    void add_reason(const Line &at, std::string words) {
        std::vector<std::string> &reasons = find(at).reasons;
        if (reasons.size() < most_reasons && !is_contained(reasons, words))
            reasons.push_back(std::move(words));
    }

    std::vector<model::FunctionTimes> sorted() {
        std::vector<model::FunctionTimes> functions;
        for (auto &[key, times] : lines_) {
            model::FunctionTimes own = function_of(key);
            const auto same = find_if(functions, [&](const model::FunctionTimes &other) {
                return std::tie(own.file, own.first_line, own.function) ==
                       std::tie(other.file, other.first_line, other.function);
            });
            model::FunctionTimes &function = same != functions.end() ? *same : functions.emplace_back(std::move(own));
            llvm::sort(times.reasons);
            function.lines.push_back(std::move(times));
        }
        for (model::FunctionTimes &function : functions)
            llvm::sort(function.lines, [](const auto &a, const auto &b) { return a.line < b.line; });
        llvm::sort(functions, [](const auto &a, const auto &b) {
            return std::tie(a.file, a.first_line, a.function) < std::tie(b.file, b.first_line, b.function);
        });
        return functions;
    }

  private:
    model::LineTimes &find(const Line &line) {
        const auto known = places_.try_emplace({line.source, line.function, line.line}, lines_.size());
        if (known.second)
            lines_.push_back({line, {line.line, 0, 0, 0, 0, {}}});
        return lines_[known.first->second].second;
    }

    std::vector<std::pair<Line, model::LineTimes>> lines_;
    std::map<std::tuple<const void *, const void *, unsigned>, size_t> places_;  // looked up only
};

void cut(std::vector<model::FunctionTimes> &functions) {
    size_t left = most_lines;
    for (model::FunctionTimes &function : functions) {
        if (function.lines.size() > left)
            function.lines.resize(left);
        left -= function.lines.size();
    }
    std::erase_if(functions, [](const model::FunctionTimes &function) { return function.lines.empty(); });
}

}  // namespace

void BindingTimes::begin_attempt() { *this = {}; }

BindingTimes::Notes &BindingTimes::at_entry(unsigned entry) {
    if (entry >= entries_.size())
        entries_.resize(entry + 1);
    return entries_[entry];
}

void BindingTimes::begin_entry(unsigned entry) { at_entry(entry) = {}; }

const Forgotten *BindingTimes::note_forgotten(CellPlace cell, const Instruction &by, const Forgotten *before) {
    return &forgotten_.emplace_back(Forgotten{cell, &by, before, before ? before->depth + 1 : 0});
}

std::vector<model::FunctionTimes> BindingTimes::tell(const std::set<unsigned> &live, const Function &root,
                                                     ObjectById object, const Lost &lost) const {
    const Words words(behind_, object, lost);
    Lines lines;
    std::set<Reason> told;  // the same one of many unfoldings; looked up only
    const auto place = [&](const Instruction *at) { return at ? line_of(*at) : entrance_of(root); };
    const auto add = [&](const Reason &reason) {
        if (told.insert(reason).second)
            lines.add_reason(place(reason.at), words.of(reason));
    };
    for (const unsigned entry : live) {
        if (entry >= entries_.size())
            continue;
        for (const auto &[at, done] : entries_[entry].done)
            lines.add(place(at), done);
        for (const Reason &reason : entries_[entry].reasons)
            add(reason);
    }
    for (const auto &[entry, reason] : ways_)
        if (live.contains(entry))
            add(reason);
    std::vector<model::FunctionTimes> functions = lines.sorted();
    cut(functions);
    return functions;
}

}  // namespace thalweg::transform::specializer
