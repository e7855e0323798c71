// driver: the costs that a plan is made with.
#include "driver/plan_costs.h"

#include <filesystem>

#include "base/file.h"
#include "base/say.h"
#include "driver/stored_machine.h"
#include "measure/machine.h"
#include "plan/machine_costs.h"

namespace thalweg::driver {

namespace {

Result<model::Machine> machine_in(const std::string &path, bool of_this_processor) {
    const Result<std::string> text = read_file(path);
    if (!text)
        return text.error();
    const Result<model::Machine> machine = model::read_machine(*text);
    if (!machine)
        return fail(machine.error().code, "{}: {}", path, machine.error().message);
    if (const std::string here = measure::this_machine().cpu; of_this_processor && machine->cpu != here)
        return fail(ErrorCode::does_not_fit, "{} was measured on {}, this is {}: run `thalweg machine` again", path,
                    machine->cpu, here);
    return machine;
}

Result<PlanCosts> costs_in(const std::string &path, bool of_this_processor) {
    const Result<model::Machine> machine = machine_in(path, of_this_processor);
    if (!machine)
        return machine.error();
    const Result<plan::CostTable> table = plan::costs_on(*machine);
    if (!table)
        return fail(table.error().code, "{}: {}", path, table.error().message);
    return PlanCosts{*table, plan::words_of(*table, *machine)};
}

// Empty: nothing is stored.
std::string stored_path() {
    const std::string stored = stored_machine_path();
    std::error_code error;
    return !stored.empty() && std::filesystem::exists(stored, error) ? stored : std::string();
}

}  // namespace

Result<PlanCosts> plan_costs(const std::string &asked) {
    if (asked == built_in_costs)
        return PlanCosts{};
    if (!asked.empty())
        return costs_in(asked, false);
    const std::string stored = stored_path();
    if (stored.empty())
        return PlanCosts{};
    Result<PlanCosts> costs = costs_in(stored, true);
    if (costs)
        return costs;
    note(costs.error().message + "; the built-in costs are used");
    return PlanCosts{};
}

plan::CallCosts call_costs() {
    const std::string stored = stored_path();
    if (stored.empty())
        return {};
    const Result<model::Machine> machine = machine_in(stored, true);
    if (machine)
        return plan::call_costs_on(*machine);
    note(machine.error().message + "; the built-in costs are used");
    return {};
}

}  // namespace thalweg::driver
