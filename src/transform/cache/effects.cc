// transform: what one instruction reads and writes, in a function that is run for all inputs at once.
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/VectorUtils.h"

#include "transform/cache/run.h"
#include "transform/ir/rounding.h"

namespace thalweg::transform::cache {

using namespace llvm;

namespace {

// From where a pointer points, and of what is copied at once. In Sun RPC, libpcap, nanopb, protobuf-c, nettle and Lua those that are known
// end at 8,208 bytes, and those of a counter of which nothing is known begin at 4,294,967,264: half or double of this decides the same.
// Sums of them fit 64 bits with room to spare.
constexpr int64_t max_offset = 1 << 20;

constexpr const char *no_known_place = "it uses memory at a place that isn't known";
constexpr const char *no_known_size = "it uses memory whose size isn't known";

// What gives the same for the same operands, wherever and whenever it is asked.
bool is_mere_function(Intrinsic::ID id) {
    switch (id) {
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::smul_with_overflow:
    case Intrinsic::umul_with_overflow:
    case Intrinsic::vector_reduce_add:
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_or:
    case Intrinsic::vector_reduce_xor:
    case Intrinsic::expect:
    case Intrinsic::is_constant:
        return true;
    default:
        return isTriviallyVectorizable(id);
    }
}

// What says something about the program and does nothing.
bool is_remark(Intrinsic::ID id) {
    switch (id) {
    case Intrinsic::assume:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::prefetch:
    case Intrinsic::trap:
    case Intrinsic::ubsantrap:
        return true;
    default:
        return false;
    }
}

}  // namespace

void Run::instruction(const Instruction &instruction, State &state) {
    if (instruction.isVolatile() || instruction.isAtomic())
        return unknown("it has volatile or atomic accesses", instruction);
    if (const auto *one = dyn_cast<LoadInst>(&instruction))
        return load(*one, state);
    if (const auto *one = dyn_cast<CallBase>(&instruction))
        return call(*one, state);
    if (const auto *one = dyn_cast<AllocaInst>(&instruction)) {
        if (!one->isStaticAlloca())
            return unknown("it has local variables whose size isn't known", instruction);
        state.values[one] = abstract::pointer(*one, 0);
        return;
    }
    if (const auto *one = dyn_cast<StoreInst>(&instruction)) {
        used_as_number(read(*one->getValueOperand(), state), instruction);
        const TypeSize size = layout_.getTypeStoreSize(one->getValueOperand()->getType());
        if (size.isScalable())
            return unknown(no_known_size, instruction);
        return touch(read(*one->getPointerOperand(), state), ConstantRange(APInt(pointer_bits, size.getFixedValue())),
                     Access::write, instruction, state);
    }
    if (instruction.mayReadOrWriteMemory() || instruction.mayThrow())
        return unknown("it does what can't be followed", instruction);
    compute(instruction, state);
}

void Run::compute(const Instruction &instruction, State &state) {
    if (!float_environment_.empty() && rounds(instruction))
        return unknown("it computes with floating point, and the program uses " + float_environment_, instruction);
    if (is_null_test(instruction, state))
        return;
    const auto read_one = [&](const Value &value) { return read(value, state); };
    if (const std::optional<Known> value = abstract::evaluate(instruction, read_one)) {
        state.values[&instruction] = *value;
        return;
    }
    for (const Value *operand : instruction.operand_values())
        used_as_number(read(*operand, state), instruction);
    state.values[&instruction] = abstract::anything(*instruction.getType());
}

// A pointer that is followed in any case is not null, or it is tested before anything is compared.
bool Run::is_null_test(const Instruction &instruction, State &state) {
    const auto *test = dyn_cast<ICmpInst>(&instruction);
    if (!test || !test->isEquality())
        return false;
    Known one = read(*test->getOperand(0), state);
    Known other = read(*test->getOperand(1), state);
    if (!one.base)
        std::swap(one, other);
    if (!one.base || !other.number() || !other.number()->isZero())
        return false;
    if (const auto *argument = dyn_cast<Argument>(one.base)) {
        if (!one.range->isSingleElement() || !one.range->getSingleElement()->isZero())
            return false;
        if (!argument->hasNonNullAttr() && !argument->hasByValAttr())
            not_null_.insert(argument->getArgNo());
    } else if (const auto *variable = dyn_cast<GlobalValue>(one.base); variable && variable->hasExternalWeakLinkage()) {
        return false;
    }
    state.values[&instruction] = abstract::number(APInt(1, test->getPredicate() == CmpInst::ICMP_NE ? 1 : 0));
    return true;
}

void Run::load(const LoadInst &load, State &state) {
    const Known place = read(*load.getPointerOperand(), state);
    const TypeSize size = layout_.getTypeStoreSize(load.getType());
    if (size.isScalable())
        return unknown(no_known_size, load);
    touch(place, ConstantRange(APInt(pointer_bits, size.getFixedValue())), Access::read, load, state);
    Known &value = state.values[&load];
    value = abstract::anything(*load.getType());
    const auto *table = dyn_cast_or_null<GlobalVariable>(place.base);
    if (gave_up() || !table || !table->isConstant() || !table->hasDefinitiveInitializer())
        return;
    if (const APInt *offset = place.range->getSingleElement())
        if (const Constant *held = ConstantFoldLoadFromConst(const_cast<Constant *>(table->getInitializer()),
                                                             load.getType(), *offset, layout_))
            value = abstract::of_constant(*held, layout_);
}

void Run::call(const CallBase &call, State &state) {
    if (const auto *one = dyn_cast<IntrinsicInst>(&call); one && intrinsic(*one, state))
        return;
    if (call.isInlineAsm())
        return unknown("it has assembler code", call);
    // A failed assertion: for inputs that lead there nothing was ever kept.
    if (isa<CallInst>(call) && call.doesNotReturn())
        return join_done(any_end_, state);
    if (isa<IntrinsicInst>(call))
        return unknown("it uses " + call.getCalledFunction()->getName().str(), call);
    const Function *callee = call.getCalledFunction();
    if (!callee)
        return unknown("it calls through a pointer", call);
    if (!callee->isDeclaration())
        return unknown("it calls " + callee->getName().str() + ", which calls itself or can't be looked through", call);
    if (!call.doesNotAccessMemory() || !call.hasFnAttr(Attribute::WillReturn) || !call.doesNotThrow())
        return unknown("it calls " + callee->getName().str() + ", which may do anything", call);
    compute(call, state);
}

bool Run::intrinsic(const IntrinsicInst &call, State &state) {
    if (isa<DbgInfoIntrinsic>(call) || is_remark(call.getIntrinsicID()))
        return true;
    if (const auto *one = dyn_cast<AnyMemIntrinsic>(&call)) {
        copy(*one, state);
        return true;
    }
    if (!is_mere_function(call.getIntrinsicID()))
        return false;
    compute(call, state);
    return true;
}

void Run::copy(const AnyMemIntrinsic &copy, State &state) {
    const Known length = read(*copy.getLength(), state);
    if (length.base || !length.range || copy.isVolatile() || isa<AtomicMemIntrinsic>(copy))
        return unknown(no_known_size, copy);
    const ConstantRange size = length.range->zextOrTrunc(pointer_bits);
    if (const auto *transfer = dyn_cast<AnyMemTransferInst>(&copy))
        touch(read(*transfer->getRawSource(), state), size, Access::read, copy, state);
    touch(read(*copy.getRawDest(), state), size, Access::write, copy, state);
}

void Run::touch(const Known &place, const ConstantRange &size, Access access, const Instruction &where, State &state) {
    if (gave_up() || (size.isSingleElement() && size.getSingleElement()->isZero()))
        return;
    if (!place.base || place.range->isEmptySet())
        return unknown(no_known_place, where);
    const bool writes = access == Access::write;
    if (isa<AllocaInst>(place.base))
        return;
    const auto *variable = dyn_cast<GlobalVariable>(place.base);
    if (variable && (variable->isThreadLocal() || variable->hasExternalWeakLinkage()))
        return unknown("it uses the variable " + variable->getName().str() + ", which is not the same for all", where);
    if (variable && variable->isConstant()) {
        if (writes)
            unknown("it writes a constant", where);
        return;
    }
    if (size.isEmptySet() || size.getUnsignedMax().ugt(max_offset))
        return unknown(no_known_size, where);
    Bytes bytes;
    if (variable && has_own_size(*variable)) {
        // Beyond its ends nothing may be read or written.
        const auto whole = static_cast<int64_t>(layout_.getTypeAllocSize(variable->getValueType()).getFixedValue());
        bytes.first = std::clamp<int64_t>(place.range->getSignedMin().getSExtValue(), 0, whole);
        bytes.end = std::clamp<int64_t>(place.range->getSignedMax().getSExtValue(), 0, whole) +
                    static_cast<int64_t>(size.getUnsignedMax().getZExtValue());
        bytes.end = std::min(bytes.end, whole);
    } else {
        const APInt first = place.range->getSignedMin();
        const APInt last = place.range->getSignedMax();
        if (first.slt(-max_offset) || last.sgt(max_offset))
            return unknown(no_known_place, where);
        bytes = {first.getSExtValue(),
                 last.getSExtValue() + static_cast<int64_t>(size.getUnsignedMax().getZExtValue())};
    }
    const bool surely = place.range->isSingleElement() && size.isSingleElement();
    if (writes)
        write_bytes(*place.base, bytes, surely, state);
    else
        read_bytes(*place.base, bytes, surely, state);
}

void Run::read_bytes(const Value &object, Bytes bytes, bool surely, State &state) {
    Done &done = state.done[&object];
    ByteSet read;
    read.add(bytes);
    first_read_[&object].add(read.without(done.written));
    if (surely)
        done.touched.add(bytes);
}

void Run::write_bytes(const Value &object, Bytes bytes, bool surely, State &state) {
    may_write_[&object].add(bytes);
    if (!surely)
        return;
    Done &done = state.done[&object];
    done.written.add(bytes);
    done.touched.add(bytes);
}

// What it computes depends on the address then.
void Run::used_as_number(const Known &known, const Instruction &where) {
    if (!known.base)
        return;
    if (const auto *argument = dyn_cast<Argument>(known.base); argument && !argument->hasByValAttr())
        values_.insert(argument->getArgNo());
    else if (!isa<GlobalVariable>(known.base))
        unknown("the address of a local variable becomes part of what it computes", where);
}

}  // namespace thalweg::transform::cache
