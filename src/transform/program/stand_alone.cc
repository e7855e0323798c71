// transform: what becomes of each symbol of the program in an object of one function: referred to, copied, or a reason to refuse.
#include "transform/program/stand_alone.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/StripSymbols.h"

#include "transform/ir/prototype.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// An external function or variable is the program's own. Inline functions of C++ and their like may be in many objects; the linker keeps
// one of them.
bool is_external(const GlobalValue &value) {
    return !value.hasLocalLinkage() && !value.hasLinkOnceODRLinkage() && !value.hasWeakODRLinkage();
}

void refer_to(Function &function) {
    function.deleteBody();
    function.setComdat(nullptr);
    function.setLinkage(GlobalValue::ExternalLinkage);
}

void refer_to(GlobalVariable &variable) {
    variable.setInitializer(nullptr);
    variable.clearMetadata();
    variable.setComdat(nullptr);
    variable.setLinkage(GlobalValue::ExternalLinkage);
}

GlobalValue *declaration_like(GlobalAlias &alias, Module &module) {
    if (auto *type = dyn_cast<FunctionType>(alias.getValueType()))
        return Function::Create(type, GlobalValue::ExternalLinkage, alias.getAddressSpace(), "", &module);
    return new GlobalVariable(module, alias.getValueType(), false, GlobalValue::ExternalLinkage, nullptr, "", nullptr,
                              alias.getThreadLocalMode(), alias.getAddressSpace());
}

void resolve(GlobalAlias &alias, Module &module) {
    Constant *instead = alias.getAliasee();
    if (is_external(alias)) {
        GlobalValue *declaration = declaration_like(alias, module);
        declaration->takeName(&alias);
        declaration->setVisibility(alias.getVisibility());
        instead = declaration;
    }
    alias.replaceAllUsesWith(instead);
    alias.eraseFromParent();
}

// Lists for the whole program (constructors, what the linker is to keep) and assembler belong to the program's own objects.
void drop_lists(Module &module) {
    for (GlobalVariable &variable : make_early_inc_range(module.globals()))
        if (variable.hasAppendingLinkage())
            variable.eraseFromParent();
    module.setModuleInlineAsm("");
}

std::string place_of(const GlobalObject &object) {
    const DINode *node = nullptr;
    SmallVector<DIGlobalVariableExpression *> expressions;
    if (const auto *variable = dyn_cast<GlobalVariable>(&object))
        variable->getDebugInfo(expressions);
    if (!expressions.empty())
        node = expressions.front()->getVariable();
    else if (const auto *function = dyn_cast<Function>(&object))
        node = function->getSubprogram();
    if (const auto *variable = dyn_cast_or_null<DIGlobalVariable>(node))
        return fmt::format(" ({}:{})", variable->getFilename().str(), variable->getLine());
    if (const auto *function = dyn_cast_or_null<DISubprogram>(node))
        return fmt::format(" ({}:{})", function->getFilename().str(), function->getLine());
    return {};
}

// Whether anybody but a call or a load can get at the address of a copy, and so might compare it with that of the program's own.
class Copies {
  public:
    bool leaves(const Value &address) {
        return any_of(address.uses(), [&](const Use &use) { return leaves_by(use); });
    }

  private:
    bool leaves_by(const Use &use) {
        const User *user = use.getUser();
        if (isa<BlockAddress>(user))
            return false;
        if (const auto *variable = dyn_cast<GlobalVariable>(user))
            return gives_away(*variable);
        if (const auto *instruction = dyn_cast<Instruction>(user))
            return leaves_by(use, *instruction);
        return leaves(*user);  // a constant that is made of it
    }

    bool leaves_by(const Use &use, const Instruction &instruction) {
        if (isa<LoadInst>(instruction))
            return false;
        if (isa<GEPOperator, CastInst>(instruction))
            return leaves(instruction);
        if (const auto *compare = dyn_cast<ICmpInst>(&instruction))
            return !isa<ConstantPointerNull>(compare->getOperand(1 - use.getOperandNo()));
        const auto *call = dyn_cast<CallBase>(&instruction);
        if (!call)
            return true;
        return !call->isCallee(&use) && !(call->isArgOperand(&use) && call->doesNotCapture(use.getOperandNo()) &&
                                          call->onlyReadsMemory(use.getOperandNo()));
    }

