// model: a fact as one line of TOML: read, written, and what makes it valid (docs/formats/plan.md).
#include "model/fact_toml.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "model/limits.h"
#include "model/toml_keys.h"

namespace thalweg::model {

namespace {

// A pointer's, in bytes: the layout of the programs that the plug-in sees.
constexpr uint32_t pointer_width = 8;

// What TOML's signed numbers can't hold stands there as a text, as hashes do.
std::string bits_words(uint64_t bits) {
    return bits <= max_count ? fmt::format("{}", bits) : fmt::format("\"{}\"", hash_text(bits));
}

FactValue read_value(const toml::table &table, json::Problem &problem) {
    FactValue value;
    Keys keys(table, problem);
    keys.text("symbol", value.symbol);
    const toml::node *bits = keys.find("bits", false);
    if (bits != nullptr && bits->is_string())
        keys.hash("bits", value.bits);
    else
        keys.number("bits", value.bits);
    keys.finish();
    return value;
}

std::string write_value(const FactValue &value) {
    if (value.symbol.empty())
        return fmt::format("{{ bits = {} }}", bits_words(value.bits));
    return fmt::format("{{ symbol = {}, bits = {} }}", toml_string(value.symbol), bits_words(value.bits));
}

FactCall read_call(const toml::table &table, json::Problem &problem) {
    FactCall call;
    Keys keys(table, problem);
    keys.text("caller", call.caller, true);
    keys.number("ordinal", call.ordinal);
    keys.hash("body_hash", call.body_hash);
    keys.place(call.place);
    keys.finish();
    return call;
}

std::string write_call(const FactCall &call) {
    return fmt::format(
        "call = {{ caller = {}, ordinal = {}, body_hash = \"{}\", file = {}, line = {}, column = {} }}, ",
        toml_string(call.caller), call.ordinal, hash_text(call.body_hash), toml_string(call.place.file),
        call.place.line, call.place.column);
}

constexpr std::string_view word(FactKind kind) {
    return kind == FactKind::argument ? "argument" : kind == FactKind::load ? "load" : "memory";
}

std::string wrong_value(const Fact &fact, const FactValue &value) {
    if (!value.symbol.empty())
        return fact.width == pointer_width ? "" : "the address of a symbol has 8 bytes";
    if (fact.width < pointer_width && value.bits >> (8 * fact.width) != 0)
        return fmt::format("{} does not fit into {} bytes", value.bits, fact.width);
    return "";
}

}  // namespace

std::string toml_string(std::string_view text) {
    std::string out = "\"";
    for (char c : valid_utf8(text)) {
        auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += '\\';
        if (byte < 0x20 || byte == 0x7f)
            out += fmt::format("\\u{:04X}", byte);
        else
            out += c;
    }
    return out + '"';
}

Fact read_fact(const toml::table &table, json::Problem &problem) {
    Fact fact;
    Keys keys(table, problem);
    fact.kind = static_cast<FactKind>(keys.one_of("kind", {"argument", "load", "memory"}, true));
    keys.text("function", fact.function, true);
    keys.number("ordinal", fact.ordinal);
    keys.table("call", [&](const toml::table &call) { fact.call = read_call(call, problem); });
    keys.numbers("path", max_fact_path, fact.path);
    keys.number("width", fact.width, true);
    keys.hash("body_hash", fact.body_hash);
    keys.tables("values", max_fact_values,
                [&](const toml::table &value) { fact.values.push_back(read_value(value, problem)); });
    keys.flag("trusted", fact.trusted);
    keys.place(fact.place);
    keys.finish();
    return fact;
}

std::string write_fact(const Fact &fact) {
    std::string out =
        fmt::format("{{ kind = \"{}\", function = {}, ordinal = {}, width = {}, body_hash = \"{}\", ", word(fact.kind),
                    toml_string(fact.function), fact.ordinal, fact.width, hash_text(fact.body_hash));
    if (fact.call)
        out += write_call(*fact.call);
    if (!fact.path.empty())
        out += fmt::format("path = [{}], ", fmt::join(fact.path, ", "));
    out += "values = [";
    for (const FactValue &value : fact.values)
        out += (&value == &fact.values.front() ? "" : ", ") + write_value(value);
    return out + fmt::format("], trusted = {}, file = {}, line = {}, column = {} }}", fact.trusted,
                             toml_string(fact.place.file), fact.place.line, fact.place.column);
}

std::string wrong_fact(const Fact &fact) {
    if (fact.function.empty())
        return "it names no function";
    if (fact.call && (fact.kind != FactKind::load || fact.call->caller.empty()))
        return "a call is for kind load, and names its caller";
    if (fact.width < 1 || fact.width > pointer_width)
        return fmt::format("its width is {} bytes, not 1 to 8", fact.width);
    if (fact.values.empty() || fact.values.size() > max_fact_values)
        return fmt::format("it has {} values, not 1 to {}", fact.values.size(), max_fact_values);
    if (fact.path.empty() == (fact.kind == FactKind::memory) || fact.path.size() > max_fact_path)
        return fmt::format("a path of 1 to {} steps is for kind memory, and only for it", max_fact_path);
    for (const FactValue &value : fact.values)
        if (std::string problem = wrong_value(fact, value); !problem.empty())
            return problem;
    return "";
}

}  // namespace thalweg::model
