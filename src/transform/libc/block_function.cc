// transform: the list of a size, whether it has a block or room, and the loads and stores.
//
// Blocks are the C library's own, with its chunk's size in the word in front of each, so whoever gets one may give it back by other ways. A thread that
// keeps none (abi/blocks.h: its key is 0) has empty lists without room, and the word in front of a block is read behind that question.
#include "transform/libc/block_function.h"

#include <cstddef>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/MathExtras.h"

#include "abi/blocks.h"
#include "abi/names.h"
#include "transform/ir/abi.h"
#include "transform/ir/function_effects.h"

namespace thalweg::transform {

using namespace llvm;
using knowledge::BlockUse;

namespace {

constexpr uint64_t largest_chunk = uint64_t{thalweg_crossing_last_block_class} << thalweg_crossing_block_unit_bits;
constexpr uint64_t largest_request = largest_chunk - thalweg_crossing_block_word;
constexpr StringLiteral made_prefix = "thalweg.";
constexpr uint64_t unit = uint64_t{1} << thalweg_crossing_block_unit_bits;

// Of a twin.
struct Counters {
    Constant *name;
    const model::CountedFunction &counted;
    Keeps keeps;
};
constexpr uint32_t counter_of_calls = 0;
constexpr uint32_t counter_of_served = 1;
constexpr uint32_t counters = 2;

// In units; of 1,032 bytes at most.
uint64_t class_of(uint64_t size) {
    const uint64_t units = (size + thalweg_crossing_block_word + unit - 1) / unit;
    return std::max<uint64_t>(units, thalweg_crossing_first_block_class);
}

class BlockFunction {
  public:
    // `known_class`: of what is asked for; none: it is not always the same.
    BlockFunction(Function &function, Function &callee, std::optional<uint64_t> known_class, const Counters *counters)
        : function_(function), callee_(callee), known_class_(known_class), counters_(counters),
          builder_(function.getContext()), library_(BasicBlock::Create(function.getContext(), "library", &function)) {
        builder_.SetInsertPoint(BasicBlock::Create(function.getContext(), "", &function, library_));
        count(counter_of_calls);
    }

    void write(BlockUse use) {
        if (counters_ != nullptr && counters_->keeps == Keeps::nothing)
            builder_.CreateBr(library_);
        else
            go_by_lists(use);
        builder_.SetInsertPoint(library_);
        hand_on(builder_, function_, callee_);
    }

  private:
    void go_by_lists(BlockUse use) {
        switch (use) {
        case BlockUse::given:
            give(argument(0));
            break;
        case BlockUse::given_as_zeros:
            give_zeros();
            break;
        case BlockUse::resized:
            resize();
            break;
        case BlockUse::taken_back:
            take_back();
            break;
        }
    }

    Value *argument(unsigned position) const { return function_.getArg(position); }
    Value *word(uint64_t value) { return builder_.getInt64(value); }
    BasicBlock *block(const char *name = "") {
        return BasicBlock::Create(function_.getContext(), name, &function_, library_);
    }

    // Goes on where it holds, else at `otherwise`.
    void require(Value *holds, BasicBlock *otherwise) {
        BasicBlock *next = block();
        builder_.CreateCondBr(holds, next, otherwise, MDBuilder(function_.getContext()).createLikelyBranchWeights());
        builder_.SetInsertPoint(next);
    }

    void count(uint32_t counter) {
        if (counters_ == nullptr)
            return;
        builder_.CreateCall(Intrinsic::getDeclaration(function_.getParent(), Intrinsic::instrprof_increment),
                            {counters_->name, word(counters_->counted.hash),
                             builder_.getInt32(counters_->counted.counters), builder_.getInt32(counter)});
    }

    Value *member(Value *base, size_t offset) {
        return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
    }
    Value *load(Value *at) { return builder_.CreateLoad(builder_.getInt64Ty(), at); }

    Value *blocks() {
        GlobalVariable *variable =
            declare_of_thread(*function_.getParent(), ABI_SYMBOL(thalweg_crossing_small_blocks).name,
                              storage_of<thalweg_crossing_blocks>(function_.getContext()));
        return builder_.CreateThreadLocalAddress(variable);
    }

    Value *list_of(Value *blocks, Value *block_class) {
        Value *offset = builder_.CreateMul(block_class, word(sizeof(thalweg_crossing_block_list)));
        return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), member(blocks, offsetof(thalweg_crossing_blocks, of)),
                                          offset);
    }
    Value *first_of(Value *list) { return member(list, offsetof(thalweg_crossing_block_list, first)); }
    Value *room_of(Value *list) { return member(list, offsetof(thalweg_crossing_block_list, room)); }

