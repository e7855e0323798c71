// model: a TOML table whose keys are asked for one by one; private to this room.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "base/hash.h"
#include "model/json.h"
#include "model/limits.h"

namespace thalweg::model {

// The first thing that does not fit is kept, with its line.
class Keys {
  public:
    Keys(const toml::table &table, json::Problem &problem) : table_(table), problem_(problem) {}

    void text(std::string_view key, std::string &out, bool needed = false) {
        const toml::node *node = find(key, needed);
        if (node == nullptr)
            return;
        const auto *text = node->as_string();
        if (text == nullptr)
            return complain(*node, key, "is not a string");
        if (text->get().size() > max_string_bytes)
            return complain(*node, key, "is too long");
        out = text->get();
    }

    void flag(std::string_view key, bool &out) {
        const toml::node *node = find(key, false);
        if (node == nullptr)
            return;
        const auto *flag = node->as_boolean();
        if (flag == nullptr)
            return complain(*node, key, "is neither true nor false");
        out = flag->get();
    }

    void hash(std::string_view key, uint64_t &out) {
        std::string as_text = hash_text(out);
        text(key, as_text);
        if (!hash_from_text(as_text, out))
            complain(table_, key, "is not \"0x\" and at most 16 hexadecimal digits");
    }

    template <class Number>
    void number(std::string_view key, Number &out, bool needed = false) {
        const toml::node *node = find(key, needed);
        if (node == nullptr)
            return;
        const auto *number = node->as_integer();
        constexpr uint64_t limit = std::min<uint64_t>(std::numeric_limits<Number>::max(), max_count);
        if (number == nullptr || number->get() < 0 || static_cast<uint64_t>(number->get()) > limit)
            return complain(*node, key, fmt::format("is not a whole number from 0 to {}", limit));
        out = static_cast<Number>(number->get());
    }

    void decimal(std::string_view key, double &out) {
        const toml::node *node = find(key, false);
        if (node == nullptr)
            return;
        if (!node->is_number())
            return complain(*node, key, "is not a number");
        out = *node->value<double>();
    }

    // One of some words: which. `absent` where the key is.
    size_t one_of(std::string_view key, std::span<const char *const> words, bool needed, size_t absent) {
        std::string word = words[absent];
        text(key, word, needed);
        const auto found = std::ranges::find(words, word);
        if (found != words.end())
            return static_cast<size_t>(found - words.begin());
        const std::string all = fmt::format("{}", fmt::join(words.first(words.size() - 1), ", "));
        complain(table_, key, fmt::format("is neither {} nor {}", all, words.back()));
        return absent;
    }

    void place(SourcePlace &out) {
        text("file", out.file);
        number("line", out.line);
        number("column", out.column);
    }

    // A table, where there is one.
    template <class Read>
    void table(std::string_view key, bool needed, Read read) {
        const toml::node *node = find(key, needed);
        if (node == nullptr)
            return;
        if (const toml::table *table = node->as_table(); table != nullptr)
            return read(*table);
        complain(*node, key, "is not { ... }");
    }

    // Each table of a list, in order.
    template <class Each>
    void tables(std::string_view key, size_t limit, Each each) {
        const toml::node *node = find(key, false);
        if (node == nullptr)
            return;
        const toml::array *list = node->as_array();
        if (list == nullptr || list->size() > limit)
            return complain(*node, key, "is not a list");
        for (const toml::node &entry : *list) {
            const toml::table *table = entry.as_table();
            if (table == nullptr)
                return complain(entry, key, "has an entry that is not { ... }");
            each(*table);
        }
    }

    template <class Number>
    void numbers(std::string_view key, size_t limit, std::vector<Number> &out) {
        const toml::node *node = find(key, false);
        if (node == nullptr)
            return;
        const toml::array *list = node->as_array();
        if (list == nullptr || list->size() > limit)
            return complain(*node, key, fmt::format("is not a list of at most {} whole numbers", limit));
        for (const toml::node &entry : *list) {
            const auto *number = entry.as_integer();
            if (number == nullptr || !std::in_range<Number>(number->get()))
                return complain(entry, key,
                                fmt::format("has an entry that is not a whole number from {} to {}",
                                            std::numeric_limits<Number>::min(), std::numeric_limits<Number>::max()));
            out.push_back(static_cast<Number>(number->get()));
        }
    }

    bool is_text(std::string_view key) const {
        const toml::node *node = table_.get(key);
        return node != nullptr && node->is_string();
    }

    const toml::node *find(std::string_view key, bool needed) {
        asked_.push_back(key);
        const toml::node *node = table_.get(key);
        if (node == nullptr && needed)
            complain(table_, key, "is missing");
        return node;
    }

    void finish() {
        for (const auto &[key, node] : table_)
            if (std::find(asked_.begin(), asked_.end(), key.str()) == asked_.end())
                complain(node, key.str(), "is not known here");
    }

    void complain(const toml::node &node, std::string_view key, std::string_view what) {
        problem_.add(fmt::format("line {}: {} {}", node.source().begin.line, key, what));
    }

  private:
    const toml::table &table_;
    json::Problem &problem_;
    std::vector<std::string_view> asked_;
};

}  // namespace thalweg::model
