// report: tables and words for a terminal; private to the text reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "model/profile.h"
#include "report/names.h"
#include "report/text.h"

namespace thalweg::report {

// As `grouped` where the error is 0, so that only what was counted looks like it: else "~1,234 ±56", or "~1,234".
std::string counted(uint64_t number, uint64_t error);
std::string percent(double share);

// Columns as wide as their widest cell, up to a bound at which a cell loses its middle; the last one as it comes. Cells are made harmless.
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