    // Of a request; goes to the library where it is none.
    Value *wanted_class(Value *size) {
        if (known_class_)
            return word(*known_class_);
        require(builder_.CreateICmpULE(size, word(largest_request)), library_);
        Value *units = builder_.CreateLShr(builder_.CreateAdd(size, word(thalweg_crossing_block_word + unit - 1)),
                                           thalweg_crossing_block_unit_bits);
        return builder_.CreateBinaryIntrinsic(Intrinsic::umax, units, word(thalweg_crossing_first_block_class));
    }

    Value *masked(Value *value, Value *address) {
        return builder_.CreateXor(value, builder_.CreateLShr(address, thalweg_crossing_mask_bits));
    }

    void give(Value *size) {
        Value *given = taken_from(list_of(blocks(), wanted_class(size)));
        count(counter_of_served);
        builder_.CreateRet(given);
    }

    // As glibc, all that the block has room for.
    void give_zeros() {
        Value *wants = wanted_class(known_class_ ? nullptr : product());
        Value *given = taken_from(list_of(blocks(), wants));
        builder_.CreateMemSet(given, builder_.getInt8(0), bytes_of(wants), Align(unit));
        count(counter_of_served);
        builder_.CreateRet(given);
    }

    // Of the two arguments; goes to the library where it is no number of 64 bits.
    Value *product() {
        Value *both = builder_.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, argument(0), argument(1));
        require(builder_.CreateNot(builder_.CreateExtractValue(both, 1)), library_);
        return builder_.CreateExtractValue(both, 0);
    }

    // What a block of the class has room for.
    Value *bytes_of(Value *block_class) {
        return builder_.CreateSub(builder_.CreateShl(block_class, thalweg_crossing_block_unit_bits),
                                  word(thalweg_crossing_block_word));
    }

    // The first block of a list; goes to the library where there is none.
    Value *taken_from(Value *list) {
        Value *address = load(first_of(list));
        require(builder_.CreateIsNotNull(address), library_);
        Value *given = builder_.CreateIntToPtr(address, builder_.getPtrTy());
        Value *next = masked(load(given), address);
        require(builder_.CreateIsNull(builder_.CreateAnd(next, unit - 1)), damaged());
        builder_.CreateStore(next, first_of(list));
        builder_.CreateStore(builder_.CreateAdd(load(room_of(list)), word(1)), room_of(list));
        builder_.CreateStore(word(0), member(given, sizeof(uint64_t)));
        return given;
    }

    BasicBlock *damaged() {
        BasicBlock *made = block("damaged");
        IRBuilder<> builder(made);
        builder.CreateCall(declare(*function_.getParent(), ABI_SYMBOL(thalweg_crossing_damaged_blocks)));
        builder.CreateUnreachable();
        return made;
    }

    // The class of a block's chunk; goes to the library where it is too large, or no block, or the thread keeps nothing.
    Value *own_class(Value *address, Value *key, BasicBlock *without_key) {
        require(builder_.CreateIsNotNull(key), without_key);
        Value *misplaced = builder_.CreateAnd(builder_.CreatePtrToInt(address, builder_.getInt64Ty()), unit - 1);
        require(builder_.CreateIsNull(misplaced), library_);
        Value *before = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), address,
                                                   builder_.getInt64(-uint64_t{thalweg_crossing_block_word}));
        Value *units = builder_.CreateLShr(load(before), thalweg_crossing_block_unit_bits);
        require(builder_.CreateICmpULE(units, word(thalweg_crossing_last_block_class)), library_);
        return units;
    }

    // realloc (C23, 7.24.3.7) gives a new block where it has none. glibc leaves one where it is that has the size which is wanted, and one that is to be
    // smaller; one that is to be larger may go on elsewhere.
    void resize() {
        BasicBlock *new_one = block();
        BasicBlock *old_one = block();
        builder_.CreateCondBr(builder_.CreateIsNull(argument(0)), new_one, old_one);
        builder_.SetInsertPoint(old_one);
        Value *size = argument(1);
        Value *own = blocks();
        Value *key = load(member(own, offsetof(thalweg_crossing_blocks, key)));
        Value *has = own_class(argument(0), key, library_);
        require(builder_.CreateIsNotNull(size), library_);
        Value *wants = wanted_class(size);
        BasicBlock *as_it_is = block();
        BasicBlock *other = block();
        builder_.CreateCondBr(builder_.CreateICmpEQ(has, wants), as_it_is, other);
        builder_.SetInsertPoint(other);
        grow(own, key, has, wants);
        builder_.SetInsertPoint(as_it_is);
        count(counter_of_served);
        builder_.CreateRet(argument(0));
        builder_.SetInsertPoint(new_one);
        give(size);
    }

    void grow(Value *own, Value *key, Value *has, Value *wants) {
        require(builder_.CreateICmpULT(has, wants), library_);
        Value *old_list = list_of(own, has);
        require_room(old_list, argument(0), key, library_);
        Value *given = taken_from(list_of(own, wants));
        builder_.CreateMemCpy(given, Align(unit), argument(0), Align(unit), bytes_of(has));
        keep(old_list, argument(0), key);
        count(counter_of_served);
        builder_.CreateRet(given);
    }

    // Goes on where the list has room, and the block does not look as if it were in one.
    void require_room(Value *list, Value *given, Value *key, BasicBlock *twice) {
        require(builder_.CreateIsNotNull(load(room_of(list))), library_);
        require(builder_.CreateICmpNE(load(member(given, sizeof(uint64_t))), key), twice);
    }

    void keep(Value *list, Value *given, Value *key) {
        Value *address = builder_.CreatePtrToInt(given, builder_.getInt64Ty());
        builder_.CreateStore(builder_.CreateSub(load(room_of(list)), word(1)), room_of(list));
        builder_.CreateStore(masked(load(first_of(list)), address), given);
        builder_.CreateStore(key, member(given, sizeof(uint64_t)));
        builder_.CreateStore(address, first_of(list));
    }

    void take_back() {
        BasicBlock *done = block();
        IRBuilder<>(done).CreateRetVoid();
        Value *given = argument(0);
        require(builder_.CreateIsNotNull(given), done);
        Value *own = blocks();
        Value *key = load(member(own, offsetof(thalweg_crossing_blocks, key)));
        Value *list = list_of(own, own_class(given, key, keeps_none()));
        require_room(list, given, key, given_twice());
        keep(list, given, key);
        count(counter_of_served);
        builder_.CreateRetVoid();
    }

    // What is asked or told of a block seldom: a function of its own, so that this one keeps nothing for it. `write`: writes it, where the block is one of
    // its arguments; it hands on to the library, or to this one.
    template <class Write>
    BasicBlock *seldom(const char *words, const Write &write) {
        Function *made = Function::Create(function_.getFunctionType(), GlobalValue::InternalLinkage,
                                          function_.getName() + words, function_.getParent());
        made->copyAttributesFrom(&function_);
        made->setSectionPrefix("unlikely");
        made->addFnAttr(Attribute::Cold);
        IRBuilder<> builder(BasicBlock::Create(function_.getContext(), "", made));
        write(builder, *made);
        BasicBlock *calls = block();
        IRBuilder<> here(calls);
        hand_on(here, function_, *made);
        return calls;
    }

    // A thread's first block is kept, too: the library would have it beside the list, where it is given back twice.
    BasicBlock *keeps_none() {
        return seldom(".first", [&](IRBuilder<> &builder, Function &made) {
            Module &module = *function_.getParent();
            Value *keeps = builder.CreateCall(declare(module, ABI_SYMBOL(thalweg_crossing_begin_blocks)));
            BasicBlock *again = BasicBlock::Create(function_.getContext(), "again", &made);
            BasicBlock *library = BasicBlock::Create(function_.getContext(), "library", &made);
            builder.CreateCondBr(keeps, again, library);
            builder.SetInsertPoint(again);
            hand_on(builder, made, function_);
            builder.SetInsertPoint(library);
            hand_on(builder, made, callee_);
        });
    }

    BasicBlock *given_twice() {
        return seldom(".twice", [&](IRBuilder<> &builder, Function &made) {
            builder.CreateCall(declare(*function_.getParent(), ABI_SYMBOL(thalweg_crossing_given_twice)),
                               {made.getArg(0)});
            hand_on(builder, made, callee_);
        });
    }

    // Calls `other` with the arguments of the function that is being written, and gives its result.
    static void hand_on(IRBuilder<> &builder, Function &written, Function &other) {
        SmallVector<Value *> arguments;
        for (Argument &one : written.args())
            arguments.push_back(&one);
        CallInst *call = builder.CreateCall(&other, arguments);
        call->setTailCallKind(CallInst::TCK_Tail);
        if (call->getType()->isVoidTy())
            builder.CreateRetVoid();
        else
            builder.CreateRet(call);
    }

    Function &function_;
    Function &callee_;
    std::optional<uint64_t> known_class_;
    const Counters *counters_;
    IRBuilder<> builder_;
    BasicBlock *library_;
};

