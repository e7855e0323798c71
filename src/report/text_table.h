// report: tables and words for a terminal; private to the text reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/profile.h"
#include "report/text.h"

namespace thalweg::report {

std::string grouped(uint64_t number);  // 1,234,567
std::string percent(double share);
// Fit for a terminal whatever its bytes: no control characters, no escape sequences, cut short when very long.
std::string harmless(std::string_view text);
// A linker name as people write it.
std::string readable(const std::string &linker_name);
std::string place_words(const model::Site &site);  // "a.cc:12, send_segment", or the function and which loop of it
const char *word(model::RaiseMode mode);
const char *word(model::SiteKind kind);
std::string function_name(const model::Profile &profile, uint32_t function);

// Columns as wide as their widest cell; the last one as it comes. Cells are made harmless.
class TextTable {
  public:
    // A name that begins with '>' is a column of numbers, set to the right.
    explicit TextTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}
    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    size_t rows() const { return rows_.size(); }
    std::string text(const TextStyle &style) const;

  private:
    std::vector<std::string> columns_;
    std::vector<std::vector<std::string>> rows_;
};

std::string heading(std::string_view text, const TextStyle &style);
std::string marked(std::string_view text, const TextStyle &style);  // to stand out

}  // namespace thalweg::report
