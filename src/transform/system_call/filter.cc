// transform: whether a program may forbid itself system calls while it runs (seccomp).
#include "transform/system_call/filter.h"

#include <array>
#include <cstdint>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

#include "transform/ir/use.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// The instructions that enter the kernel, of the architectures that are served.
constexpr std::array entries = {StringLiteral("syscall"), StringLiteral("sysenter"), StringLiteral("int $0x80"),
                                StringLiteral("int $$0x80"), StringLiteral("svc")};

bool is_call_with(const Use &use, function_ref<bool(uint64_t)> is_harmless) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    const bool is_called = call && &call->getCalledOperandUse() == &use && call->arg_size() > 0;
    const auto *first = is_called ? dyn_cast<ConstantInt>(call->getArgOperand(0)) : nullptr;
    return first && is_harmless(first->getZExtValue());
}

// Whether all that the program does with a function is to call it with a first argument that can't install a filter.
bool has_harmless_uses(const Module &module, StringRef name, function_ref<bool(uint64_t)> is_harmless) {
    if (is_called_elsewhere(module, name))
        return false;
    const GlobalValue *function = module.getNamedValue(name);
    return !function || all_of(function->uses(), [&](const Use &use) { return is_call_with(use, is_harmless); });
}

bool enters_kernel(StringRef assembler) {
    return any_of(entries, [&](StringRef entry) { return assembler.contains_insensitive(entry); });
}

bool is_number_of_filters(uint64_t number) { return number == SYS_prctl || number == SYS_seccomp; }

// The numbers that stand in the text itself ("$$157" where the source has "$157").
SmallVector<uint64_t> numbers_in(StringRef text) {
    SmallVector<uint64_t> numbers;
    for (size_t at = text.find("$$"); at != StringRef::npos; at = text.find("$$", at + 1)) {
        StringRef rest = text.drop_front(at + 2);
        uint64_t number = 0;
        if (!rest.consumeInteger(10, number))
            numbers.push_back(number);
    }
    return numbers;
}

// Where its call's number isn't seen, neither as an operand nor in its text, it may be any call.
bool may_install_filter(const CallBase &call) {
    const auto *code = dyn_cast<InlineAsm>(call.getCalledOperand());
    if (!code || !enters_kernel(code->getAsmString()))
        return false;
    SmallVector<uint64_t> numbers = numbers_in(code->getAsmString());
    for (const Use &argument : call.args())
        if (const auto *number = dyn_cast<ConstantInt>(argument))
            numbers.push_back(number->getZExtValue());
    return numbers.empty() || any_of(numbers, is_number_of_filters);
}

bool enters_kernel_for_filters(const Function &function) {
    return any_of(instructions(function), [](const Instruction &one) {
        const auto *call = dyn_cast<CallBase>(&one);
        return call && may_install_filter(*call);
    });
}

}  // namespace

bool calls_by_number(const knowledge::Function &function) { return function.filter == knowledge::Filter::by_number; }

std::string filter_maker_in(const Module &module) {
    using knowledge::Filter;
    const auto installs = [](const knowledge::Function &one) { return one.filter == Filter::installs; };
    if (std::string used = used_that(module, installs); !used.empty())
        return used;
    for (const StringRef name : names_that([](auto &one) { return one.filter == Filter::by_option; }))
        if (!has_harmless_uses(module, name, [](uint64_t option) { return option != PR_SET_SECCOMP; }))
            return name.str();
    for (const StringRef name : names_that(calls_by_number))
        if (!has_harmless_uses(module, name, [](uint64_t number) { return !is_number_of_filters(number); }))
            return name.str();
    if (enters_kernel(module.getModuleInlineAsm()) || any_of(module, enters_kernel_for_filters))
        return "assembler that enters the kernel";
    return {};
}

}  // namespace thalweg::transform
