// report: in which functions a run spent its time, as text; its JSON is the model's own.
#pragma once

#include <string>

#include "model/functions.h"
#include "model/graphs.h"
#include "report/text.h"

namespace thalweg::report {

// Flat profile, call graph, and what the functions are to the program's events and crossings.
std::string text_functions(const model::FunctionProfile &run, const model::CallGraph &graph, const TextStyle &style);

// "net::send"; of a place without a name, the object that it is in.
std::string function_words(const model::CodeFunction &function);

}  // namespace thalweg::report
