// transform: the compiled paths that the runtime compares an event's bindings with.
#include "transform/event/path_table.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include "abi/names.h"
#include "transform/event/watch.h"
#include "transform/ir/abi.h"

namespace thalweg::transform {

using namespace llvm;

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
    using Member = thalweg_group_member;
    std::vector<Constant *> entries;
    for (const GroupMember &one : members) {
        entries.push_back(structure<&Member::where, &Member::path, &Member::indirect>(module_, one.where, one.path,
                                                                                      one.indirect ? 1U : 0U));
        if (one.indirect)
            watched_[cast<GlobalVariable>(getUnderlyingObject(one.where))].insert(groups_.size());
    }
    GlobalVariable *array = emit_private(array_of<Member>(module_, entries), group_members_name);
    Type *type = abi_type<thalweg_path_id>(module_.getContext());
    auto *word = new GlobalVariable(module_, type, false, GlobalValue::InternalLinkage,
                                    ConstantInt::get(type, THALWEG_NO_PATH), "thalweg.group." + Twine(groups_.size()));
    groups_.push_back(structure<&thalweg_group::word, &thalweg_group::members, &thalweg_group::count>(
        module_, word, array, entries.size()));
    return word;
}

LoadInst *PathTable::load_word(IRBuilderBase &builder, Value *address) {
    LoadInst *load = builder.CreateAlignedLoad(abi_type<thalweg_path_id>(module_.getContext()), address,
                                               Align(alignof(thalweg_path_id)), "thalweg.path");
    MDBuilder metadata(module_.getContext());
    MDNode *root = metadata.createTBAARoot("Simple C++ TBAA");
    MDNode *any = metadata.createTBAAScalarTypeNode("omnipotent char", root);
    MDNode *type = metadata.createTBAAScalarTypeNode(cxx_name_of(ABI_TYPE(thalweg_path_id)), any);
    load->setMetadata(LLVMContext::MD_tbaa, metadata.createTBAAStructTagNode(type, type, 0));
    return load;
}

Constant *PathTable::path_entry(const Key &path, uint32_t id) {
    using Target = thalweg_path_target;
    const auto &[targets, flags] = path;
    std::vector<Constant *> entries;
    for (const PathTarget &one : targets) {
        Constant *none = ConstantPointerNull::get(PointerType::getUnqual(module_.getContext()));
        entries.push_back(structure<&Target::function, &Target::context, &Target::flags>(
            module_, one.function, one.context ? one.context : none,
            one.context ? THALWEG_TARGET_SAME_CONTEXT : THALWEG_TARGET_ANY_CONTEXT));
    }
    GlobalVariable *array = emit_private(array_of<Target>(module_, entries), "thalweg.path.targets");
    return structure<&thalweg_path::targets, &thalweg_path::count, &thalweg_path::id, &thalweg_path::flags_mask,
                     &thalweg_path::flags_value>(module_, array, targets.size(), id, flags.mask, flags.value);
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
        kept.push_back(emit_section(entries, abi::paths_section));
    if (!groups_.empty()) {
        GlobalVariable *groups = emit_section(groups_, abi::groups_section);
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
