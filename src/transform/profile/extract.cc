// transform: a function and what it calls, in a module of their own.
#include "transform/profile/extract.h"

#include <utility>
#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// What LLVM would look for in the new module, and there is none.
constexpr StringLiteral debug_flag = "Debug Info Version";
// LLVM makes one call of calloc of malloc and memset. What a call executes is not seen here, so work that moves into it would look like work saved.
constexpr StringLiteral without_calloc = "no-builtin-calloc";

bool holds_block(const Constant &constant, SmallPtrSetImpl<const Constant *> &seen) {
    if (isa<BlockAddress>(constant))
        return true;
    return any_of(constant.operands(), [&](const Use &use) {
        const auto *part = dyn_cast<Constant>(use);
        return part && !isa<GlobalValue>(part) && seen.insert(part).second && holds_block(*part, seen);
    });
}

// Declares what the copies use when they first name it.
class Extraction : public ValueMaterializer {
  public:
    explicit Extraction(const Module &from) : made_(std::make_unique<Module>("thalweg.extract", from.getContext())) {
        made_->setTargetTriple(from.getTargetTriple());
        made_->setDataLayout(from.getDataLayout());
        SmallVector<Module::ModuleFlagEntry> flags;
        from.getModuleFlagsMetadata(flags);
        for (const Module::ModuleFlagEntry &flag : flags)
            if (flag.Key->getString() != debug_flag)
                made_->addModuleFlag(flag.Behavior, flag.Key->getString(), flag.Val);
    }

    void declare(Function &function, bool is_first) {
        Function *declared = copy_of(function);
        // What is called through pointers may be called by nobody who is here.
        const bool stays = is_first || function.hasAddressTaken();
        declared->setLinkage(stays ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
        declared->setVisibility(GlobalValue::DefaultVisibility);
        map_[&function] = declared;
    }

    // Its debug information would bring all that it knows of the program along: what is copied is a copy without.
    void define(Function &function) {
        ValueToValueMapTy arguments;
        Function *bare = CloneFunction(&function, arguments);
        stripDebugInfo(*bare);
        auto *declared = cast<Function>(map_[&function]);
        for (auto [from, to] : zip(bare->args(), declared->args()))
            map_[&from] = &to;
        SmallVector<ReturnInst *, 8> returns;
        CloneFunctionInto(declared, bare, map_, CloneFunctionChangeType::DifferentModule, returns, "", nullptr, nullptr,
                          this);
        declared->addFnAttr(without_calloc);
        // That is copied as well, from a function that others may see.
        declared->setDSOLocal(declared->isDSOLocal() || declared->hasLocalLinkage());
        bare->eraseFromParent();
    }

    std::unique_ptr<Module> take() {
        for (size_t i = 0; i < constants_.size(); ++i) {
            const auto [from, to] = constants_[i];
            to->setInitializer(MapValue(from->getInitializer(), map_, RF_None, nullptr, this));
        }
        return std::move(made_);
    }

    Value *materialize(Value *value) override {
        auto *global = dyn_cast<GlobalValue>(value);
        if (!global)
            return nullptr;
        if (auto *function = dyn_cast<Function>(global))
            return copy_of(*function);
        if (auto *variable = dyn_cast<GlobalVariable>(global))
            return copy_of(*variable);
        // An alias, or what is chosen when the program starts.
        if (auto *type = dyn_cast<FunctionType>(global->getValueType()))
            return Function::Create(type, GlobalValue::ExternalLinkage, global->getName(), made_.get());
        return variable(*global, false);
    }

  private:
    Function *copy_of(const Function &function) {
        Function *copy = Function::Create(function.getFunctionType(), GlobalValue::ExternalLinkage,
                                          function.getAddressSpace(), function.getName(), made_.get());
        copy->setAttributes(function.getAttributes());
        copy->setCallingConv(function.getCallingConv());
        copy->setDSOLocal(function.isDSOLocal() || function.hasLocalLinkage());
        return copy;
    }

    GlobalVariable *copy_of(const GlobalVariable &from) {
        SmallPtrSet<const Constant *, 16> seen;
        const bool has_content =
            from.isConstant() && from.hasDefinitiveInitializer() && !holds_block(*from.getInitializer(), seen);
        GlobalVariable *copy = variable(from, from.isConstant());
        copy->setThreadLocalMode(from.getThreadLocalMode());
        copy->setAlignment(from.getAlign());
        if (has_content) {
            copy->setLinkage(GlobalValue::InternalLinkage);
            copy->setUnnamedAddr(from.getUnnamedAddr());
            constants_.emplace_back(&from, copy);
        }
        return copy;
    }

    GlobalVariable *variable(const GlobalValue &from, bool is_constant) {
        auto *made = new GlobalVariable(*made_, from.getValueType(), is_constant, GlobalValue::ExternalLinkage, nullptr,
                                        from.getName());
        made->setDSOLocal(from.isDSOLocal() || from.hasLocalLinkage());
        return made;
    }

    std::unique_ptr<Module> made_;
    ValueToValueMapTy map_;
    std::vector<std::pair<const GlobalVariable *, GlobalVariable *>> constants_;  // whose content is still to come
};

}  // namespace

std::unique_ptr<Module> extract(ArrayRef<Function *> functions) {
    for (const Function *function : functions)
        if (any_of(*function, [](const BasicBlock &block) { return block.hasAddressTaken(); }))
            return nullptr;
    Extraction extraction(*functions.front()->getParent());
    for (Function *function : functions)
        extraction.declare(*function, function == functions.front());
    for (Function *function : functions)
        extraction.define(*function);
    return extraction.take();
}

}  // namespace thalweg::transform
