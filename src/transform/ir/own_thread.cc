// transform: what a composite's lock does not protect, because no other thread has it.
#include "transform/ir/own_thread.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "transform/ir/event_access.h"
#include "transform/ir/lock_merge.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral arguments_metadata = "thalweg.arguments";

// Named, and so the same in the whole module: what they say is true everywhere.
class Scopes {
  public:
    explicit Scopes(LLVMContext &context)
        : context_(context), domain_(MDNode::get(context, MDString::get(context, "thalweg"))),
          events_(scope("thalweg.events")), arguments_(scope("thalweg.arguments")) {}

    void mark_lock(Instruction &call) const {
        add(call, LLVMContext::MD_noalias, events_);
        add(call, LLVMContext::MD_noalias, arguments_);
    }
    void mark_event(Instruction &access) const { mark(access, events_, arguments_); }
    void mark_arguments(Instruction &access) const { mark(access, arguments_, events_); }

  private:
    MDNode *scope(StringRef name) {
        return MDNode::get(context_, MDNode::get(context_, {MDString::get(context_, name), domain_}));
    }
    static void add(Instruction &one, unsigned kind, MDNode *scope) {
        one.setMetadata(kind, MDNode::concatenate(one.getMetadata(kind), scope));
    }
    static void mark(Instruction &access, MDNode *in, MDNode *apart_from) {
        add(access, LLVMContext::MD_alias_scope, in);
        add(access, LLVMContext::MD_noalias, apart_from);
    }

    LLVMContext &context_;
    MDNode *domain_;
    MDNode *events_;
    MDNode *arguments_;
};

const Value *written_or_read(const Instruction &one) {
    if (const auto *set = dyn_cast<MemSetInst>(&one))
        return set->getDest();
    return getLoadStorePointerOperand(&one);
}

}  // namespace

void mark_as_arguments(AllocaInst &array) {
    array.setMetadata(arguments_metadata, MDNode::get(array.getContext(), {}));
}

void copy_arguments_mark(const AllocaInst &array, AllocaInst &copy) {
    copy.setMetadata(arguments_metadata, array.getMetadata(arguments_metadata));
}

void keep_apart_from_locks(Function &function) {
    const Scopes scopes(function.getContext());
    for (Instruction &one : instructions(function)) {
        const Value *place = written_or_read(one);
        const Value *object = place ? getUnderlyingObject(place) : nullptr;
        if (is_lock_or_unlock(one))
            scopes.mark_lock(one);
        else if (const auto *local = dyn_cast_or_null<AllocaInst>(object);
                 local && local->getMetadata(arguments_metadata))
            scopes.mark_arguments(one);
        else if (object && (is_in_core(one) || is_in_frame(one) || is_frame(object)))
            scopes.mark_event(one);
    }
}

}  // namespace thalweg::transform
