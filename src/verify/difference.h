// verify: the first difference between two files.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "model/verdict.h"

namespace thalweg::verify {

// Nothing: they are equal. A file that does not exist differs from one that does. Fills offset, line, expected, found.
Result<std::optional<model::Difference>> first_difference(const std::string &expected_path,
                                                          const std::string &found_path);

}  // namespace thalweg::verify
