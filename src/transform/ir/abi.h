// transform: the declarations of src/abi and include/thalweg/abi.h as LLVM's: symbols, function types, storage, constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include <thalweg/abi.h>

namespace thalweg::transform {

// A function or a variable that is declared under this name, of type T.
template <class T>
struct AbiSymbol {
    llvm::StringLiteral name;
};
#define ABI_SYMBOL(declared) (::thalweg::transform::AbiSymbol<decltype(::declared)>{#declared})
// The name of a type that is declared.
template <class>
constexpr llvm::StringLiteral name_of_type(llvm::StringLiteral name) {
    return name;
}
#define ABI_TYPE(declared) (::thalweg::transform::name_of_type<::declared>(#declared))

// As clang names it in C++ where it says of what type an access is.
std::string cxx_name_of(llvm::StringRef type);

// The type of a value in a register, or of a member.
template <class T>
llvm::Type *abi_type(llvm::LLVMContext &context) {
    if constexpr (std::is_void_v<T>)
        return llvm::Type::getVoidTy(context);
    else if constexpr (std::is_same_v<T, bool>)
        return llvm::Type::getInt1Ty(context);
    else if constexpr (std::is_pointer_v<T>)
        return llvm::PointerType::getUnqual(context);
    else {
        static_assert(std::is_integral_v<T> || std::is_enum_v<T>, "the ABI passes no such values");
        return llvm::Type::getIntNTy(context, 8 * sizeof(T));
    }
}

template <class Function>
struct AbiFunction;
template <class Result, class... Arguments>
struct AbiFunction<Result(Arguments...)> {
    static constexpr bool gives_truth = std::is_same_v<Result, bool>;
    static constexpr bool may_throw = true;
    static llvm::FunctionType *type(llvm::LLVMContext &context) {
        return llvm::FunctionType::get(abi_type<Result>(context), {abi_type<Arguments>(context)...}, false);
    }
};
template <class Result, class... Arguments>
struct AbiFunction<Result(Arguments...) noexcept> : AbiFunction<Result(Arguments...)> {
    static constexpr bool may_throw = false;
};

template <class Function>
llvm::FunctionCallee declare_function(llvm::Module &module, llvm::StringRef name) {
    llvm::LLVMContext &context = module.getContext();
    llvm::AttributeList attributes;
    if constexpr (!AbiFunction<Function>::may_throw)
        attributes = attributes.addFnAttribute(context, llvm::Attribute::NoUnwind);
    if constexpr (AbiFunction<Function>::gives_truth)
        attributes = attributes.addRetAttribute(context, llvm::Attribute::ZExt);
    return module.getOrInsertFunction(name, AbiFunction<Function>::type(context), attributes);
}
template <class Function>
llvm::FunctionCallee declare(llvm::Module &module, const AbiSymbol<Function> &symbol) {
    return declare_function<Function>(module, symbol.name);
}

// Any of the functions, in a table; without a name: none.
struct AnyAbiFunction {
    llvm::StringLiteral name = "";
    llvm::FunctionCallee (*declare_by)(llvm::Module &module, llvm::StringRef name) = nullptr;

    constexpr AnyAbiFunction() = default;
    template <class Function>
    constexpr AnyAbiFunction(const AbiSymbol<Function> &symbol)
        : name(symbol.name), declare_by(declare_function<Function>) {}
    llvm::FunctionCallee declare_in(llvm::Module &module) const { return declare_by(module, name); }
};

// Ends the link where the module holds code that was compiled against another version of the ABI; else the module says that it holds ours, too.
void join_abi(llvm::Module &module);

// One of the recorder's variables of which each thread has its own.
llvm::GlobalVariable *declare_of_thread(llvm::Module &module, llvm::StringRef name, llvm::Type *type);
template <class T>
llvm::GlobalVariable *declare_of_thread(llvm::Module &module, const AbiSymbol<T> &symbol) {
    return declare_of_thread(module, symbol.name, abi_type<T>(module.getContext()));
}

// A variable that is declared for others to use and that this module defines.
llvm::GlobalVariable *define_variable(llvm::Module &module, llvm::StringRef name, llvm::Constant *value, bool is_const);
template <class T>
llvm::GlobalVariable *define(llvm::Module &module, const AbiSymbol<T> &symbol, llvm::Constant *value) {
    return define_variable(module, symbol.name, value, std::is_const_v<std::remove_all_extents_t<T>>);
}
template <class T>
llvm::GlobalVariable *define(llvm::Module &module, const AbiSymbol<T> &symbol, uint64_t value) {
    return define(module, symbol, llvm::ConstantInt::get(abi_type<std::remove_const_t<T>>(module.getContext()), value));
}

// Room for a T, of which no member is accessed by its type here.
template <class T>
llvm::ArrayType *storage_of(llvm::LLVMContext &context) {
    return llvm::ArrayType::get(llvm::Type::getIntNTy(context, 8 * alignof(T)), sizeof(T) / alignof(T));
}

// A structure of constants as they are named; ends the link where C++ has them elsewhere in its `size` bytes.
llvm::Constant *structure_of(const llvm::Module &module, llvm::ArrayRef<llvm::Constant *> values,
                             llvm::ArrayRef<size_t> offsets, size_t size);

template <class T, class Member>
size_t offset_in(Member T::*member) {
    const T object{};
    return static_cast<size_t>(reinterpret_cast<const char *>(&(object.*member)) -
                               reinterpret_cast<const char *>(&object));
}
template <class T, class Member, class Value>
llvm::Constant *constant_for(Member T::*, llvm::LLVMContext &context, Value value) {
    if constexpr (std::is_pointer_v<Value>)
        return value;
    else
        return llvm::ConstantInt::get(abi_type<Member>(context), value);
}
template <class T, class... Members>
constexpr size_t size_with(Members T::*...) {
    return sizeof(T);
}

// A value for each of all members of a structure of the ABI.
template <auto... members, class... Values>
llvm::Constant *structure(const llvm::Module &module, Values... values) {
    return structure_of(module, {constant_for(members, module.getContext(), values)...}, {offset_in(members)...},
                        size_with(members...));
}

// Such structures one behind the other; there may be none.
template <class T>
llvm::Constant *array_of(const llvm::Module &module, llvm::ArrayRef<llvm::Constant *> entries) {
    llvm::Type *type = entries.empty() ? storage_of<T>(module.getContext()) : entries.front()->getType();
    return llvm::ConstantArray::get(llvm::ArrayType::get(type, entries.size()), entries);
}

}  // namespace thalweg::transform
