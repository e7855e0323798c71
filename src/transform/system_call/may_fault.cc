// transform: proves accesses by the size of variables and by what was accessed before the first call, and tests what is left.
#include "transform/system_call/may_fault.h"

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "knowledge/function.h"
#include "transform/ir/rounding.h"
#include "transform/ir/use.h"
#include "transform/system_call/site.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

// The kernel gives, takes and protects memory by pages; no machine that Linux runs on has smaller ones (mmap(2), sysconf(3)).
constexpr uint64_t smallest_page = 4096;
constexpr unsigned deepest_address =
    6;  // loads and steps that two addresses are compared by: fields of fields of an argument

// The program may take away its own variables.
bool changes_protection(const knowledge::Function &function) { return function.pages == knowledge::Pages::protects; }

struct Variable {
    Value *object;
    uint64_t size;
};

std::optional<Variable> local_of(Value &object, const DataLayout &layout) {
    auto *local = dyn_cast<AllocaInst>(&object);
    const std::optional<TypeSize> size =
        local && local->isStaticAlloca() ? local->getAllocationSize(layout) : std::nullopt;
    return size && !size->isScalable() ? std::optional<Variable>({local, size->getFixedValue()}) : std::nullopt;
}

std::optional<Variable> global_of(Value &object, const DataLayout &layout) {
    Value *place = &object;
    if (auto *own = dyn_cast<IntrinsicInst>(place); own && own->getIntrinsicID() == Intrinsic::threadlocal_address)
        place = own->getArgOperand(0);
    auto *global = dyn_cast<GlobalVariable>(place);
    if (!global || global->hasExternalWeakLinkage() || !global->getValueType()->isSized())
        return {};
    return Variable{&object, layout.getTypeAllocSize(global->getValueType()).getFixedValue()};
}

struct Place {
    Value *base;
    APInt offset;
};

Place place_of(Value &address, const DataLayout &layout) {
    APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
    Value *base = address.stripAndAccumulateConstantOffsets(layout, offset, true);
    return {base, offset};
}

bool lies_within(const APInt &offset, uint64_t size, uint64_t object_size) {
    return !offset.isNegative() && size <= object_size && offset.ule(object_size - size);
}

// Whether two addresses were computed alike: by the same steps and loads, which may have given other values.
bool are_alike(const Value &a, const Value &b, unsigned depth = 0) {
    if (&a == &b)
        return true;
    const auto *one = dyn_cast<Instruction>(&a);
    const auto *other = dyn_cast<Instruction>(&b);
    if (!one || !other || depth == deepest_address || !isa<LoadInst, GetElementPtrInst, CastInst>(one) ||
        !one->isSameOperationAs(other, Instruction::CompareIgnoringAlignment))
        return false;
    for (unsigned i = 0; i < one->getNumOperands(); ++i)
        if (!are_alike(*one->getOperand(i), *other->getOperand(i), depth + 1))
            return false;
    return true;
}

struct Access {
    Value *address;
    uint64_t size;
};

// What one instruction accesses whenever it is reached.
SmallVector<Access, 2> accesses_of(Instruction &one, const DataLayout &layout) {
    if (auto *load = dyn_cast<LoadInst>(&one))
        return {{load->getPointerOperand(), layout.getTypeStoreSize(load->getType()).getKnownMinValue()}};
    if (auto *store = dyn_cast<StoreInst>(&one))
        return {{store->getPointerOperand(),
                 layout.getTypeStoreSize(store->getValueOperand()->getType()).getKnownMinValue()}};
    auto *filled = dyn_cast<MemIntrinsic>(&one);
    const auto *size = filled ? dyn_cast<ConstantInt>(filled->getLength()) : nullptr;
    if (!size || size->isZero())
        return {};
    SmallVector<Access, 2> all = {{filled->getRawDest(), size->getZExtValue()}};
    if (auto *copied = dyn_cast<MemTransferInst>(filled))
        all.push_back({copied->getRawSource(), size->getZExtValue()});
    return all;
}

