// link: whether all that was linked together was made for one version of the ABI (THALWEG_ABI_VERSION).
#pragma once

#include <string>

#include "base/result.h"

namespace thalweg::link {

// Of a program or a library; an error names both versions. What is no file of ours, or says nothing, is let pass.
Status check_abi(const std::string &linked);

}  // namespace thalweg::link
