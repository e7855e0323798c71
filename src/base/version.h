// base: which version of Thalweg this is.
#pragma once

namespace thalweg {

inline constexpr const char *tool_version = "0.1.0";

}  // namespace thalweg