// Whether memory may be given back to the kernel or protected, by what is called.
class Unmapping {
  public:
    bool may_be_by(const Instruction &one) {
        const auto *call = dyn_cast<CallBase>(&one);
        if (!call || isa<IntrinsicInst>(call) || call->hasFnAttr(Attribute::NoFree) || call->onlyReadsMemory())
            return false;
        const Function *callee = call->getCalledFunction();
        if (!callee)
            return true;
        if (const knowledge::SystemCall *known = knowledge::system_call(std::string_view(callee->getName())))
            return knowledge::is_memory(known->act) || known->act == knowledge::Act::unmaps ||
                   known->act == knowledge::Act::maps;
        return callee->isDeclarationForLinker() || callee->isInterposable() || may_be_in(*callee);
    }

  private:
    bool may_be_in(const Function &function) {
        // While it is looked at it is taken for one that may: so are functions that call each other.
        const auto [known, is_new] = functions_.try_emplace(&function, true);
        if (!is_new)
            return known->second;
        const bool may = any_of(instructions(function), [&](const Instruction &one) { return may_be_by(one); });
        return functions_[&function] = may;
    }

    DenseMap<const Function *, bool> functions_;
};

}  // namespace

class FaultProof::Impl {
  public:
    explicit Impl(Function &function)
        : layout_(function.getParent()->getDataLayout()), dominators_(function),
          keeps_globals_(used_that(*function.getParent(), changes_protection).empty()),
          may_trap_(!user_of_float_environment(*function.getParent()).empty()) {}

    void begin_at(const Instruction &first) {
        if (first_ == &first)
            return;
        first_ = &first;
        before_.clear();
        unmapping_.clear();
        unmapping_since_ = nullptr;
        const BasicBlock *block = first.getParent();
        for (const Instruction *one = first.getPrevNode(); one; one = one->getPrevNode())
            if (!note(*one))
                return;
        for (const DomTreeNode *node = dominators_.getNode(block); node && node->getIDom(); node = node->getIDom()) {
            BasicBlock *above = node->getIDom()->getBlock();
            if (!note_unmapping_between(*above, *node->getBlock()))
                return;
            if (!unmapping_.empty())
                unmapping_since_ = above;
            for (const Instruction &one : reverse(*above))
                if (!note(one))
                    return;
        }
    }

    BasicBlock *unmapping_since() const { return unmapping_since_; }
    ArrayRef<Instruction *> unmapping() const { return unmapping_; }

    std::string why_it_may(Instruction &one, SmallVectorImpl<FaultTest> &tests) {
        if (auto *call = dyn_cast<CallInst>(&one); call && !isa<MemIntrinsic>(call))
            return why_call_may(*call, tests);
        if (isa<LoadInst, StoreInst, MemIntrinsic>(one)) {
            for (const Access &access : accesses_of(one, layout_))
                if (!is_readable(one, access, tests))
                    return "memory is accessed that nothing shows to be accessible: a fault there would lose the "
                           "first write";
            return isa<MemIntrinsic>(one) && accesses_of(one, layout_).empty() ? "memory of unknown size is accessed"
                                                                               : "";
        }
        if (isa<PHINode, BranchInst, SwitchInst>(one))
            return {};
        if (may_trap_ && rounds(one))
            return "there is floating point, whose exceptions may be signals here";
        if (isSafeToSpeculativelyExecute(&one))
            return {};
        if (one.isIntDivRem() && one.getType()->isIntegerTy()) {
            tests.push_back({FaultTest::Kind::divides, &one, 1});
            return {};
        }
        return std::string("there is ") + one.getOpcodeName() + ", which may fault";
    }

  private:
    // Whether what stands above it still holds for what stands below.
    bool note(const Instruction &one) {
        if (unmaps_.may_be_by(one))
            return false;
        for (const Access &access : accesses_of(const_cast<Instruction &>(one), layout_))
            before_.push_back(access);
        return true;
    }

