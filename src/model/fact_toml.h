// model: a fact as one line of TOML, in a plan and in a file of declared facts (docs/formats/plan.md).
#pragma once

#include <string>

#include <toml++/toml.h>

#include "model/fact.h"
#include "model/json.h"

namespace thalweg::model {

std::string toml_string(std::string_view text);

Fact read_fact(const toml::table &table, json::Problem &problem);
std::string write_fact(const Fact &fact);  // { ... } without a comma

// What contradicts itself in it, in words. Empty: nothing.
std::string wrong_fact(const Fact &fact);

}  // namespace thalweg::model
