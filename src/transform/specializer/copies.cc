// transform: a copy of at most 16 bytes, in pieces that overlap, and out of a register where it can be.
#include "transform/specializer/copies.h"

#include <array>

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace thalweg::transform::specializer {

using namespace llvm;

namespace {

// Two of the widest numbers. A number of 64 bits with seven in each byte takes ten; beyond that the library's function is as good.
constexpr uint64_t most_bytes = 16;
// A buffer of no more is one register, into which a byte goes with six instructions wherever it belongs; in a pair of them that takes some
// twenty, but for places that are known. Such a buffer is worth it where most of it is written to known places.
constexpr uint64_t one_register = 8;
// The pieces' widths, in bytes: two of one width cover all lengths up to the next.
constexpr std::array<unsigned, 4> widths = {8, 4, 2, 1};

// Where a pointer leads: so many bytes into a local.
struct Inside {
    AllocaInst *local = nullptr;
    uint64_t offset = 0;
    uint64_t room = 0;  // from there on
};

Inside inside_of(Value *pointer, const DataLayout &layout) {
    APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    auto *local =
        dyn_cast<AllocaInst>(pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
    const auto size = local && local->isStaticAlloca() ? local->getAllocationSize(layout) : std::nullopt;
    if (!size || size->isScalable() || offset.isNegative() || offset.ugt(size->getFixedValue()))
        return {};
    return {local, offset.getZExtValue(), size->getFixedValue() - offset.getZExtValue()};
}

struct Copy {
    MemTransferInst *call = nullptr;
    Inside from;
    uint64_t bound = 0;
};

std::optional<Copy> small_copy(Instruction &instruction) {
    auto *call = dyn_cast<MemTransferInst>(&instruction);
    if (!call || call->isVolatile())
        return {};
    const DataLayout &layout = call->getDataLayout();
    const Inside from = inside_of(call->getRawSource(), layout);
    const Inside to = inside_of(call->getRawDest(), layout);
    if (!from.local && !to.local)
        return {};
    const uint64_t bound = std::min(from.local ? from.room : UINT64_MAX, to.local ? to.room : UINT64_MAX);
    return bound == 0 || bound > most_bytes ? std::nullopt : std::optional(Copy{call, from, bound});
}

bool has_known_length(const Copy &copy) { return isa<ConstantInt>(copy.call->getLength()); }

// A local that is only written to, number by number, and copied out: one wide number does as well. What is written into it byte by
// byte can't be read as a whole before it has left the processor's store buffer; a register can.
class Buffer {
  public:
    // Null: the local is used in another way, too; or all places in it are known, and LLVM makes values of its parts.
    static std::unique_ptr<Buffer> of(AllocaInst &local) {
        auto buffer = std::make_unique<Buffer>(local);
        const bool fits = buffer->note_uses(local, true) && buffer->varies_ &&
                          (buffer->size() <= one_register || buffer->known_places_ >= buffer->other_places_);
        return fits ? std::move(buffer) : nullptr;
    }

    explicit Buffer(AllocaInst &local) : local_(local), layout_(local.getDataLayout()) {}

    // Before its copies are written.
    void write() {
        IRBuilder<> builder(&local_);
        type_ = builder.getIntNTy(size() <= one_register ? 64 : 128);
        number_ = builder.CreateAlloca(type_, nullptr, local_.getName());
        // What nobody has written is any number.
        builder.CreateStore(ConstantInt::get(type_, 0), number_);
        for (IntrinsicInst *mark : marks_) {
            if (mark->getIntrinsicID() == Intrinsic::lifetime_start)
                IRBuilder<>(mark).CreateStore(ConstantInt::get(type_, 0), number_);
            mark->eraseFromParent();
        }
        for (StoreInst *store : stores_)
            replace(*store);
    }

    // The number, shifted so that what lies at `offset` comes first.
    Value *read(uint64_t offset, IRBuilder<> &builder) const {
        Value *number = builder.CreateLoad(type_, number_);
        return offset == 0 ? number : builder.CreateLShr(number, 8 * offset);
    }

    // After that: what stood for the number becomes values.
    AllocaInst *finish() {
        for (GetElementPtrInst *step : llvm::reverse(steps_))
            step->eraseFromParent();
        local_.eraseFromParent();
        return number_;
    }

  private:
    uint64_t size() const { return local_.getAllocationSize(layout_)->getFixedValue(); }

    bool note_uses(Value &pointer, bool is_known_place) {
        return all_of(pointer.uses(), [&](Use &use) { return note_use(use, is_known_place); });
    }

    bool note_use(Use &use, bool is_known_place) {
        auto *user = cast<Instruction>(use.getUser());
        if (auto *step = dyn_cast<GetElementPtrInst>(user)) {
            steps_.push_back(step);
            varies_ |= !step->hasAllConstantIndices();
            return note_uses(*step, is_known_place && step->hasAllConstantIndices());
        }
        if (auto *store = dyn_cast<StoreInst>(user)) {
            stores_.push_back(store);
            ++(is_known_place ? known_places_ : other_places_);
            const Type *type = store->getValueOperand()->getType();
            return store->isSimple() && use.getOperandNo() == StoreInst::getPointerOperandIndex() &&
                   type->isIntegerTy() && layout_.typeSizeEqualsStoreSize(const_cast<Type *>(type)) &&
                   type->getIntegerBitWidth() <= 64;
        }
        if (auto *mark = dyn_cast<IntrinsicInst>(user); mark && mark->isLifetimeStartOrEnd()) {
            marks_.push_back(mark);
            return use.get() == &local_;
        }
        const std::optional<Copy> copy = small_copy(*user);
        varies_ |= copy && !has_known_length(*copy);
        return copy && copy->from.local == &local_ && use.getOperandNo() == 1;
    }

    Value *offset_of(Value *pointer, IRBuilder<> &builder) const {
        Value *offset = nullptr;
        for (; pointer != &local_; pointer = cast<GetElementPtrInst>(pointer)->getPointerOperand()) {
            Value *step = emitGEPOffset(&builder, layout_, cast<GetElementPtrInst>(pointer));
            offset = offset ? builder.CreateAdd(offset, step) : step;
        }
        return offset ? offset : builder.getInt64(0);
    }

    void replace(StoreInst &store) {
        IRBuilder<> builder(&store);
        Value *value = store.getValueOperand();
        const unsigned bits = value->getType()->getIntegerBitWidth();
        Value *shift =
            builder.CreateZExtOrTrunc(builder.CreateShl(offset_of(store.getPointerOperand(), builder), 3), type_);
        const APInt ones = APInt::getLowBitsSet(type_->getIntegerBitWidth(), bits);
        Value *others = builder.CreateAnd(builder.CreateLoad(type_, number_),
                                          builder.CreateNot(builder.CreateShl(ConstantInt::get(type_, ones), shift)));
        // Bytes that nobody has defined are no reason not to know the others.
        if (!isa<Constant>(value))
            value = builder.CreateFreeze(value);
        Value *placed = builder.CreateShl(builder.CreateZExt(value, type_), shift);
        builder.CreateStore(builder.CreateOr(others, placed), number_);
        store.eraseFromParent();
    }

    AllocaInst &local_;
    const DataLayout &layout_;
    Type *type_ = nullptr;
    AllocaInst *number_ = nullptr;
    bool varies_ = false;  // where something is written to it, or how much is copied
    unsigned known_places_ = 0;  // that are written to
    unsigned other_places_ = 0;
    std::vector<StoreInst *> stores_;
    std::vector<IntrinsicInst *> marks_;
    std::vector<GetElementPtrInst *> steps_;  // what comes first before what is based on it
};

class Pieces {
  public:
    // `buffer`: from where it is copied, if that is in a register.
    Pieces(const Copy &copy, const Buffer *buffer)
        : copy_(copy), call_(*copy.call), end_(SplitBlock(call_.getParent(), &call_)),
          builder_(end_->getSinglePredecessor()) {
        builder_.GetInsertBlock()->getTerminator()->eraseFromParent();
        builder_.SetInsertPoint(builder_.GetInsertBlock());
        builder_.SetCurrentDebugLocation(call_.getDebugLoc());
        if (buffer)
            number_ = buffer->read(copy.from.offset, builder_);
    }

    void write() {
        if (const auto *length = dyn_cast<ConstantInt>(call_.getLength()))
            write_all(std::min(length->getZExtValue(), copy_.bound));
        else
            for (const unsigned width : widths)
                if (copy_.bound >= width)
                    write_where_it_has(width);
        builder_.CreateBr(end_);
        call_.eraseFromParent();
    }

  private:
    void write_all(uint64_t length) {
        uint64_t at = 0;
        for (const unsigned width : widths)
            for (; length - at >= width; at += width) {
                Value *rest = at == 0 ? number_ : builder_.CreateLShr(number_, 8 * at);
                Value *place = call_.getRawDest();
                if (at != 0)
                    place = builder_.CreateInBoundsPtrAdd(place, builder_.getInt64(at));
                builder_.CreateAlignedStore(builder_.CreateTrunc(rest, builder_.getIntNTy(8 * width)), place,
                                            commonAlignment(call_.getDestAlign().valueOrOne(), at));
            }
    }

    // Both pieces are loaded before one is stored: the places may overlap.
    void write_where_it_has(unsigned width) {
        BasicBlock *fits = open_block();
        BasicBlock *less = open_block();
        Value *smallest = ConstantInt::get(call_.getLength()->getType(), width);
        builder_.CreateCondBr(builder_.CreateICmpUGE(call_.getLength(), smallest), fits, less);
        builder_.SetInsertPoint(fits);
        Value *last = width == 1 ? nullptr : builder_.CreateSub(call_.getLength(), smallest);
        Value *first_part = read(nullptr, width);
        Value *last_part = last ? read(last, width) : nullptr;
        builder_.CreateAlignedStore(first_part, call_.getRawDest(), call_.getDestAlign());
        if (last)
            builder_.CreateAlignedStore(last_part, builder_.CreateInBoundsPtrAdd(call_.getRawDest(), last), Align());
        builder_.CreateBr(end_);
        builder_.SetInsertPoint(less);
    }

    // `from`: bytes further on; null: none.
    Value *read(Value *from, unsigned width) {
        Type *type = builder_.getIntNTy(8 * width);
        if (!number_)
            return from ? builder_.CreateAlignedLoad(type, builder_.CreateInBoundsPtrAdd(call_.getRawSource(), from),
                                                     Align())
                        : builder_.CreateAlignedLoad(type, call_.getRawSource(), call_.getSourceAlign());
        if (!from)
            return builder_.CreateTrunc(number_, type);
        // It has less than two of the next width.
        Type *both =
            number_->getType()->getIntegerBitWidth() > 16 * width ? builder_.getIntNTy(16 * width) : number_->getType();
        Value *bits = builder_.CreateZExtOrTrunc(builder_.CreateShl(from, 3), both);
        return builder_.CreateTrunc(builder_.CreateLShr(builder_.CreateTrunc(number_, both), bits), type);
    }

    BasicBlock *open_block() { return BasicBlock::Create(end_->getContext(), "piece", end_->getParent(), end_); }

    const Copy &copy_;
    MemTransferInst &call_;
    BasicBlock *end_;
    IRBuilder<> builder_;
    Value *number_ = nullptr;
};

}  // namespace

void write_small_copies(Function &function) {
    std::vector<Copy> copies;
    std::vector<std::unique_ptr<Buffer>> buffers;
    DenseMap<const AllocaInst *, const Buffer *> of_local;
    for (Instruction &instruction : instructions(function)) {
        const std::optional<Copy> copy = small_copy(instruction);
        if (!copy)
            continue;
        copies.push_back(*copy);
        if (!copy->from.local || !of_local.try_emplace(copy->from.local, nullptr).second)
            continue;
        if (std::unique_ptr<Buffer> buffer = Buffer::of(*copy->from.local)) {
            of_local[copy->from.local] = buffer.get();
            buffers.push_back(std::move(buffer));
        }
    }
    for (const std::unique_ptr<Buffer> &buffer : buffers)
        buffer->write();
    for (const Copy &copy : copies)
        if (const Buffer *buffer = of_local.lookup(copy.from.local); buffer || !has_known_length(copy))
            Pieces(copy, buffer).write();
    if (buffers.empty())
        return;
    std::vector<AllocaInst *> numbers;
    for (const std::unique_ptr<Buffer> &buffer : buffers)
        numbers.push_back(buffer->finish());
    DominatorTree dominators(function);
    PromoteMemToReg(numbers, dominators);
}

}  // namespace thalweg::transform::specializer