    // On the paths that lead from the end of the one to the beginning of the other. Whether there is a path without any.
    bool note_unmapping_between(const BasicBlock &above, const BasicBlock &below) {
        SmallPtrSet<const BasicBlock *, 16> seen = {&above};
        SmallPtrSet<const BasicBlock *, 16> clean = {&below};
        SmallVector<const BasicBlock *> open = {&below};
        SmallVector<Instruction *> found;
        bool is_clean = false;
        while (!open.empty()) {
            const BasicBlock *block = open.pop_back_val();
            for (const BasicBlock *from : predecessors(block)) {
                is_clean |= from == &above && clean.contains(block);
                const bool is_new = seen.insert(from).second;
                const size_t known = found.size();
                if (is_new)
                    for (const Instruction &one : *from)
                        if (unmaps_.may_be_by(one))
                            found.push_back(const_cast<Instruction *>(&one));
                const bool becomes_clean = found.size() == known && !unmaps(*from) && clean.contains(block) &&
                                           from != &above && clean.insert(from).second;
                if (is_new || becomes_clean)
                    open.push_back(from);
            }
        }
        if (is_clean)
            unmapping_.append(found);
        return is_clean;
    }

    bool unmaps(const BasicBlock &block) {
        return any_of(block, [&](const Instruction &one) { return unmaps_.may_be_by(one); });
    }

    std::string why_call_may(CallInst &call, SmallVectorImpl<FaultTest> &tests) {
        const Function *callee = call.getCalledFunction();
        if (!callee)
            return "a function is called through a pointer, which may fault";
        if (isa<AssumeInst, NoAliasScopeDeclInst>(call) || call.isLifetimeStartOrEnd() || call.isDebugOrPseudoInst())
            return {};
        using knowledge::Faults;
        const Faults faults = callee->isDeclaration() ? knowledge::function(std::string_view(callee->getName())).faults
                                                      : Faults::anything;
        if (callee->isIntrinsic() ? isSafeToSpeculativelyExecute(&call)
                                  : faults == Faults::never || faults == Faults::never_and_gives_errno)
            return {};
        if (faults == Faults::on_its_string && call.arg_size() == 1 &&
            call.getArgOperand(0)->getType()->isPointerTy() && is_readable(call, {call.getArgOperand(0), 0}, tests))
            return {};
        return callee->getName().str() + " is called, which may fault: that would lose the first write";
    }

    unsigned operand_of(const Instruction &one, const Value &address) const {
        for (unsigned i = 0; i < one.getNumOperands(); ++i)
            if (one.getOperand(i) == &address)
                return i;
        return 0;
    }

    // A size of 0: a string, up to its end.
    bool is_readable(Instruction &one, const Access &access, SmallVectorImpl<FaultTest> &tests) {
        const Place place = place_of(*access.address, layout_);
        if (is_place_of_errno(*place.base))
            return access.size > 0 && lies_within(place.offset, access.size, sizeof(int));
        Value *object = getUnderlyingObject(access.address);
        std::optional<Variable> variable = local_of(*object, layout_);
        if (!variable && keeps_globals_)
            variable = global_of(*object, layout_);
        if (variable && object == place.base && access.size > 0)
            return lies_within(place.offset, access.size, variable->size);
        FaultTest test = {FaultTest::Kind::within, &one, operand_of(one, *access.address)};
        test.size = access.size;
        if (variable && access.size <= variable->size) {
            test.object = object;
            test.object_size = variable->size;
            tests.push_back(test);
            return true;
        }
        return is_near_an_access(place, access, object, test, tests);
    }

    // The more alike the addresses are, the likelier it is that they lie on one page.
    bool is_near_an_access(const Place &place, const Access &access, const Value *object, FaultTest &test,
                           SmallVectorImpl<FaultTest> &tests) const {
        enum Nearness { same_base, alike, same_object, none };
        Nearness best = none;
        for (const Access &before : before_) {
            const Place found = place_of(*before.address, layout_);
            const APInt distance = place.offset - found.offset;
            if (found.base == place.base && access.size > 0 && lies_within(distance, access.size, before.size))
                return true;
            const Nearness now = found.base == place.base                        ? same_base
                                 : are_alike(*found.base, *place.base)           ? alike
                                 : getUnderlyingObject(before.address) == object ? same_object
                                                                                 : none;
            if (now < best) {
                best = now;
                test.object = before.address;
            }
        }
        if (best == none || access.size > smallest_page)
            return false;
        test.kind = FaultTest::Kind::same_page;
        tests.push_back(test);
        return true;
    }

