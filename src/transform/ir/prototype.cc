// transform: C declarators, written from the inside out as C has them: "int (*arg0)(struct sink *)".
#include "transform/ir/prototype.h"

#include <set>

#include <fmt/ranges.h>

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// A list of pointers to itself has no end, and a type of real programs is not as deep.
constexpr unsigned deepest_type = 32;

bool is_c_name(StringRef name) {
    return !name.empty() && !isDigit(name.front()) && all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
}

const DIType *without_qualifiers(const DIType *type) {
    while (const auto *derived = dyn_cast_or_null<DIDerivedType>(type)) {
        const unsigned tag = derived->getTag();
        if (tag != dwarf::DW_TAG_const_type && tag != dwarf::DW_TAG_volatile_type &&
            tag != dwarf::DW_TAG_restrict_type && tag != dwarf::DW_TAG_atomic_type && tag != dwarf::DW_TAG_typedef)
            break;
        type = derived->getBaseType();
    }
    return type;
}

// The name of an anonymous structure; empty: it has none.
std::string typedef_of(const DIType *type) {
    const auto *derived = dyn_cast<DIDerivedType>(type);
    while (derived && derived->getTag() != dwarf::DW_TAG_typedef)
        derived = dyn_cast_or_null<DIDerivedType>(derived->getBaseType());
    return derived && is_c_name(derived->getName()) ? derived->getName().str() : "";
}

// "..." alone was no prototype at all, as in "int f()".
std::string in_parentheses(const std::string &name, const std::vector<std::string> &list) {
    const bool old_style = list.size() == 1 && list.front() == "...";
    const std::string words = list.empty() ? "void" : fmt::format("{}", fmt::join(list, ", "));
    return fmt::format("{}({})", name, old_style ? "" : words);
}

std::string joined(const std::string &type, const std::string &inner) {
    return type + (inner.empty() || type.ends_with('*') ? "" : " ") + inner;
}

std::string integer_of(uint64_t bits, bool is_signed) {
    switch (bits) {
    case 8:
    case 16:
    case 32:
    case 64:
        return fmt::format("{}int{}_t", is_signed ? "" : "u", bits);
    case 128:
        return is_signed ? "__int128" : "unsigned __int128";
    default:
        return {};
    }
}

// A function's type as the source has it.
class FromDebugInfo {
  public:
    FromDebugInfo(const DISubprogram &subprogram, Prototype &out)
        : is_c_(!dwarf::isCPlusPlus(static_cast<dwarf::SourceLanguage>(subprogram.getUnit()->getSourceLanguage()))),
          types_(subprogram.getType()->getTypeArray()), out_(out) {}

    std::string write(const std::string &name) {
        std::string text = declare(types_.size() == 0 ? nullptr : value(types_[0]), parameters(name));
        out_.tags.assign(tags_.begin(), tags_.end());
        out_.by_value.assign(by_value_.begin(), by_value_.end());
        return text;
    }

  private:
    std::string parameters(const std::string &name) {
        std::vector<std::string> list;
        for (unsigned i = 1; i < types_.size(); ++i)
            list.push_back(types_[i] ? declare(value(types_[i]), fmt::format("arg{}", i - 1)) : "...");
        return in_parentheses(name, list);
    }

    // What is handed over by value must be declared in full; in C++ it may be handed over by a hidden address.
    const DIType *value(const DIType *type) {
        const auto *composite = dyn_cast_or_null<DICompositeType>(without_qualifiers(type));
        if (!composite || composite->getTag() == dwarf::DW_TAG_enumeration_type)
            return type;
        const std::string name = is_c_name(composite->getName()) ? tag_of(*composite) : typedef_of(type);
        if (!is_c_ || name.empty())
            out_.problem = fmt::format("{} is handed over by value, which no C prototype says",
                                       composite->getName().empty() ? "an object" : composite->getName().str());
        by_value_.insert(name);
        written_by_value_[type] = name;
        return type;
    }

    static std::string tag_of(const DICompositeType &type) {
        return fmt::format("{} {}", type.getTag() == dwarf::DW_TAG_union_type ? "union" : "struct",
                           type.getName().str());
    }

    std::string declare(const DIType *type, const std::string &inner) {
        if (const auto known = written_by_value_.find(type); type && known != written_by_value_.end())
            return joined(known->second, inner);
        if (!type || ++depth_ > deepest_type)
            return joined("void", inner);
        std::string text;
        if (const auto *derived = dyn_cast<DIDerivedType>(type))
            text = declare_derived(*derived, inner);
        else if (const auto *function = dyn_cast<DISubroutineType>(type))
            text = declare_function(*function, inner);
        else if (const auto *composite = dyn_cast<DICompositeType>(type))
            text = declare_composite(*composite, inner);
        else
            text = joined(base(cast<DIBasicType>(*type)), inner);
        --depth_;
        return text;
    }

    std::string declare_derived(const DIDerivedType &type, const std::string &inner) {
        const DIType *under = type.getBaseType();
        switch (type.getTag()) {
        case dwarf::DW_TAG_pointer_type:
        case dwarf::DW_TAG_reference_type:
        case dwarf::DW_TAG_rvalue_reference_type: {
            const DIType *target = without_qualifiers(under);
            const auto *array = dyn_cast_or_null<DICompositeType>(target);
            const bool binds =
                isa_and_nonnull<DISubroutineType>(target) || (array && array->getTag() == dwarf::DW_TAG_array_type);
            return declare(under, binds ? fmt::format("(*{})", inner) : "*" + inner);
        }
        case dwarf::DW_TAG_const_type:
        case dwarf::DW_TAG_volatile_type: {
            const std::string word = type.getTag() == dwarf::DW_TAG_const_type ? "const " : "volatile ";
            const DIType *target = without_qualifiers(under);
            const bool pointer = isa_and_nonnull<DIDerivedType>(target);
            return pointer ? declare(under, word + inner) : word + declare(under, inner);
        }
        case dwarf::DW_TAG_ptr_to_member_type:
            out_.problem = "a pointer to a member is handed over, which no C prototype says";
            return {};
        default:  // typedef, restrict, atomic: what is under it is handed over in the same way
            return declare(under, inner);
        }
    }