    // Whether what is loaded from `table`, which holds the address, is more than called.
    bool gives_away(const GlobalVariable &table) {
        if (!table.hasLocalLinkage() || !table.isConstant())
            return true;
        if (!looked_at_.insert(&table).second)
            return false;
        return any_of(table.users(), [&](const User *user) { return gives_away(*user); });
    }

    bool gives_away(const User &reader) {
        if (const auto *load = dyn_cast<LoadInst>(&reader))
            return !load->getType()->isPointerTy() || PointerMayBeCaptured(load, true, true);
        if (isa<GEPOperator>(reader))
            return any_of(reader.users(), [&](const User *user) { return gives_away(*user); });
        return true;
    }

    SmallPtrSet<const GlobalVariable *, 8> looked_at_;
};

// Why `object`, internal to the program and needed here, can't be copied; empty: it can.
std::string obstacle_to_copy(const GlobalObject &object) {
    const std::string what = fmt::format("it needs {}{}, which is static", object.getName().str(), place_of(object));
    constexpr const char *remedy =
        "take its `static` away, so that the object can use the program's own, and build again";
    const auto *variable = dyn_cast<GlobalVariable>(&object);
    if (variable && !variable->isConstant())
        return fmt::format("{} and may change: a copy in the object would not be the program's; {}", what, remedy);
    if (!object.hasAtLeastLocalUnnamedAddr() && Copies().leaves(object))
        return fmt::format("{}, and its address: a copy in the object would have another one; {}", what, remedy);
    return {};
}

// The functions and the named constants; of constants without a name (texts) nobody would learn anything.
void list(const Module &module, const Function &own, model::ObjectFunction &object) {
    for (const GlobalObject &symbol : module.global_objects()) {
        const auto *function = dyn_cast<Function>(&symbol);
        if (&symbol == &own || (function && function->isIntrinsic()))
            continue;
        if (symbol.isDeclaration())
            object.externals.push_back(symbol.getName().str());
        else if (symbol.hasLocalLinkage() && !symbol.hasPrivateLinkage())
            object.copies.push_back(symbol.getName().str());
    }
    llvm::sort(object.externals);
    llvm::sort(object.copies);
}

}  // namespace

StandAlone keep_alone(Function &residual, Function &root, const std::string &symbol, Module &module,
                      ModuleAnalysisManager &analyses) {
    StandAlone result;
    if (root.hasLocalLinkage()) {
        result.problem =
            fmt::format("{}{} is static: its compiler has fitted it to the calls in its own file; take its "
                        "`static` away, and build again",
                        root.getName().str(), place_of(root));
        return result;
    }
    if (module.getNamedValue(symbol)) {
        result.problem = fmt::format("the program has a symbol {} already; choose another with --name", symbol);
        return result;
    }
    const Prototype prototype = prototype_of(root, symbol);
    result.problem = prototype.problem;
    result.object = {symbol, prototype.text, prototype.from_debug_info, prototype.tags, prototype.by_value, {}, {}};
    DISubprogram *subprogram = is_external(root) ? root.getSubprogram() : nullptr;
    for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
        resolve(alias, module);
    drop_lists(module);
    residual.setName(symbol);
    residual.setLinkage(GlobalValue::ExternalLinkage);
    for (Function &function : module)
        if (&function != &residual && !function.isDeclaration() && is_external(function))
            refer_to(function);
    for (GlobalVariable &variable : module.globals())
        if (variable.hasInitializer() && is_external(variable))
            refer_to(variable);
    // It may stand in another component than the program's symbols, so that they are reached by way of the linker's tables.
    for (GlobalObject &object : module.global_objects())
        if (object.hasDefaultVisibility() && !object.hasLocalLinkage())
            object.setDSOLocal(false);
    residual.setSubprogram(subprogram);
    GlobalDCEPass().run(module, analyses);
    StripDeadDebugInfoPass().run(module, analyses);
    for (const GlobalObject &object : module.global_objects())
        if (result.problem.empty() && object.hasLocalLinkage() && !object.isDeclaration())
            result.problem = obstacle_to_copy(object);
    list(module, residual, result.object);
    return result;
}

}  // namespace thalweg::transform
