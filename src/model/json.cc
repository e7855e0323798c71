// model: reading and writing our JSON documents.
#include "model/json.h"

#include <algorithm>

#include "base/hash.h"
#include "base/text_shape.h"
#include "model/limits.h"

namespace thalweg::model::json {

namespace {

// A place is told so that a member's name can follow.
std::string without_point(const std::string &where) { return where.substr(0, where.size() - 1); }

}  // namespace

Members::Members(const Value &object, std::string where, Problem &problem)
    : object_(object), where_(std::move(where)), problem_(problem) {
    if (!object_.is_object())
        problem_.add(where_.empty() ? "not an object" : where_ + " is not an object");
}

const Value *Members::find(const char *key, bool needed) {
    asked_.push_back(key);
    if (!object_.is_object())
        return nullptr;
    auto found = object_.find(key);
    if (found != object_.end())
        return &*found;
    if (needed)
        problem_.add(fmt::format("{}{} is missing", where_, key));
    return nullptr;
}

void Members::text(const char *key, std::string &out, bool needed) {
    const Value *value = find(key, needed);
    if (value == nullptr)
        return;
    if (!value->is_string())
        return problem_.add(fmt::format("{}{} is not a string", where_, key));
    const std::string &text = value->get_ref<const std::string &>();
    if (text.size() > max_string_bytes)
        return problem_.add(fmt::format("{}{} has {} bytes, more than {}", where_, key, text.size(), max_string_bytes));
    out = text;
}

void Members::flag(const char *key, bool &out) {
    const Value *value = find(key);
    if (value == nullptr)
        return;
    if (!value->is_boolean())
        return problem_.add(fmt::format("{}{} is neither true nor false", where_, key));
    out = value->get<bool>();
}

void Members::hash(const char *key, uint64_t &out) {
    std::string text = hash_text(out);
    this->text(key, text);
    if (!hash_from_text(text, out))
        problem_.add(fmt::format("{}{} is not \"0x\" and at most 16 hexadecimal digits", where_, key));
}

void Members::read_number(const char *key, uint64_t &out, uint64_t limit, bool needed) {
    const Value *value = find(key, needed);
    if (value == nullptr)
        return;
    if (!value->is_number_unsigned() || value->get<uint64_t>() > limit)
        return problem_.add(fmt::format("{}{} is not a whole number from 0 to {}", where_, key, limit));
    out = value->get<uint64_t>();
}

void Members::signed_number(const char *key, int64_t &out) {
    const Value *value = find(key);
    if (value == nullptr)
        return;
    // A number beyond an int64_t's would come out as another one.
    if (!value->is_number_integer() || (value->is_number_unsigned() && value->get<uint64_t>() > INT64_MAX))
        return problem_.add(fmt::format("{}{} is not a whole number of 64 bits", where_, key));
    out = value->get<int64_t>();
}

void Members::real(const char *key, double &out, bool needed) {
    const Value *value = find(key, needed);
    if (value == nullptr)
        return;
    if (!value->is_number())
        return problem_.add(fmt::format("{}{} is not a number", where_, key));
    out = value->get<double>();
}

size_t Members::word(const char *key, std::span<const char *const> words, size_t absent) {
    std::string text = words[absent];
    this->text(key, text);
    const auto found =
        std::ranges::find(words, std::string_view(text), [](const char *w) { return std::string_view(w); });
    if (found != words.end())
        return static_cast<size_t>(found - words.begin());
    problem_.add(fmt::format("{}{} has the unknown value \"{}\"", where_, key, text));
    return absent;
}

const Value *Members::checked_list(const char *key, size_t limit) {
    const Value *value = find(key);
    if (value == nullptr)
        return nullptr;
    if (!value->is_array()) {
        problem_.add(fmt::format("{}{} is not a list", where_, key));
        return nullptr;
    }
    if (value->size() <= limit)
        return value;
    problem_.add(fmt::format("{}{} has {} entries, more than {}", where_, key, value->size(), limit));
    return nullptr;
}

uint64_t Members::number_at(const Value &value, const std::string &where, uint64_t limit) {
    if (value.is_number_unsigned() && value.get<uint64_t>() <= limit)
        return value.get<uint64_t>();
    problem_.add(fmt::format("{} is not a whole number from 0 to {}", without_point(where), limit));
    return 0;
}

void Members::texts(const char *key, size_t limit, std::vector<std::string> &out) {
    list(key, limit, [&](const Value &value, const std::string &where) {
        if (!value.is_string())
            return problem_.add(without_point(where) + " is not a string");
        out.push_back(value.get<std::string>());
    });
}

void Members::place(const char *key, SourcePlace &out) {
    const Value *value = find(key);
    if (value == nullptr)
        return;
    Members members(*value, where_ + key + ".", problem_);
    members.text("file", out.file);
    members.number("line", out.line);
    members.number("column", out.column);
    members.finish();
}

void Members::finish() {
    if (problem_.any() || !object_.is_object())
        return;
    for (const auto &member : object_.items())
        if (std::find(asked_.begin(), asked_.end(), member.key()) == asked_.end())
            return problem_.add(fmt::format("{}{} is not known here", where_, member.key()));
}

Result<Value> parse(const std::string &text, std::string_view format, uint32_t version, bool may_lack_format) {
    if (std::string problem = wrong_shape(text, {}); !problem.empty())
        return fail(ErrorCode::does_not_fit, "not a {}: {}", format, problem);
    Value value;
    try {
        value = Value::parse(text);
    } catch (const Value::exception &error) {
        return fail(ErrorCode::does_not_fit, "not a {}: {}", format, error.what());
    }
    Problem problem;
    Members members(value, "", problem);
    std::string found_format(may_lack_format ? format : "");
    uint32_t found_version = 0;
    members.text("format", found_format, !may_lack_format);
    members.number("version", found_version, true);
    if (problem.any())
        return does_not_fit(format, problem);
    if (found_format != format)
        return fail(ErrorCode::does_not_fit, "not a {}: it is a \"{}\"", format, found_format);
    if (found_version != version)
        return fail(ErrorCode::does_not_fit,
                    "{} of version {}, this tool reads version {}: make it again with this tool", format, found_version,
                    version);
    value.erase("format");
    value.erase("version");
    return value;
}

Ordered document(std::string_view format, uint32_t version) {
    return Ordered{{"format", format}, {"version", version}};
}

std::string print(const Ordered &document) {
    return document.dump(1, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

Ordered place(const SourcePlace &place) {
    return Ordered{{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

Error does_not_fit(std::string_view format, const Problem &problem) {
    return fail(ErrorCode::does_not_fit, "not a usable {}: {}", format, problem.text());
}

}  // namespace thalweg::model::json