    const DataLayout &layout_;
    DominatorTree dominators_;
    bool keeps_globals_;
    bool may_trap_;
    Unmapping unmaps_;
    const Instruction *first_ = nullptr;
    BasicBlock *unmapping_since_ = nullptr;
    SmallVector<Instruction *> unmapping_;
    SmallVector<Access>
        before_;  // on all paths to the first call, and since then nothing was unmapped; the nearest first
};

FaultProof::FaultProof(Function &function) : impl_(std::make_unique<Impl>(function)) {}
FaultProof::~FaultProof() = default;
void FaultProof::begin_at(const Instruction &first) { impl_->begin_at(first); }
BasicBlock *FaultProof::unmapping_since() const { return impl_->unmapping_since(); }
ArrayRef<Instruction *> FaultProof::unmapping() const { return impl_->unmapping(); }
std::string FaultProof::why_it_may(Instruction &one, SmallVectorImpl<FaultTest> &tests) const {
    return impl_->why_it_may(one, tests);
}

namespace {

// Whether a string ends before `most` bytes.
Value *ends_before(IRBuilder<> &builder, Value *string, Value *most) {
    Module &module = *builder.GetInsertBlock()->getModule();
    const FunctionCallee find = module.getOrInsertFunction("memchr", builder.getPtrTy(), builder.getPtrTy(),
                                                           builder.getInt32Ty(), builder.getInt64Ty());
    return builder.CreateIsNotNull(builder.CreateCall(find, {string, builder.getInt32(0), most}));
}

}  // namespace

Value *test_for_fault(IRBuilder<> &builder, const FaultTest &test, const Instruction &instruction) {
    Value *tested = instruction.getOperand(test.address);
    if (test.kind == FaultTest::Kind::divides) {
        Value *holds = builder.CreateIsNotNull(tested);
        const unsigned kind = instruction.getOpcode();
        if (kind != Instruction::SDiv && kind != Instruction::SRem)
            return holds;
        Value *minus_one = Constant::getAllOnesValue(tested->getType());
        return builder.CreateAnd(holds, builder.CreateICmpNE(tested, minus_one));
    }
    Value *address = builder.CreatePtrToInt(tested, builder.getInt64Ty());
    Value *object = builder.CreatePtrToInt(test.object, builder.getInt64Ty());
    if (test.kind == FaultTest::Kind::within) {
        Value *offset = builder.CreateSub(address, object);
        if (test.size > 0)
            return builder.CreateICmpULE(offset, builder.getInt64(test.object_size - test.size));
        Value *size = builder.getInt64(test.object_size);
        Value *left = builder.CreateSelect(builder.CreateICmpULT(offset, size), builder.CreateSub(size, offset),
                                           builder.getInt64(0));
        return ends_before(builder, tested, left);
    }
    Value *page = builder.getInt64(smallest_page);
    Value *differs = builder.CreateXor(address, object);
    if (test.size == 0) {
        Value *in_page = builder.CreateAnd(address, builder.getInt64(smallest_page - 1));
        Value *left = builder.CreateSelect(builder.CreateICmpULT(differs, page), builder.CreateSub(page, in_page),
                                           builder.getInt64(0));
        return ends_before(builder, tested, left);
    }
    Value *last = builder.CreateAdd(address, builder.getInt64(test.size - 1));
    return builder.CreateICmpULT(builder.CreateOr(differs, builder.CreateXor(last, object)), page);
}

bool is_within_local(const Value &address, uint64_t size, const DataLayout &layout) {
    const Place place = place_of(const_cast<Value &>(address), layout);
    const std::optional<Variable> local = local_of(*place.base, layout);
    return local && lies_within(place.offset, size, local->size);
}

}  // namespace thalweg::transform
