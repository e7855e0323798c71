// transform: the tests at a line's front that may be made in one go become one.
#include "transform/event/slot_image.h"

#include <map>
#include <optional>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

namespace thalweg::transform {

using namespace llvm;

namespace {

constexpr StringLiteral front_metadata = "thalweg.front";
constexpr StringLiteral joined_attribute = "thalweg-joined-test";

// The least size of a page of memory on any Linux. A list that is no longer and whose first slot and whose end are pointers
// into objects lies on pages of these two objects: all of it may be read, whatever is between them.
constexpr uint64_t least_page_bytes = 4096;
constexpr uint64_t pointer_bytes = 8;
// SSE2, which every x86-64 has, and NEON.
constexpr uint64_t vector_bytes = 16;
// So far back it is searched for the test of a list's end. A line takes in some ten lists at most (raw::targets_per_sequence targets in all).
constexpr unsigned max_tests_above = 128;

// One compare of a test: the pointer at `base` + `offset` is `expected`.
struct Compare {
    Value *base;
    uint64_t offset;
    Constant *expected;
};

struct FrontTest {
    BasicBlock *block;
    std::vector<Compare> compares;
    bool operator==(const FrontTest &other) const { return block == other.block; }
};

struct Address {
    Value *base;
    int64_t offset;
};

Address address_of(Value *pointer, const DataLayout &layout) {
    APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, false);
    return {base, offset.getSExtValue()};
}

bool add_compares(Value *condition, std::vector<Compare> &compares, SmallVectorImpl<LoadInst *> &loads) {
    if (auto *both = dyn_cast<BinaryOperator>(condition); both && both->getOpcode() == Instruction::And)
        return add_compares(both->getOperand(0), compares, loads) && add_compares(both->getOperand(1), compares, loads);
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare || compare->getPredicate() != ICmpInst::ICMP_EQ)
        return false;
    auto *load = dyn_cast<LoadInst>(compare->getOperand(0));
    auto *expected = dyn_cast<Constant>(compare->getOperand(1));
    if (!load || !expected || !load->isSimple() || !load->getType()->isPointerTy() || expected->isThreadDependent())
        return false;
    const DataLayout &layout = load->getModule()->getDataLayout();
    if (layout.getTypeStoreSize(load->getType()) != pointer_bytes)
        return false;
    const Address address = address_of(load->getPointerOperand(), layout);
    if (address.offset < 0)
        return false;
    compares.push_back({address.base, static_cast<uint64_t>(address.offset), expected});
    loads.push_back(load);
    return true;
}

bool only_reads(BasicBlock::iterator from, BasicBlock *block) {
    return llvm::all_of(make_range(from, block->end()), [](const Instruction &instruction) {
        return !instruction.mayWriteToMemory() &&
               (instruction.isTerminator() || isGuaranteedToTransferExecutionToSuccessor(&instruction));
    });
}

BranchInst *front_branch(BasicBlock *block) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    return branch && branch->isConditional() && branch->getMetadata(front_metadata) ? branch : nullptr;
}

// The test at the end of `block`, going on to its first successor, if it compares what one list holds with constants, and nothing else is
// done after it began to read them.
std::optional<FrontTest> test_of(BasicBlock *block) {
    BranchInst *branch = front_branch(block);
    FrontTest test{block, {}};
    SmallVector<LoadInst *, 4> loads;
    if (!branch || !add_compares(branch->getCondition(), test.compares, loads))
        return std::nullopt;
    for (const Compare &compare : test.compares)
        if (compare.base != test.compares.front().base)
            return std::nullopt;
    BasicBlock::iterator first = branch->getIterator();
    for (LoadInst *load : loads) {
        if (load->getParent() != block)
            return std::nullopt;
        if (load->comesBefore(&*first))
            first = load->getIterator();
    }
    return only_reads(first, block) ? std::optional(std::move(test)) : std::nullopt;
}

// How many bytes behind `base` are known to be the list's when `block` is come to; 0: not known.
uint64_t known_bytes(Value *base, BasicBlock *block) {
    const DataLayout &layout = block->getModule()->getDataLayout();
    for (unsigned i = 0; i < max_tests_above; ++i) {
        BasicBlock *above = block->getSinglePredecessor();
        auto *branch = above ? dyn_cast<BranchInst>(above->getTerminator()) : nullptr;
        if (!branch)
            return 0;
        auto *compare = branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
        const unsigned equal = compare && compare->getPredicate() == ICmpInst::ICMP_NE ? 1 : 0;
        if (compare && compare->isEquality() && compare->getOperand(0)->getType()->isPointerTy() &&
            branch->getSuccessor(equal) == block && branch->getSuccessor(1 - equal) != block)
            for (Value *side : compare->operands()) {
                const Address end = address_of(side, layout);
                if (end.base == base && end.offset > 0)
                    return static_cast<uint64_t>(end.offset);
            }
        block = above;
    }
    return 0;
}

