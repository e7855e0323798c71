// report: a machine's crossing costs as text and JSON.
#pragma once

#include <string>

#include "model/machine.h"
#include "report/text.h"

namespace thalweg::report {

// `agreement`: with an older measurement, or null.
std::string text_machine(const model::Machine &machine, const model::MachineAgreement *agreement,
                         const TextStyle &style);
std::string json_machine(const model::Machine &machine, const model::MachineAgreement *agreement);

}  // namespace thalweg::report
