// plan: what a user declares, in the words of the command line: facts "arg0->8 = &operations", independent calls "0x20000199:1:1,2".
#pragma once

#include <string>

#include "base/result.h"
#include "model/fact.h"
#include "model/plan.h"

namespace thalweg::plan {

// "argN = VALUE", "argN->OFFSET->OFFSET:WIDTH = VALUE | VALUE", "load F#N:WIDTH = VALUE". A value is a number (0x for hexadecimal, a minus
// sign) or &SYMBOL or &SYMBOL+OFFSET; the width is in bytes, of a value behind a pointer: 8 where it is not given. Facts about arguments are
// about those of `function`. Error: which part is not understood, and what it should be.
Result<model::Fact> declared_fact(const std::string &text, const std::string &function);

// "PROGRAM:VERSION:PROCEDURE,PROCEDURE...": calls of these remote procedures are independent of each other. Error: as above.
Result<model::IndependentCalls> declared_independent(const std::string &text);

}  // namespace thalweg::plan