// Of the module, made once.
Function &block_function(Function &callee, BlockUse use, std::optional<uint64_t> known_class,
                         const Counters *counters) {
    Module &module = *callee.getParent();
    std::string name = (made_prefix + callee.getName()).str();
    if (known_class)
        name += "." + std::to_string(*known_class * unit - thalweg_crossing_block_word);
    if (Function *made = module.getFunction(name))
        return *made;
    Function *function = Function::Create(callee.getFunctionType(), GlobalValue::InternalLinkage, name, module);
    function->setUWTableKind(UWTableKind::Default);
    function->setDSOLocal(true);
    function->setSectionPrefix("hot");
    // A thread's address would be held in a register of the caller, over calls that may go on in another thread (swapcontext).
    function->addFnAttr(Attribute::NoInline);
    if (callee.doesNotThrow())
        function->setDoesNotThrow();
    BlockFunction(*function, callee, known_class, counters).write(use);
    return *function;
}

// Whether another function of its type can be called in place of what it calls.
bool is_plain(const CallBase &call) {
    return !call.isMustTailCall() && !call.hasOperandBundles() && !isa<CallBrInst>(call) &&
           call.getCallingConv() == CallingConv::C &&
           call.getFunctionType() == call.getCalledFunction()->getFunctionType();
}

