// transform: the compiled paths that the runtime compares an event's bindings with.
#include "transform/event/path_table.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "transform/event/watch.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral paths_section = "thalweg_paths";
constexpr StringLiteral groups_section = "thalweg_groups";

// The type of these words in clang's C++ type-based alias analysis: the mangled name of abi.h's enumeration.
constexpr StringLiteral path_type = "_ZTS15thalweg_path_id";

}  // namespace

uint32_t PathTable::id_of(const std::vector<PathTarget> &targets, PathFlags flags) {
    const auto [entry, added] = ids_.try_emplace(Key{targets, flags}, static_cast<uint32_t>(paths_.size() + 1));
    if (added)
        paths_.push_back(&entry->first);
    return entry->second;
}

GlobalVariable *PathTable::emit_private(Constant *value, const Twine &name) {
    return new GlobalVariable(module_, value->getType(), true, GlobalValue::PrivateLinkage, value, name);
}

GlobalVariable *PathTable::version_word(ArrayRef<GroupMember> members) {
    LLVMContext &context = module_.getContext();
    Type *i32 = Type::getInt32Ty(context);
    Type *pointer = PointerType::getUnqual(context);
    StructType *member = StructType::get(pointer, i32, i32);
    std::vector<Constant *> entries;
    for (const GroupMember &one : members) {
        entries.push_back(ConstantStruct::get(
            member, {one.where, ConstantInt::get(i32, one.path), ConstantInt::get(i32, one.indirect ? 1 : 0)}));
        if (one.indirect)
            watched_[cast<GlobalVariable>(getUnderlyingObject(one.where))].insert(groups_.size());
    }
    auto *array =
        emit_private(ConstantArray::get(ArrayType::get(member, entries.size()), entries), "thalweg.group.members");
    auto *word = new GlobalVariable(module_, i32, false, GlobalValue::InternalLinkage, ConstantInt::get(i32, 0),
                                    "thalweg.group." + Twine(groups_.size()));
    StructType *group = StructType::get(pointer, pointer, Type::getInt64Ty(context));
    groups_.push_back(
        ConstantStruct::get(group, {word, array, ConstantInt::get(Type::getInt64Ty(context), entries.size())}));
    return word;
}

LoadInst *PathTable::load_word(IRBuilderBase &builder, Value *address) {
    LoadInst *load = builder.CreateAlignedLoad(builder.getInt32Ty(), address, Align(4), "thalweg.path");
    MDBuilder metadata(module_.getContext());
    MDNode *root = metadata.createTBAARoot("Simple C++ TBAA");
    MDNode *any = metadata.createTBAAScalarTypeNode("omnipotent char", root);
    MDNode *type = metadata.createTBAAScalarTypeNode(path_type, any);
    load->setMetadata(LLVMContext::MD_tbaa, metadata.createTBAAStructTagNode(type, type, 0));
    return load;
}

Constant *PathTable::path_entry(const Key &path, uint32_t id) {
    const auto &[targets, flags] = path;
    LLVMContext &context = module_.getContext();
    Type *i64 = Type::getInt64Ty(context);
    Type *i32 = Type::getInt32Ty(context);
    auto *pointer = PointerType::getUnqual(context);
    StructType *target = StructType::get(pointer, pointer, i64);
    std::vector<Constant *> entries;
    for (const PathTarget &one : targets) {
        Constant *where = one.context ? one.context : ConstantPointerNull::get(pointer);
        entries.push_back(
            ConstantStruct::get(target, {one.function, where, ConstantInt::get(i64, one.context ? 1 : 0)}));
    }
    auto *array =
        emit_private(ConstantArray::get(ArrayType::get(target, entries.size()), entries), "thalweg.path.targets");
    return ConstantStruct::get(StructType::get(pointer, i32, i32, i32, i32),
                               {array, ConstantInt::get(i32, targets.size()), ConstantInt::get(i32, id),
                                ConstantInt::get(i32, flags.mask), ConstantInt::get(i32, flags.value)});
}

GlobalVariable *PathTable::emit_section(ArrayRef<Constant *> entries, StringRef section) {
    ArrayType *type = ArrayType::get(entries.front()->getType(), entries.size());
    GlobalVariable *variable = emit_private(ConstantArray::get(type, entries), "thalweg.section");
    variable->setSection(section);
    variable->setAlignment(Align(8));
    return variable;
}

Constant *PathTable::at_index(GlobalVariable *array, size_t index) {
    Type *i64 = Type::getInt64Ty(module_.getContext());
    const std::vector<Constant *> path{ConstantInt::get(i64, 0), ConstantInt::get(i64, index)};
    return ConstantExpr::getInBoundsGetElementPtr(array->getValueType(), array, path);
}

void PathTable::emit() {
    std::vector<GlobalValue *> kept;
    std::vector<Constant *> entries;
    for (size_t i = 0; i < paths_.size(); ++i)
        entries.push_back(path_entry(*paths_[i], static_cast<uint32_t>(i + 1)));
    if (!entries.empty())
        kept.push_back(emit_section(entries, paths_section));
    if (!groups_.empty()) {
        GlobalVariable *groups = emit_section(groups_, groups_section);
        kept.push_back(groups);
        for (const auto &[variable, which] : watched_)
            for (const size_t group : which)
                refresh_after_changes(*variable, at_index(groups, group));
    }
    // Only the linker's start and stop symbols refer to the sections.
    if (!kept.empty())
        appendToUsed(module_, kept);
}

}  // namespace thalweg::transform