class Joiner {
  public:
    Joiner(Function &function, const TargetTransformInfo &target) : function_(function) {
        const TypeSize width = target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector);
        has_vectors_ =
            width.getFixedValue() >= 8 * vector_bytes && !function.hasFnAttribute(Attribute::NoImplicitFloat);
    }

    void join() {
        if (!has_vectors_)
            return;
        SmallVector<BasicBlock *, 32> blocks;
        for (BasicBlock &block : function_)
            blocks.push_back(&block);
        for (BasicBlock *block : blocks)
            if (!done_.contains(block))
                if (const auto first = test_of(block))
                    join_from(*first);
    }

  private:
    // Tests of the same list further down, each come to only by the ones above it, that lead to the same place on failure.
    void join_from(const FrontTest &first) {
        Value *base = first.compares.front().base;
        const uint64_t bytes = known_bytes(base, first.block);
        BranchInst *branch = front_branch(first.block);
        BasicBlock *otherwise = branch->getSuccessor(1);
        std::vector<FrontTest> tests{first};
        BasicBlock *block = branch->getSuccessor(0);
        while (bytes != 0 && bytes <= least_page_bytes && block->getSinglePredecessor()) {
            BranchInst *next = front_branch(block);
            const unsigned on = next && next->getSuccessor(0) == otherwise ? 1 : 0;
            if (!next || next->getSuccessor(1 - on) != otherwise || next->getSuccessor(on) == otherwise ||
                !only_reads(block->begin(), block) || !arrives_alike(otherwise, first.block, block))
                break;
            // One that goes on where it does not hold asks for a difference, as whether a function object is empty: it stays.
            const auto test = on == 0 ? test_of(block) : std::nullopt;
            if (test && test->compares.front().base == base && lies_in(*test, bytes))
                tests.push_back(*test);
            block = next->getSuccessor(on);
        }
        if (tests.size() > 1 || first.compares.size() > 1)
            make_one(tests);
    }

    static bool lies_in(const FrontTest &test, uint64_t bytes) {
        return llvm::all_of(test.compares,
                            [&](const Compare &compare) { return compare.offset + pointer_bytes <= bytes; });
    }

    static bool arrives_alike(BasicBlock *at, BasicBlock *one, BasicBlock *other) {
        return llvm::all_of(at->phis(), [&](PHINode &phi) {
            return phi.getIncomingValueForBlock(one) == phi.getIncomingValueForBlock(other);
        });
    }

    void make_one(const std::vector<FrontTest> &tests) {
        std::map<uint64_t, Constant *> expected;
        for (const FrontTest &test : tests) {
            done_.insert(test.block);
            for (const Compare &compare : test.compares)
                if (!expected.try_emplace(compare.offset, compare.expected).second &&
                    expected[compare.offset] != compare.expected)
                    return;
        }
        BranchInst *branch = front_branch(tests.front().block);
        Value *before = branch->getCondition();
        IRBuilder<> builder(branch);
        branch->setCondition(builder.CreateCall(emit_test(expected), {tests.front().compares.front().base}));
        RecursivelyDeleteTriviallyDeadInstructions(before);
        for (const FrontTest &test : tests)
            if (test.block != tests.front().block)
                make_certain(front_branch(test.block));
    }

    static void make_certain(BranchInst *branch) {
        Value *condition = branch->getCondition();
        branch->getSuccessor(1)->removePredecessor(branch->getParent(), true);
        BranchInst::Create(branch->getSuccessor(0), branch->getIterator())->setDebugLoc(branch->getDebugLoc());
        branch->eraseFromParent();
        RecursivelyDeleteTriviallyDeadInstructions(condition);
    }

    Function *emit_test(const std::map<uint64_t, Constant *> &expected) {
        LLVMContext &context = function_.getContext();
        auto *type = FunctionType::get(Type::getInt1Ty(context), {PointerType::getUnqual(context)}, false);
        Function *test = Function::Create(type, GlobalValue::InternalLinkage, "thalweg.same", function_.getParent());
        for (const auto attribute :
             {Attribute::NoInline, Attribute::OptimizeNone, Attribute::NoUnwind, Attribute::WillReturn,
              Attribute::MustProgress, Attribute::NoFree, Attribute::NoSync})
            test->addFnAttr(attribute);
        test->setOnlyReadsMemory();
        test->addFnAttr(joined_attribute);
        for (const char *same : {"target-cpu", "target-features"})
            if (function_.hasFnAttribute(same))
                test->addFnAttr(function_.getFnAttribute(same));
        IRBuilder<> builder(BasicBlock::Create(context, "", test));
        builder.CreateRet(compare_all(builder, test->getArg(0), expected));
        return test;
    }

    // Two pointers a vector: neighbours in memory by one load, others each by its own.
    Value *compare_all(IRBuilder<> &builder, Value *base, const std::map<uint64_t, Constant *> &expected) {
        std::vector<std::pair<Value *, std::pair<Constant *, Constant *>>> vectors;
        std::vector<std::pair<uint64_t, Constant *>> single;
        for (auto one = expected.begin(); one != expected.end(); ++one) {
            const auto next = std::next(one);
            if (next == expected.end() || next->first != one->first + pointer_bytes) {
                single.push_back(*one);
                continue;
            }
            Value *both = builder.CreateAlignedLoad(vector_type(builder), at(builder, base, one->first), Align(1));
            vectors.push_back({both, {one->second, next->second}});
            one = next;
        }
        for (size_t i = 0; i < single.size(); i += 2) {
            const bool last = i + 1 == single.size();
            Value *both = with_pointer(builder, Constant::getNullValue(halves(builder)), base, single[i].first, 0);
            if (!last)
                both = with_pointer(builder, both, base, single[i + 1].first, 1);
            Constant *nothing = ConstantPointerNull::get(builder.getPtrTy());
            vectors.push_back({builder.CreateBitCast(both, vector_type(builder)),
                               {single[i].second, last ? nothing : single[i + 1].second}});
        }
        return compare_vectors(builder, vectors);
    }

    Value *compare_vectors(IRBuilder<> &builder,
                           ArrayRef<std::pair<Value *, std::pair<Constant *, Constant *>>> vectors) {
        std::vector<Constant *> image;
        for (const auto &[value, both] : vectors)
            image.insert(image.end(), {both.first, both.second});
        GlobalVariable *expected = emit_image(image);
        Value *equal = nullptr;
        for (size_t i = 0; i < vectors.size(); ++i) {
            Value *wanted = builder.CreateAlignedLoad(vector_type(builder), at(builder, expected, vector_bytes * i),
                                                      Align(vector_bytes));
            Value *same = builder.CreateICmpEQ(vectors[i].first, wanted);
            equal = equal ? builder.CreateAnd(equal, same) : same;
        }
        Type *bits = builder.getIntNTy(vector_bytes / 4);
        return builder.CreateICmpEQ(builder.CreateBitCast(equal, bits), Constant::getAllOnesValue(bits));
    }

    // Words of 32 bits: SSE2 compares none that are longer.
    static Type *vector_type(IRBuilder<> &builder) {
        return FixedVectorType::get(builder.getInt32Ty(), vector_bytes / 4);
    }
    // As numbers that are never computed with: the half that is loaded second needs no instruction of its own then.
    static Type *halves(IRBuilder<> &builder) { return FixedVectorType::get(builder.getDoubleTy(), 2); }

    static Value *at(IRBuilder<> &builder, Value *base, uint64_t offset) {
        return offset == 0 ? base : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
    }

    static Value *with_pointer(IRBuilder<> &builder, Value *vector, Value *base, uint64_t offset, uint64_t half) {
        Value *word = builder.CreateAlignedLoad(builder.getDoubleTy(), at(builder, base, offset), Align(1));
        return builder.CreateInsertElement(vector, word, half);
    }

    GlobalVariable *emit_image(ArrayRef<Constant *> pointers) {
        ArrayType *type = ArrayType::get(pointers.front()->getType(), pointers.size());
        auto *image = new GlobalVariable(*function_.getParent(), type, true, GlobalValue::PrivateLinkage,
                                         ConstantArray::get(type, pointers), "thalweg.image");
        image->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
        image->setAlignment(Align(vector_bytes));
        return image;
    }

    Function &function_;
    bool has_vectors_ = false;
    SmallPtrSet<BasicBlock *, 16> done_;
};

}  // namespace

void mark_front_test(Instruction &branch) { branch.setMetadata(front_metadata, MDNode::get(branch.getContext(), {})); }

void join_front_tests(Function &function, const TargetTransformInfo &target) { Joiner(function, target).join(); }

void inline_joined_tests(Module &module) {
    for (Function &function : make_early_inc_range(module)) {
        if (!function.hasFnAttribute(joined_attribute))
            continue;
        for (User *user : make_early_inc_range(function.users())) {
            auto *call = dyn_cast<CallBase>(user);
            InlineFunctionInfo info;
            if (call && call->getCalledFunction() == &function)
                InlineFunction(*call, info);
        }
        if (function.use_empty())
            function.eraseFromParent();
    }
}

}  // namespace thalweg::transform
