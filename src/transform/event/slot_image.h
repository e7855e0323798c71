// transform: the tests at a line's front that may be made in one go become one: a list's slots compared with an image of them.
#pragma once

namespace llvm {
class Function;
class Instruction;
class Module;
class TargetTransformInfo;
}  // namespace llvm

namespace thalweg::transform {

// Marks a branch as a test at a front: it goes on to its first successor while a recorded fact holds.
void mark_front_test(llvm::Instruction &branch);

// For each list that is walked from a first to a last slot, all its slots are read and compared at once, by a call of a
// function made for it.
void join_front_tests(llvm::Function &function, const llvm::TargetTransformInfo &target);

// Puts those functions' bodies where they are called. To be done last: LLVM's canonical form of such a compare is one that
// costs twice the instructions.
void inline_joined_tests(llvm::Module &module);

}  // namespace thalweg::transform
