// transform: what the specialiser knows of a value, and the memory objects that pointers lead to (tempo-sunrpc, section 3).
#pragma once

#include <compare>
#include <cstdint>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace thalweg::transform::specializer {

struct Context;

// One instance of a data structure: what an alloca, an argument, a global variable or a load of a pointer leads to.
// Each instance has facts of its own ("structure instance" of the paper's section 3.2).
struct Object {
    enum class Kind {
        local,  // an alloca of the root or of an unfolded function, or the latter's copy of a structure that it takes by
        // value: no one else's memory
        twin,  // what takes a local's place where the program goes on generically
        fresh,  // what an allocating call returned
        argument,  // what an argument of the root points to
        global,
        loaded,  // what a pointer points to that the program loaded or was given by a call
    };
    unsigned id = 0;
    Kind kind = Kind::local;
    llvm::Value *origin = nullptr;  // the alloca, argument, variable, call or load, as the original program has it
    const Context *context = nullptr;
    llvm::Value *base = nullptr;  // residual: the address, or for `fresh` and `loaded` the variable that holds it

    // Whether the address is kept in a variable of the residual function, because its instruction may run again.
    bool is_rebound() const { return kind == Kind::fresh || kind == Kind::loaded; }
    // LLVM's term: a pointer based on another object can't lead here.
    bool is_identified() const { return is_private() || kind == Kind::global; }
    // Memory that began to exist in the specialised call: no one has its address who was not given it.
    bool is_private() const { return is_local() || kind == Kind::fresh; }
    bool is_local() const { return kind == Kind::local || kind == Kind::twin; }
};

// The binding time of a value, as fine as the engine sees it. Everything but `known` exists at run time only; `pointer` is
// a static fact about a dynamic value (the paper's use sensitivity, section 3.5).
struct AbstractValue {
    enum class Kind { dynamic, known, pointer, within };
    Kind kind = Kind::dynamic;
    llvm::Constant *constant = nullptr;  // known
    Object *object = nullptr;  // pointer: object + offset; within: somewhere in the object
    int64_t offset = 0;
    bool inbounds = true;  // pointer: LLVM's term for all the steps that led from the object's address to the offset

    static AbstractValue known(llvm::Constant *constant) { return {Kind::known, constant, nullptr, 0}; }
    static AbstractValue pointer(Object *object, int64_t offset) { return pointer(object, offset, offset == 0); }
    static AbstractValue pointer(Object *object, int64_t offset, bool inbounds) {
        return {Kind::pointer, nullptr, object, offset, inbounds};
    }
    static AbstractValue within(Object *object) { return {Kind::within, nullptr, object, 0}; }

    bool is_dynamic() const { return kind == Kind::dynamic; }
    bool is_known() const { return kind == Kind::known; }
    bool is_pointer() const { return kind == Kind::pointer; }
    // Needs no variable of the residual function: it can be written down anew wherever it is used.
    bool is_static() const { return is_known() || is_pointer(); }
    // But for how a pointer came about.
    bool is_same(const AbstractValue &other) const {
        return kind == other.kind && constant == other.constant && object == other.object && offset == other.offset;
    }
    // True: less is known than before of how a pointer came about.
    bool meet_steps(const AbstractValue &other) {
        const bool changes = inbounds && !other.inbounds;
        inbounds &= other.inbounds;
        return changes;
    }
    bool operator==(const AbstractValue &) const = default;
};

}  // namespace thalweg::transform::specializer
