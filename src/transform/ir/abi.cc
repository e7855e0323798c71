// transform: the declarations of src/abi and include/thalweg/abi.h as LLVM's: symbols, function types, storage, constants.
#include "transform/ir/abi.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace thalweg::transform {

using namespace llvm;

// A mangled name has its length in front (Itanium C++ ABI, 5.1.2).
std::string cxx_name_of(StringRef type) { return ("_ZTS" + Twine(type.size()) + type).str(); }

void join_abi(Module &module) {
    for (const GlobalVariable &object : module.globals()) {
        if (object.getSection() != THALWEG_ABI_SECTION || !object.hasInitializer())
            continue;
        const auto *version = dyn_cast<ConstantInt>(object.getInitializer());
        if (!version || version->getZExtValue() != THALWEG_ABI_VERSION)
            report_fatal_error("thalweg: " + Twine(module.getModuleIdentifier()) +
                                   " holds code that was compiled against version " +
                                   (version ? Twine(version->getZExtValue()) : Twine("?")) +
                                   " of Thalweg's ABI, and this plug-in has version " + Twine(THALWEG_ABI_VERSION) +
                                   ": compile the program again, with the headers and libraries of one Thalweg",
                               false);
    }
    Type *type = abi_type<decltype(thalweg_abi_of_object)>(module.getContext());
    auto *own = new GlobalVariable(module, type, true, GlobalValue::PrivateLinkage,
                                   ConstantInt::get(type, THALWEG_ABI_VERSION), "thalweg.abi");
    own->setSection(THALWEG_ABI_SECTION);
    appendToUsed(module, {own});
}

GlobalVariable *declare_of_thread(Module &module, StringRef name, Type *type) {
    auto *variable = cast<GlobalVariable>(module.getOrInsertGlobal(name, type));
    variable->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
    return variable;
}

GlobalVariable *define_variable(Module &module, StringRef name, Constant *value, bool is_const) {
    auto *variable = new GlobalVariable(module, value->getType(), is_const, GlobalValue::ExternalLinkage, value, name);
    variable->setVisibility(GlobalValue::HiddenVisibility);
    return variable;
}

Constant *structure_of(const Module &module, ArrayRef<Constant *> values, ArrayRef<size_t> offsets, size_t size) {
    Constant *structure = ConstantStruct::getAnon(values);
    const StructLayout &layout = *module.getDataLayout().getStructLayout(cast<StructType>(structure->getType()));
    for (unsigned i = 0; i < offsets.size(); ++i)
        if (layout.getElementOffset(i) != offsets[i])
            report_fatal_error("thalweg: our bug: members of the ABI's structures lie elsewhere in C++");
    if (layout.getSizeInBytes() != size)
        report_fatal_error("thalweg: our bug: a structure of the ABI lacks a member");
    return structure;
}

}  // namespace thalweg::transform
