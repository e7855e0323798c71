// link: tables of options, and how a word is found in one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace thalweg::link {

enum class Use : uint8_t { repeat, leave_out, refuse };

// How an option stands on a command line.
enum class Form : uint8_t {
    alone,            // -pie
    joined,           // -Wall by "-W": whatever begins with the name
    separate,         // -rpath FOLDER: the next word is its value
    joined_or_separate  // -lz, -l z
};

struct WordRule {
    std::string_view name;
    Form form;
    Use use;
};

// The first rule of the table that is meant by `word`; null: none.
const WordRule *rule_for(std::span<const WordRule> table, std::string_view word);
// Whether the word that follows `word`, of which `rule` is, is its value.
bool next_is_value(const WordRule &rule, std::string_view word);

std::span<const WordRule> driver_rules();
// Of long options the names without their hyphens, of which one or two are meant; of those of one letter with the hyphen.
std::span<const WordRule> linker_rules();

}  // namespace thalweg::link
