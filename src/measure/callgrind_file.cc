// measure: what valgrind's callgrind writes (its manual, "Callgrind Format Specification"), of which names, costs and calls are read.
#include "measure/callgrind_file.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "measure/call_tree.h"
#include "model/limits.h"

namespace thalweg::measure {

namespace {

using model::none;

std::optional<uint64_t> leading_number(std::string_view &text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc())
        return {};
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return value;
}

std::string_view take_word(std::string_view &text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    text.remove_prefix(word.size());
    return word;
}

// "(12) name" says what 12 stands for, "(12)" stands for it, "name" is itself.
class Names {
  public:
    std::optional<std::string> of(std::string_view text) {
        if (!text.starts_with('('))
            return std::string(text);
        std::string_view rest = text.substr(1);
        const auto number = leading_number(rest);
        if (!number || !rest.starts_with(')'))
            return std::string(text);  // "(below main)"
        rest.remove_prefix(1);
        if (rest.empty()) {
            const auto found = names_.find(*number);
            return found == names_.end() ? std::nullopt : std::optional(found->second);
        }
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        return names_[*number] = std::string(rest);
    }

  private:
    std::unordered_map<uint64_t, std::string> names_;
};

// A function behind a chain of callers, "leaf'middle'main"; a number behind a name is how deep it was in itself.
struct Context {
    std::string object;
    uint64_t self = 0;
    uint64_t calls = 0;
};

class Reader {
  public:
    explicit Reader(model::FunctionProfile &profile) : profile_(profile) {}

    // What is wrong with it, in words; empty: nothing.
    std::string line(std::string_view line) {
        if (line.empty() || line[0] == '#')
            return {};
        if (const char first = line[0]; (first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*')
            return costs(line);
        const size_t equals = line.find('='), colon = line.find(':');
        if (equals != line.npos && equals < colon)
            return assignment(line.substr(0, equals), line.substr(equals + 1));
        if (colon != line.npos)
            return header(line.substr(0, colon), line.substr(colon + 1));
        return "it is neither a name, nor a cost, nor a header";
    }
    Status finish() {
        std::unordered_map<std::string_view, std::string_view>
            objects;  // of callers: of the first function of that name
        for (const auto &[name, context] : contexts_)
            objects.try_emplace(std::string_view(name).substr(0, name.find('\'')), context.object);
        CallTree tree(profile_);
        uint64_t cut = 0, all = 0;
        for (const auto &[name, context] : contexts_) {
            const Chain chain = chain_of(name);
            uint32_t at = none;
            for (size_t i = chain.names.size(); i-- > 0;) {
                const auto found = objects.find(chain.names[i]);
                const std::string_view object = i == 0                   ? context.object
                                                : found == objects.end() ? std::string_view()
                                                                         : found->second;
                at = tree.child(at, tree.function(known(chain.names[i]), object));
            }
            if (profile_.nodes.size() > model::max_call_nodes || profile_.functions.size() > model::max_code_functions)
                return fail(ErrorCode::does_not_fit, "callgrind tells of more than {} contexts or {} functions",
                            model::max_call_nodes, model::max_code_functions);
            tree.node(at).self += context.self;
            tree.node(at).count += context.calls;
            all += context.self;
            cut += chain.callers >= callers_kept ? context.self : 0;
        }
        if (cut != 0)
            profile_.problems.push_back(fmt::format("{:.1f} % of the instructions had {} callers or more: of these the "
                                                    "outermost are not told, and lack them",
                                                    static_cast<double>(cut) * 100 / static_cast<double>(all),
                                                    callers_kept));
        return model::validate(profile_);
    }

  private:
    struct Chain {
        std::vector<std::string_view> names;  // innermost first
        size_t callers = 0;
    };
    static Chain chain_of(std::string_view name) {
        Chain chain;
        while (chain.names.size() < model::max_call_depth) {
            const std::string_view one = name.substr(0, name.find('\''));
            const bool depth = !chain.names.empty() && !one.empty() && one.find_first_not_of("0123456789") == one.npos;
            chain.names.push_back(depth ? chain.names.back() : one);
            chain.callers += depth ? 0 : 1;
            if (one.size() == name.size())
                break;
            name.remove_prefix(one.size() + 1);
        }
        return chain;
    }
    static std::string_view known(std::string_view name) { return name.starts_with("0x") ? unknown_function : name; }

    std::string header(std::string_view key, std::string_view value) {
        if (key == "positions") {
            positions_ = 0;
            while (!take_word(value).empty())
                ++positions_;
        }
        return {};
    }
    std::string assignment(std::string_view key, std::string_view value) {
        if (key == "calls") {
            const auto count = leading_number(value);
            if (!count || *count > model::max_count || called_ == nullptr)
                return "its number of calls, or whom it calls, is not told";
            called_->calls += std::min(*count, model::max_count - called_->calls);
            is_inclusive_ = true;
            return {};
        }
        if (key == "jump" || key == "jcnd")
            return {};
        const bool of_object = key == "ob" || key == "cob", of_function = key == "fn" || key == "cfn";
        if (!of_object && !of_function)
            return {};  // files, and what later versions may add
        auto name = (of_object ? objects_ : functions_).of(value);
        if (!name)
            return fmt::format("its {} stands for no name", value);
        if (of_object && *name == "???")
            name->clear();
        if (key == "ob")
            object_ = *name;
        if (key == "cob")
            called_object_ = *name;
        if (key == "fn") {
            current_ = &context(*name, object_);
            called_object_.reset();
        }
        if (key == "cfn") {
            called_ = &context(*name, called_object_.value_or(object_));
            called_object_.reset();
        }
        return {};
    }
    Context &context(const std::string &name, const std::string &object) {
        const auto [place, is_new] = contexts_.try_emplace(name);
        if (is_new)
            place->second.object = object;
        return place->second;
    }
    std::string costs(std::string_view line) {
        for (size_t i = 0; i < positions_; ++i)
            take_word(line);
        std::string_view word = take_word(line);
        const auto cost = word.empty() ? 0 : leading_number(word);
        if (!cost || *cost > model::max_count)
            return "its cost is no number";
        if (std::exchange(is_inclusive_, false))
            return {};  // of the callee: its own costs are told with it
        if (current_ == nullptr)
            return "its function is not told";
        current_->self += std::min(*cost, model::max_count - current_->self);
        return {};
    }

    model::FunctionProfile &profile_;
    Names objects_, functions_;
    std::string object_;
    std::optional<std::string> called_object_;
    std::map<std::string, Context> contexts_;
    Context *current_ = nullptr, *called_ = nullptr;
    size_t positions_ = 1;
    bool is_inclusive_ = false;
};

}  // namespace

Status read_callgrind(std::string_view text, model::FunctionProfile &profile) {
    profile.tool = "callgrind";
    profile.unit = model::CostUnit::instructions;
    Reader reader(profile);
    for (size_t number = 1; !text.empty(); ++number) {
        const size_t end = text.find('\n');
        if (const std::string problem = reader.line(text.substr(0, end)); !problem.empty())
            return fail(ErrorCode::does_not_fit, "line {} is not as callgrind writes it: {}", number, problem);
        text = end == text.npos ? std::string_view() : text.substr(end + 1);
    }
    return reader.finish();
}

}  // namespace thalweg::measure
