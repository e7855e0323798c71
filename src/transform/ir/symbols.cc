// transform: the functions that a pointer can lead to, the variables that can be a handler's context, and all bodies.
#include "transform/ir/symbols.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/StructuralHash.h"

#include "abi/names.h"
#include "transform/ir/counted_code.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

bool is_own_name(StringRef name) { return name.starts_with(abi::probe_prefix) || name.starts_with("llvm."); }

model::SourcePlace place_of_definition(const Function &function) {
    const DISubprogram *subprogram = function.getSubprogram();
    if (!subprogram)
        return {};
    return {subprogram->getFilename().str(), subprogram->getLine(), 0};
}

model::Symbol describe(Function &function) {
    model::Symbol symbol;
    symbol.name = function.getName().str();
    symbol.has_body = !function.isDeclaration();
    symbol.instructions = instructions_without_counters(function);
    symbol.place = place_of_definition(function);
    if (symbol.has_body)
        symbol.body_hash = StructuralHash(function, true);
    return symbol;
}

}  // namespace

SymbolList collect_symbols(Module &module) {
    SymbolList list;
    for (Function &function : module) {
        if (function.isIntrinsic() || is_own_name(function.getName()) || !function.hasAddressTaken())
            continue;
        list.objects.push_back(&function);
        list.symbols.push_back(describe(function));
    }
    for (GlobalVariable &variable : module.globals()) {
        if (variable.isThreadLocal() || is_own_name(variable.getName()) || !variable.hasName() ||
            variable.hasAppendingLinkage() || variable.isDeclaration() || is_counters_own(variable) ||
            variable.getSection() == "llvm.metadata" || variable.getSection() == THALWEG_ABI_SECTION)
            continue;
        model::Symbol symbol;
        symbol.name = variable.getName().str();
        symbol.is_function = false;
        list.objects.push_back(&variable);
        list.symbols.push_back(std::move(symbol));
    }
    return list;
}

BodyList collect_bodies(Module &module) {
    BodyList list;
    DenseMap<const Function *, uint32_t> numbers;
    for (Function &function : module) {
        if (function.isDeclaration() || !function.hasName())
            continue;
        numbers[&function] = static_cast<uint32_t>(list.functions.size());
        list.functions.push_back(&function);
        list.bodies.push_back({function.getName().str(),
                               StructuralHash(function, true),
                               function.getInstructionCount(),
                               place_of_definition(function),
                               {}});
    }
    for (size_t i = 0; i < list.functions.size(); ++i)
        for (const Instruction &instruction : instructions(*list.functions[i]))
            if (const auto *call = dyn_cast<CallBase>(&instruction))
                for (const Use &operand : call->operands())
                    if (const auto callee = numbers.find(dyn_cast<Function>(operand.get())); callee != numbers.end())
                        list.bodies[i].calls.push_back(callee->second);
    for (model::FunctionBody &body : list.bodies) {
        llvm::sort(body.calls);
        body.calls.erase(llvm::unique(body.calls), body.calls.end());
    }
    return list;
}

}  // namespace thalweg::transform