// The size of a request that is known when the program is built. What resizes goes by its block's size first.
std::optional<uint64_t> known_size(const CallBase &call, BlockUse use) {
    uint64_t size = 1;
    for (unsigned i = 0, last = use == BlockUse::given ? 1 : use == BlockUse::given_as_zeros ? 2 : 0; i < last; ++i) {
        const auto *factor = dyn_cast<ConstantInt>(call.getArgOperand(i));
        if (!factor)
            return {};
        size = SaturatingMultiply(size, factor->getLimitedValue());
    }
    return use == BlockUse::given || use == BlockUse::given_as_zeros ? std::optional(size) : std::nullopt;
}

bool may_be_small(const CallBase &call, BlockUse use) {
    const std::optional<uint64_t> size = known_size(call, use);
    return !size || *size <= largest_request;
}

std::optional<uint64_t> known_class(const CallBase &call, BlockUse use) {
    const std::optional<uint64_t> size = known_size(call, use);
    return size ? std::optional(class_of(*size)) : std::nullopt;
}

// What calls the library for a function that was called instead of it.
bool is_made(const Function &caller) { return caller.hasLocalLinkage() && caller.getName().starts_with(made_prefix); }

void call_instead(Function &callee, BlockUse use, const Counters *counters) {
    SmallVector<CallBase *> calls;
    for (User *user : callee.users())
        if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == &callee &&
                                                   !is_made(*call->getFunction()) && is_plain(*call) &&
                                                   may_be_small(*call, use))
            calls.push_back(call);
    SmallVector<Function *> callers;
    for (CallBase *call : calls) {
        Function &function = block_function(callee, use, counters ? std::nullopt : known_class(*call, use), counters);
        call->setCalledFunction(&function);
        callers.push_back(call->getFunction());
    }
    forget_effects_of_callers(callers);
}

}  // namespace

std::optional<BlockUse> block_use(const Function &callee, const TargetLibraryInfo &library) {
    LibFunc known;
    if (!callee.isDeclaration() || !library.getLibFunc(callee, known))
        return {};
    return knowledge::block_use(std::string_view(callee.getName()));
}

void reuse_blocks(Function &callee, BlockUse use) { call_instead(callee, use, nullptr); }

model::CountedFunction reuse_blocks_counted(Function &callee, BlockUse use, Keeps keeps) {
    // Nothing else has its name, so any number does for a hash.
    model::CountedFunction counted{abi::block_counters + callee.getName().str(), 1, counters, 0, 0};
    const Counters own{createPGOFuncNameVar(*callee.getParent(), GlobalValue::InternalLinkage, counted.name), counted,
                       keeps};
    call_instead(callee, use, &own);
    return counted;
}

}  // namespace thalweg::transform
