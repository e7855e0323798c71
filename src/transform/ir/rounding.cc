// transform: finds what C's <fenv.h>, the processor's control registers and LLVM's intrinsics for both do to floating point.
#include "transform/ir/rounding.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "transform/ir/use.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// C23, 7.6, and GNU's feenableexcept. What only saves, clears or raises is seen by one of these or by nobody.
bool is_of_environment(const knowledge::Function &function) {
    return function.float_environment == knowledge::FloatEnvironment::uses;
}
constexpr Intrinsic::ID intrinsics[] = {Intrinsic::set_rounding,   Intrinsic::set_fpenv,    Intrinsic::reset_fpenv,
                                        Intrinsic::set_fpmode,     Intrinsic::reset_fpmode, Intrinsic::x86_sse_ldmxcsr,
                                        Intrinsic::x86_sse_stmxcsr};
// What loads a control word or all of a unit's state, or stores its flags. The x87 unit computes with 80-bit numbers alone, and all others are SSE's (System V
// ABI for x86-64, 3.2.3).
struct ControlWord {
    StringLiteral instruction;
    bool is_x87;
};
constexpr ControlWord assembler[] = {{"ldmxcsr", false}, {"stmxcsr", false}, {"xrstor", false}, {"fldcw", true},
                                     {"fldenv", true},   {"frstor", true},   {"stsw", true},    {"stenv", true}};

std::string user_in_assembler(StringRef code, bool has_x87) {
    for (const ControlWord &word : assembler)
        if ((has_x87 || !word.is_x87) && code.contains_insensitive(word.instruction))
            return "assembler code with " + word.instruction.str();
    return {};
}

bool is_x87(const Value *value) { return value->getType()->getScalarType()->isX86_FP80Ty(); }

// Assembler code may take any number there, and LLVM moves what has no other effect across a control word's change.
bool is_x87_assembler(const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    return call && call->isInlineAsm() &&
           StringRef(cast<InlineAsm>(call->getCalledOperand())->getConstraintString()).contains("{st");
}

// Whether something may be computed in that unit. A structure with such a number is loaded and stored by its parts.
bool computes_in_x87(const Module &module) {
    if (Triple(module.getTargetTriple()).getArch() != Triple::x86_64)
        return true;
    return any_of(module, [](const Function &function) {
        return any_of(function.args(), [](const Argument &one) { return is_x87(&one); }) ||
               any_of(instructions(function), [](const Instruction &one) {
                   return is_x87(&one) || any_of(one.operand_values(), is_x87) || is_x87_assembler(one);
               });
    });
}

bool is_user(const Function &function) {
    return !function.use_empty() &&
           (function.isIntrinsic() ? is_contained(intrinsics, function.getIntrinsicID())
                                   : is_of_environment(knowledge::function(std::string_view(function.getName()))));
}

bool is_float(const Value *value) { return value->getType()->isFPOrFPVectorTy(); }

constexpr StringLiteral rounding_attribute = "thalweg-rounding";
constexpr const char *of_strict = "it is compiled so that its floating-point operations round as the program says";

// A function of the program's own that is called computes for itself.
bool computes(const Instruction &instruction) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return rounds(instruction) && (!call || (callee && callee->isDeclaration()));
}

bool computes_anywhere(const Module &module) {
    return any_of(module, [](const Function &function) { return any_of(instructions(function), computes); });
}

// For LLVM's passes it may be another function by the time that it is called; no other object has one of that name.
void keep_apart(Function &function) {
    if (function.isDeclaration() || function.isInterposable())
        return;
    if (function.hasAvailableExternallyLinkage()) {
        function.deleteBody();
        function.setComdat(nullptr);
        return;
    }
    if (function.hasLocalLinkage()) {
        function.setName(function.getName() + ".apart");
        function.setLinkage(GlobalValue::WeakAnyLinkage);
        function.setVisibility(GlobalValue::HiddenVisibility);
    }
    function.setLinkage(GlobalValue::WeakAnyLinkage);
}

}  // namespace

std::string user_of_float_environment(const Module &module) {
    if (is_library(module) && computes_anywhere(module))
        return "what a library doesn't know (it may set the rounding mode)";
    for (const Function &function : module)
        if (is_user(function))
            return function.getName().str();
    for (const StringRef name : names_that(is_of_environment))
        if (is_called_elsewhere(module, name))
            return name.str();
    const bool has_x87 = computes_in_x87(module);
    for (const Function &function : module)
        for (const Instruction &one : instructions(function))
            if (const auto *call = dyn_cast<CallBase>(&one); call && call->isInlineAsm())
                if (std::string user =
                        user_in_assembler(cast<InlineAsm>(call->getCalledOperand())->getAsmString(), has_x87);
                    !user.empty())
                    return user;
    return user_in_assembler(module.getModuleInlineAsm(), has_x87);
}

bool rounds(const Instruction &instruction) {
    if (const auto *call = dyn_cast<CallBase>(&instruction))
        return is_float(call) || any_of(call->args(), [](const Use &argument) { return is_float(argument.get()); });
    return isa<BinaryOperator, CastInst, FCmpInst>(instruction) && !isa<BitCastInst>(instruction) &&
           (is_float(&instruction) || any_of(instruction.operand_values(), is_float));
}

void note_rounding(Module &module) {
    const std::string user = user_of_float_environment(module);
    const std::string of_program = "it computes with floating point, and the program uses " + user;
    for (Function &function : module) {
        const bool is_strict = function.hasFnAttribute(Attribute::StrictFP);
        if ((is_strict || !user.empty()) && any_of(instructions(function), computes))
            function.addFnAttr(rounding_attribute, is_strict ? of_strict : of_program);
    }
}

void forget_rounding(Module &module) {
    for (Function &function : module)
        function.removeFnAttr(rounding_attribute);
}

std::string why_rounding_stays(const Function &function) {
    return function.getFnAttribute(rounding_attribute).getValueAsString().str();
}

void keep_apart_what_computes(Module &module) {
    hide_contents(module);
    SmallSetVector<Function *, 32> apart;
    for (Function &function : module)
        if (any_of(instructions(function), computes))
            apart.insert(&function);
    // What these call may give them a number to compute with. A call through a pointer is no other when it has become a direct one.
    const SmallVector<Function *> computing(apart.begin(), apart.end());
    for (Function *function : computing)
        for (Instruction &one : instructions(*function))
            if (auto *call = dyn_cast<CallBase>(&one); call && !isa<IntrinsicInst>(call) && !call->isInlineAsm()) {
                call->setIsNoInline();
                if (auto *callee = dyn_cast<Function>(call->getCalledOperand()->stripPointerCastsAndAliases()))
                    apart.insert(callee);
            }
    for (Function *function : apart)
        keep_apart(*function);
}

void hide_contents(Module &module) {
    SmallVector<GlobalValue *> variables;
    for (GlobalVariable &variable : module.globals()) {
        if (variable.isDeclaration() || variable.getName().starts_with("llvm."))
            continue;
        variable.setExternallyInitialized(true);
        if (variable.hasLocalLinkage())
            variables.push_back(&variable);
    }
    appendToCompilerUsed(module, variables);
}

}  // namespace thalweg::transform
