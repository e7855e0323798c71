// transform: evaluates the original program from one point on with what is known there, and writes what is left of it.
#pragma once

#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/IR/ValueHandle.h"

#include "transform/ir/hot_path.h"
#include "transform/specializer/engine.h"

namespace thalweg::transform::specializer {

// An invoke in an unfolded frame, to whose landing pad an exception goes.
struct Catcher {
    const Context *context = nullptr;
    llvm::InvokeInst *invoke = nullptr;
};

// What a write does not touch, though it might lie where the write goes.
struct Spared {
    const FlatSet<unsigned> *objects = nullptr;
    const llvm::MDNode *tag = nullptr;  // of the write
    bool contains(unsigned object) const { return objects && objects->contains(object); }
};

class Evaluator {
  public:
    Evaluator(Engine &engine, Entry &entry);

    // Writes the entry's block, to its end or to the next call that is unfolded, return, or fact that is tested.
    void run();

  private:
    // True: goes on with the next instruction. False: the block has been ended.
    using Row = bool (Evaluator::*)(llvm::Instruction &);
    struct TableEntry {
        unsigned opcode;
        Row row;
    };
    static const TableEntry table[];

    // Values.
    Place place_of(const llvm::Value *value) const;
    AbstractValue read(llvm::Value *value) const;
    bool is_variable(llvm::Value *value) const;
    llvm::Value *residual_of(llvm::Value *value);
    void define(llvm::Instruction &instruction, const AbstractValue &value);
    // `provenance`: within some object, or nothing.
    void define_dynamic(llvm::Instruction &instruction, llvm::Value *residual, const AbstractValue &provenance = {});
    void take_over(llvm::Instruction &instruction, llvm::Value *from);
    llvm::Instruction *emit(llvm::Instruction &instruction, bool exposes);
    // An address or an index that is one or the other by a decision of the program's: rather two ways than a place not known.
    void keep_choice(llvm::Value *value);
    void rebind(Object &object, llvm::Value *address);
    llvm::SimplifyQuery query() const;

    // Ways on.
    llvm::BasicBlock *open_block(const char *name);
    void go_on(llvm::BasicBlock *block, State state, llvm::Instruction *start);
    void go_to(llvm::BasicBlock *block, State state, llvm::BasicBlock *from, llvm::BasicBlock *to, bool leaves = false);
    bool splits(llvm::Instruction &choice, llvm::Value &condition, llvm::ArrayRef<AbstractValue> arms);
    bool ends_after_test(llvm::Instruction &source, llvm::Value *given, const ExpectedValue &expected,
                         const AbstractValue &address);

    // Rows of the table.
    bool compute(llvm::Instruction &instruction);
    bool skip(llvm::Instruction &instruction);
    bool branch(llvm::Instruction &instruction);
    bool choose_case(llvm::Instruction &instruction);
    bool give_back(llvm::Instruction &instruction);
    bool end(llvm::Instruction &instruction);
    bool resume(llvm::Instruction &instruction);
    bool select(llvm::Instruction &instruction);
    bool extend(llvm::Instruction &instruction);
    bool compare(llvm::Instruction &instruction);
    bool offset_pointer(llvm::Instruction &instruction);
    bool freeze(llvm::Instruction &instruction);
    bool allocate(llvm::Instruction &instruction);
    bool load(llvm::Instruction &instruction);
    bool store(llvm::Instruction &instruction);
    bool synchronise(llvm::Instruction &instruction);
    bool call(llvm::Instruction &instruction);

    // Memory.
    AbstractValue place_behind(const AbstractValue &address) const;
    // `tag`: of the access that asks; null: of none in particular.
    AbstractValue known_content(const AbstractValue &address, llvm::Type *type,
                                const llvm::MDNode *tag = nullptr) const;
    const ExpectedValue *fact_beyond(const llvm::LoadInst &load, const AbstractValue &content) const;
    bool load_dynamic(llvm::LoadInst &load, const AbstractValue &address);
    void narrow(ExpectedValue &expected, llvm::Constant *likely, llvm::Type *type) const;
    void note_first_test(const llvm::Instruction &source, const ExpectedValue &expected, const AbstractValue &address);
    bool may_alias(const Object &one, const Object &other) const;
    void forget_aliases(const AbstractValue &address, const Spared &spared);
    void write_to(const AbstractValue &address, std::optional<uint64_t> size, const Spared &spared = {});
    void forget_all_exposed(const Spared &spared = {});
    void note_access(const llvm::Instruction &access, const AbstractValue &place, bool writes);
    bool assume_apart(llvm::Instruction &access, llvm::Value *address, const AbstractValue &place, uint64_t size);
    bool transfer(llvm::CallBase &call);
    bool fill_memory(llvm::CallBase &call);
    bool mark_lifetime(llvm::CallBase &call);
    std::vector<std::pair<int64_t, Cell>> contents(const AbstractValue &address, uint64_t size) const;

    // Calls.
    bool fold_call(llvm::CallBase &call, llvm::Function *callee);
    bool intrinsic(llvm::CallBase &call, bool &goes_on);
    llvm::Function *callee_of(llvm::CallBase &call);
    std::string obstacle_to_unfolding(const llvm::CallBase &call, llvm::Function &callee) const;
    llvm::Function *body_of(llvm::CallBase &call, llvm::Function &callee);
    void unfold(llvm::CallBase &call, llvm::Function &callee);
    AbstractValue pass_copy(llvm::Value *given, llvm::Argument &argument, const Context *callee);
    bool leaves_in_front_of(const llvm::CallBase &call, const llvm::Function &callee) const;
    bool stays_tail_call(const llvm::CallBase &call) const;
    void stay_out_of_line(llvm::CallBase &copy) const;
    bool call_residual(llvm::CallBase &call, llvm::Function *callee);
    void forget_after(llvm::CallBase &call, llvm::Function *callee);
    void define_result(llvm::CallBase &call, llvm::Value *result);

    // Exceptions.
    Catcher catcher_of(llvm::CallBase &call, const llvm::Function *callee) const;
    bool invoke_residual(llvm::CallBase &call, llvm::Function *callee, const Catcher &catcher);
    void hand_on(llvm::Value *exception, const Catcher &catcher, State thrown);
    void end_frame(const Context &frame, State &state) const;

    // Notes for people (times.h).
    struct Before {
        uint32_t decided;
        uint32_t guards;
    };
    void observe(const llvm::Instruction &at, Before before, bool goes_on);
    bool is_left(const llvm::Instruction &at, Before before, bool goes_on) const;
    void tell(const Reason &reason);
    void tell_call(const llvm::CallBase &call, llvm::Function *callee);
    void tell_unknown_load(const llvm::LoadInst &load, const AbstractValue &place);
    void forget(const Object &object, const llvm::MDNode *tag);
    void overwrite(const Object &object, int64_t offset, uint64_t size);

    Engine &engine_;
    Entry &entry_;
    State state_;
    llvm::IRBuilder<> builder_;
    const llvm::DataLayout &layout_;
    llvm::DenseMap<std::pair<unsigned, const llvm::Value *>, llvm::Value *> local_;  // residual values in reach
    const llvm::Instruction *at_ = nullptr;  // what is evaluated now
    llvm::WeakVH copy_;  // of it, in the residual program; null when it has turned out not to be needed
};

}  // namespace thalweg::transform::specializer