    std::string declare_function(const DISubroutineType &type, const std::string &inner) {
        const DITypeRefArray types = type.getTypeArray();
        std::vector<std::string> list;
        for (unsigned i = 1; i < types.size(); ++i)
            list.push_back(types[i] ? declare(types[i], "") : "...");
        return declare(types.size() == 0 ? nullptr : types[0], in_parentheses(inner, list));
    }

    std::string declare_composite(const DICompositeType &type, const std::string &inner) {
        if (type.getTag() == dwarf::DW_TAG_enumeration_type)
            return joined(enumeration(type), inner);
        if (type.getTag() == dwarf::DW_TAG_array_type)
            return declare_array(type, inner);
        const bool visible = is_c_ || !type.getScope() || isa<DIFile, DICompileUnit>(type.getScope());
        if (!visible || !is_c_name(type.getName()))
            return joined("void", inner);  // behind a pointer: without a name of its own, or one that C doesn't know
        tags_.insert(tag_of(type));
        return joined(tag_of(type), inner);
    }

    std::string declare_array(const DICompositeType &type, const std::string &inner) {
        std::string text = inner;
        for (const DINode *element : type.getElements()) {
            const auto *range = dyn_cast<DISubrange>(element);
            const auto *count = range ? dyn_cast_if_present<ConstantInt *>(range->getCount()) : nullptr;
            const bool known = count && !count->isNegative();
            text += known ? fmt::format("[{}]", count->getZExtValue()) : std::string("[]");
        }
        return declare(type.getBaseType(), text);
    }

    // By the type that it is handed over as; its own name would have to be declared with all its values.
    static std::string enumeration(const DICompositeType &type) {
        if (const auto *under = dyn_cast_or_null<DIBasicType>(without_qualifiers(type.getBaseType())))
            return base(*under);
        return type.getSizeInBits() == 32 ? "unsigned int" : integer_of(type.getSizeInBits(), false);
    }

    static std::string base(const DIBasicType &type) {
        const unsigned encoding = type.getEncoding();
        if (encoding == dwarf::DW_ATE_boolean)
            return "bool";
        if (encoding == dwarf::DW_ATE_UTF || type.getName() == "wchar_t")
            return integer_of(type.getSizeInBits(), encoding != dwarf::DW_ATE_UTF);
        if (type.getTag() == dwarf::DW_TAG_unspecified_type)
            return "void *";  // the type of nullptr
        if (encoding == dwarf::DW_ATE_complex_float)
            return type.getSizeInBits() == 64    ? "float _Complex"
                   : type.getSizeInBits() == 128 ? "double _Complex"
                                                 : "long double _Complex";
        return type.getName().str();
    }

    bool is_c_;
    DITypeRefArray types_;
    Prototype &out_;
    std::set<std::string> tags_;
    std::set<std::string> by_value_;
    DenseMap<const DIType *, std::string> written_by_value_;
    unsigned depth_ = 0;
};

// The C type that is handed over as a value of the IR's type is; empty: it is not known.
std::string from_ir(Type *type, AttributeSet attributes) {
    if (type->isVoidTy())
        return "void";
    if (type->isPointerTy())
        return "void *";
    if (type->isIntegerTy(1))
        return "bool";
    if (type->isFloatTy())
        return "float";
    if (type->isDoubleTy())
        return "double";
    if (type->isX86_FP80Ty())
        return "long double";
    const auto *integer = dyn_cast<IntegerType>(type);
    return integer ? integer_of(integer->getBitWidth(), !attributes.hasAttribute(Attribute::ZExt)) : "";
}

bool is_by_value(AttributeSet attributes) {
    return attributes.hasAttribute(Attribute::ByVal) || attributes.hasAttribute(Attribute::StructRet);
}

Prototype from_ir(const Function &function, const std::string &name) {
    Prototype out;
    std::vector<std::string> list;
    for (const Argument &argument : function.args()) {
        const AttributeSet attributes = function.getAttributes().getParamAttrs(argument.getArgNo());
        const std::string type = is_by_value(attributes) ? "" : from_ir(argument.getType(), attributes);
        if (type.empty())
            out.problem = fmt::format("argument {} is a structure or a vector: compile with -g", argument.getArgNo());
        list.push_back(joined(type, fmt::format("arg{}", argument.getArgNo())));
    }
    if (function.isVarArg())
        list.emplace_back("...");
    const std::string result = from_ir(function.getReturnType(), function.getAttributes().getRetAttrs());
    if (result.empty())
        out.problem = "it gives back a structure or a vector: compile with -g";
    out.text = joined(result, in_parentheses(name, list));
    return out;
}

}  // namespace

Prototype prototype_of(const Function &function, const std::string &name) {
    const DISubprogram *subprogram = function.getSubprogram();
    Prototype out;
    if (subprogram && subprogram->getType()) {
        out.text = FromDebugInfo(*subprogram, out).write(name);
        out.from_debug_info = true;
    } else {
        out = from_ir(function, name);
    }
    return out.problem.empty() ? out : Prototype{{}, false, {}, {}, out.problem};
}

}  // namespace thalweg::transform
