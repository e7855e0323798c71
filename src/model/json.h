// model: reading and writing our JSON documents; private to this room.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/result.h"
#include "model/site.h"

namespace thalweg::model::json {

using Value = nlohmann::json;            // for reading: members found in logarithmic time, whatever the bytes
using Ordered = nlohmann::ordered_json;  // for writing: members in the order in which we name them

// The first thing in a document that does not fit, with its place in it ("sites[3].ordinal is not a number").
class Problem {
  public:
    void add(std::string text) {
        if (text_.empty())
            text_ = std::move(text);
    }
    bool any() const { return !text_.empty(); }
    const std::string &text() const { return text_; }

  private:
    std::string text_;
};

// An object whose members are asked for one by one. A member that is absent leaves the variable as it is, unless it is
// `needed`; finish() refuses members that nobody asked for.
class Members {
  public:
    Members(const Value &object, std::string where, Problem &problem);
    void text(const char *key, std::string &out, bool needed = false);
    void flag(const char *key, bool &out);
    void hash(const char *key,
              uint64_t &out);  // "0x" and hexadecimal digits: JSON's own numbers lose bits in many readers
    template <class Number>
    void number(const char *key, Number &out, bool needed = false) {
        static_assert(std::is_unsigned_v<Number>);
        uint64_t value = out;
        read_number(key, value, std::numeric_limits<Number>::max(), needed);
        out = static_cast<Number>(value);
    }
    void signed_number(const char *key, int64_t &out);
    void real(const char *key, double &out, bool needed);
    // Which of the words stands there; `absent` where none does.
    size_t word(const char *key, std::span<const char *const> words, size_t absent);
    const Value *find(const char *key, bool needed = false);
    // Calls each(entry, its place) for the entries of a list.
    template <class Each>
    void list(const char *key, size_t limit, Each each) {
        const Value *value = checked_list(key, limit);
        for (size_t i = 0; value != nullptr && i < value->size() && !problem_.any(); ++i)
            each((*value)[i], where_ + key + "[" + std::to_string(i) + "].");
    }
    template <class Number>
    void each_number(const char *key, size_t limit, std::vector<Number> &out) {
        list(key, limit, [&](const Value &value, const std::string &where) {
            out.push_back(static_cast<Number>(number_at(value, where, std::numeric_limits<Number>::max())));
        });
    }
    template <size_t count>
    void each_number(const char *key, std::array<uint64_t, count> &out) {
        size_t at = 0;
        list(key, count, [&](const Value &value, const std::string &where) {
            out[at++] = number_at(value, where, std::numeric_limits<uint64_t>::max());
        });
    }
    void texts(const char *key, size_t limit, std::vector<std::string> &out);
    void place(const char *key, SourcePlace &out);
    void finish();

  private:
    void read_number(const char *key, uint64_t &out, uint64_t limit, bool needed);
    uint64_t number_at(const Value &value, const std::string &where, uint64_t limit);
    const Value *checked_list(const char *key, size_t limit);
    const Value &object_;
    std::string where_;
    Problem &problem_;
    std::vector<std::string_view> asked_;
};

// The document's tree, after its size, nesting and item count, its "format" and "version" were found right. `may_lack_format`: there are
// older files without that word.
Result<Value> parse(const std::string &text, std::string_view format, uint32_t version, bool may_lack_format = false);
Ordered document(std::string_view format, uint32_t version);
std::string print(const Ordered &document);
Ordered place(const SourcePlace &place);
Error does_not_fit(std::string_view format, const Problem &problem);

}  // namespace thalweg::model::json
